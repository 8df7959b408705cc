/** An answer as a model without an interface for tools would write it. */
import { planTool, writeRawCall } from '../../calls/index.ts';
import { callText } from './call-text.ts';

export interface WrittenCall {
  readonly toolName: string;
  /** JSON; or what a model writes in its place. */
  readonly input: string;
}

/** `tools`: those that are offered, by which a call is written as it is best. */
export function writeAnswer(
  text: string,
  calls: readonly WrittenCall[],
  tools: readonly { readonly name: string; readonly inputSchema: object }[],
): string {
  const plans = new Map(
    tools.map(({ name, inputSchema }) => [name, planTool({ name, parameters: { ...inputSchema } })] as const),
  );
  const lines = calls.map(({ toolName, input }) => {
    const args = parsed(input);
    if (args === undefined) return writeRawCall({ toolName, rawArgs: '@json', body: `${input}\n` });
    return callText({ type: 'tool-call', toolCallId: '', toolName, input: args }, undefined, plans);
  });
  return [...(text === '' ? [] : [text.replace(/\n$/, '')]), ...lines].join('\n');
}

/** An object of arguments. */
function parsed(input: string): object | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // It is to be no JSON.
    return undefined;
  }
}
