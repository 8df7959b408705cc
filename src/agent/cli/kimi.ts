/** Kimi CLI: `kimi --print`, its messages a line each. Some versions tell errors as text, and exit with 0. */
import type { CliAgent, CliEvent } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { type Line, objectIn, partsOf, textOf } from './read-line.ts';
import { wholePrompt } from './whole-prompt.ts';

const program = 'kimi';
const install = 'uv tool install kimi-cli';
const login = 'Log in with "kimi login", or set KIMI_API_KEY.';

export const kimi: CliAgent = {
  type: 'kimi',
  program,
  install,
  login,
  prints: 'lines',
  sessions: 'given',
  tells: { tokens: false, cost: false },
  asksNobody: true,
  env: ['KIMI_*', 'MOONSHOT_*', 'OPENAI_*'],
  command(request) {
    const { model, session } = request;
    return {
      argv: [
        ...['--print', '--output-format', 'stream-json'],
        ...(model === undefined ? [] : ['--model', model]),
        ...(session === undefined ? [] : ['--session', session]),
      ],
      stdin: wholePrompt(request, true),
    };
  },
  read(line) {
    const value = objectIn(line);
    return value === undefined || typeof value.role !== 'string' ? undefined : eventsIn(value);
  },
  explain: (end) => explainWith({ program, login, noSession: /session [^\n]*not found/i }, end),
  probe: probeOf(program, install),
};

function eventsIn({ role, content, tool_calls }: Line): readonly CliEvent[] {
  if (role !== 'assistant') return [];
  const text =
    textOf(content) ??
    partsOf(content)
      .flatMap((part) => (part.type === 'text' ? [textOf(part.text) ?? ''] : []))
      .join('');
  const said: CliEvent[] = text === '' ? [] : [{ kind: 'text', text: `${text}\n` }];
  const calls = partsOf(tool_calls).map((call): CliEvent => {
    const { name, arguments: args } = (call.function ?? {}) as Line;
    return { kind: 'tool', name: String(name), args };
  });
  return calls.length > 0 ? [...said, ...calls] : [...said, { kind: 'final', text }];
}
