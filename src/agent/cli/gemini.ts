/** Gemini CLI: the prompt on its standard input, its events a line each. */
import type { CliAgent, CliEvent } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { type Line, numberOf, objectIn, textOf, usageEvent } from './read-line.ts';
import { wholePrompt } from './whole-prompt.ts';

const program = 'gemini';
const install = 'npm install -g @google/gemini-cli';
const login = 'Log in with "gemini", or set GEMINI_API_KEY.';

export const gemini: CliAgent = {
  type: 'gemini',
  program,
  install,
  login,
  prints: 'lines',
  sessions: 'told',
  tells: { tokens: true, cost: false },
  env: ['GEMINI_*', 'GOOGLE_*', 'CLOUDSDK_*'],
  command(request) {
    const { model, tools, session, fields } = request;
    const { sandbox, approvalMode, skipTrust } = fields;
    return {
      argv: [
        ...['--output-format', 'stream-json'],
        ...(model === undefined ? [] : ['--model', model]),
        ...(sandbox === undefined ? [] : [`--sandbox=${sandbox === true}`]),
        ...(typeof approvalMode === 'string' ? ['--approval-mode', approvalMode] : []),
        ...(skipTrust === true ? ['--skip-trust'] : []),
        ...(tools ?? []).flatMap((name) => ['--allowed-tools', name]),
        ...(session === undefined ? [] : ['--resume', session]),
      ],
      stdin: wholePrompt(request, tools?.length === 0),
    };
  },
  read(line) {
    const value = objectIn(line);
    return value === undefined || typeof value.type !== 'string' ? undefined : eventsIn(value);
  },
  explain: (end) =>
    explainWith(
      {
        program,
        login,
        // Some versions, when they go on, say the results of tools twice, which their model refuses forever.
        noSession: /error resuming session|invalid session identifier|number of function response parts/i,
        own: [
          [
            /trusted directory|skip-trust/,
            {
              code: 'model',
              retryable: false,
              help: 'It works in folders that it trusts: start "gemini" there once, or write "skipTrust: true" at the agent.',
            },
          ],
        ],
      },
      end,
    ),
  probe: probeOf(program, install),
};

function eventsIn(value: Line): readonly CliEvent[] {
  switch (value.type) {
    case 'init': {
      const id = textOf(value.session_id);
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'message': {
      // What it was asked comes too.
      const text = value.role === 'assistant' ? textOf(value.content) : undefined;
      return text === undefined ? [] : [{ kind: 'text', text }];
    }
    case 'tool_use':
      return [{ kind: 'tool', name: String(value.tool_name), args: value.parameters }];
    case 'error':
      return value.severity === 'warning' ? [] : [{ kind: 'error', message: textOf(value.message) ?? 'it failed' }];
    case 'result':
      return resultEvents(value);
    default:
      return [];
  }
}

function resultEvents({ status, error, stats }: Line): readonly CliEvent[] {
  const { input_tokens, output_tokens, total_tokens } = (stats ?? {}) as Line;
  const [inputTokens, total] = [numberOf(input_tokens), numberOf(total_tokens)];
  // Its own count leaves out what it thought.
  const outputTokens = total === undefined || inputTokens === undefined ? numberOf(output_tokens) : total - inputTokens;
  const spent = usageEvent('call', { inputTokens, outputTokens });
  if (status === 'success') return [spent, { kind: 'final' }];
  const message = textOf((error as Line | undefined)?.message);
  // Where it has no words here, it has said them before.
  return message === undefined ? [spent] : [spent, { kind: 'error', message }];
}
