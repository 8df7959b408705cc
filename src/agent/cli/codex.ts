/** Codex: `codex exec --json`, its events a line each. */
import { fitsStrict } from '../../model/index.ts';
import type { CliAgent, CliEvent } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { type Line, numberOf, objectIn, textOf, usageEvent } from './read-line.ts';
import { wholePrompt } from './whole-prompt.ts';

const program = 'codex';
const install = 'npm install -g @openai/codex';
const login = 'Log in with "codex login", or set CODEX_API_KEY.';

export const codex: CliAgent = {
  type: 'codex',
  program,
  install,
  login,
  prints: 'lines',
  sessions: 'told',
  tells: { tokens: true, cost: false },
  env: ['OPENAI_*', 'CODEX_*', 'AZURE_*'],
  command(request) {
    const { model, output, session, fields, folder } = request;
    const { fullAuto, sandbox, skipGitRepoCheck } = fields;
    // "--full-auto" is gone from newer versions, and "--sandbox" is not known to "resume": the setting is known to all.
    const locked = typeof sandbox === 'string' ? sandbox : fullAuto === true ? 'workspace-write' : undefined;
    // Other schemas are refused; those stand in the instructions only.
    const schema = output !== undefined && fitsStrict(output) ? JSON.stringify(output) : undefined;
    return {
      argv: [
        ...['exec', '--json'],
        ...(model === undefined ? [] : ['--model', model]),
        ...(locked === undefined ? [] : ['-c', `sandbox_mode="${locked}"`]),
        ...(skipGitRepoCheck === true ? ['--skip-git-repo-check'] : []),
        ...(schema === undefined ? [] : ['--output-schema', `${folder}${schemaFile}`]),
        ...(session === undefined ? [] : ['resume', session]),
        '-',
      ],
      stdin: wholePrompt(request, true),
      ...(schema !== undefined && { files: { [schemaFile]: schema } }),
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
        noSession: /no rollout found|thread\/resume failed|session not found/i,
        own: [
          [
            /skip-git-repo-check/,
            {
              code: 'model',
              retryable: false,
              help: 'It works in git repositories that it trusts. Elsewhere: "skipGitRepoCheck: true" at the agent.',
            },
          ],
        ],
      },
      end,
    ),
  probe: probeOf(program, install),
};

const schemaFile = 'schema.json';

function eventsIn(value: Line): readonly CliEvent[] {
  switch (value.type) {
    case 'thread.started': {
      const id = textOf(value.thread_id);
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'item.started':
    case 'item.completed':
      return itemEvents(value.item as Line | undefined, value.type === 'item.completed');
    case 'turn.completed': {
      const { input_tokens, output_tokens } = (value.usage ?? {}) as Line;
      const counted = { inputTokens: numberOf(input_tokens), outputTokens: numberOf(output_tokens) };
      return [usageEvent('session', counted), { kind: 'final' }];
    }
    case 'turn.failed':
      return [{ kind: 'error', message: textOf((value.error as Line | undefined)?.message) ?? 'the turn failed' }];
    case 'error':
      return [{ kind: 'error', message: textOf(value.message) ?? 'it failed' }];
    default:
      return [];
  }
}

/** An item of the type `error` is a warning: it goes on. */
function itemEvents(item: Line | undefined, isDone: boolean): readonly CliEvent[] {
  if (item === undefined) return [];
  if (item.type === 'agent_message') {
    const text = isDone ? textOf(item.text) : undefined;
    return text === undefined
      ? []
      : [
          { kind: 'text', text: `${text}\n` },
          { kind: 'final', text },
        ];
  }
  if (isDone) return [];
  switch (item.type) {
    case 'command_execution':
      return [{ kind: 'tool', name: 'shell', args: item.command }];
    case 'file_change':
      return [{ kind: 'tool', name: 'edit', args: item.changes }];
    case 'mcp_tool_call':
      return [{ kind: 'tool', name: `${item.server}/${item.tool}`, args: item.arguments }];
    case 'web_search':
      return [{ kind: 'tool', name: 'web_search', args: item.query }];
    default:
      return [];
  }
}
