/** Pi: `pi --print --mode json`, its events a line each. */
import type { CliAgent, CliEvent } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { type Line, numberOf, objectIn, partsOf, sumOf, textOf, usageEvent } from './read-line.ts';

const program = 'pi';
const install = 'npm install -g @earendil-works/pi-coding-agent';
const login = 'Log in with "pi" and "/login", or set the key of its provider.';

export const pi: CliAgent = {
  type: 'pi',
  program,
  install,
  login,
  prints: 'lines',
  sessions: 'told',
  tells: { tokens: true, cost: true },
  asksNobody: true,
  env: [
    ...['PI_*', 'ANTHROPIC_*', 'OPENAI_*', 'GEMINI_*', 'GOOGLE_*', 'GROQ_API_KEY', 'XAI_API_KEY', 'MISTRAL_API_KEY'],
    ...['OPENROUTER_API_KEY', 'DEEPSEEK_API_KEY', 'CEREBRAS_API_KEY', 'ZAI_API_KEY', 'AWS_*', 'AZURE_*'],
  ],
  command({ prompt, instructions, model, tools, session, folder }) {
    const hasInstructions = instructions !== undefined && instructions !== '';
    return {
      argv: [
        ...['--print', '--mode', 'json'],
        ...(model === undefined ? [] : ['--model', model]),
        // A file, as it takes one there too.
        ...(hasInstructions ? ['--append-system-prompt', `${folder}${instructionsFile}`] : []),
        ...(tools === undefined ? [] : tools.length === 0 ? ['--no-tools'] : ['--tools', tools.join(',')]),
        ...(session === undefined ? [] : ['--session-id', session]),
      ],
      stdin: prompt,
      ...(hasInstructions && { files: { [instructionsFile]: instructions } }),
    };
  },
  read(line) {
    const value = objectIn(line);
    return value === undefined || typeof value.type !== 'string' ? undefined : eventsIn(value);
  },
  explain: (end) => explainWith({ program, login, noSession: /no session found/i }, end),
  probe: probeOf(program, install),
};

const instructionsFile = 'instructions.md';

function eventsIn(value: Line): readonly CliEvent[] {
  switch (value.type) {
    case 'session': {
      const id = textOf(value.id);
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'message_update': {
      const event = value.assistantMessageEvent as Line | undefined;
      const text = event?.type === 'text_delta' ? textOf(event.delta) : undefined;
      return text === undefined ? [] : [{ kind: 'text', text }];
    }
    case 'tool_execution_start':
      return [{ kind: 'tool', name: String(value.toolName), args: value.args }];
    case 'message_end':
      return messageEvents((value.message ?? {}) as Line);
    default:
      return [];
  }
}

/** Its exit code says nothing of what went wrong: the message does. */
function messageEvents({ role, content, usage, stopReason, errorMessage }: Line): readonly CliEvent[] {
  if (role !== 'assistant') return [];
  const { input, output, cacheRead, cacheWrite, cost } = (usage ?? {}) as Line;
  const spent = usageEvent('call', {
    inputTokens: sumOf(input, cacheRead, cacheWrite),
    outputTokens: numberOf(output),
    cost: numberOf((cost as Line | undefined)?.total),
  });
  if (stopReason === 'error' || stopReason === 'aborted') {
    return [spent, { kind: 'error', message: textOf(errorMessage) ?? `its request was ${stopReason}` }];
  }
  const parts = partsOf(content);
  // What is said before a tool is used is no answer yet.
  if (parts.some((part) => part.type === 'toolCall')) return [spent];
  const text = parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text) ?? ''] : [])).join('');
  return [spent, { kind: 'final', text }];
}
