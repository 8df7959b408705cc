/** A prompt for programs that take nothing else: the instructions stand before it, once in a conversation. */
import type { CliRequest } from './cli-agent.ts';

/** `toolsToo`: it cannot be told its tools in another way. */
export function wholePrompt({ prompt, instructions, tools, isLater }: CliRequest, toolsToo: boolean): string {
  if (isLater) return prompt;
  const rule = toolsToo && tools !== undefined ? toolRule(tools) : '';
  const before = [instructions ?? '', rule].filter((each) => each !== '').join('\n\n');
  return before === '' ? prompt : `${before}\n\n${prompt}`;
}

function toolRule(tools: readonly string[]): string {
  return tools.length === 0 ? 'Use no tools.' : `Use no other tools than these: ${tools.join(', ')}.`;
}
