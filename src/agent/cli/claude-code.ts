/** Claude Code: `claude --print`, its events a line each. */
import { isRecord } from '../../type/index.ts';
import type { CliAgent, CliEvent, CliRequest } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { type Line, numberOf, objectIn, partsOf, sumOf, textOf, usageEvent } from './read-line.ts';

const program = 'claude';
const install = 'npm install -g @anthropic-ai/claude-code';
const login = 'Log in with "claude" and "/login", or set ANTHROPIC_API_KEY.';

export const claudeCode: CliAgent = {
  type: 'claude-code',
  program,
  install,
  login,
  prints: 'lines',
  sessions: 'told',
  tells: { tokens: true, cost: true },
  env: ['ANTHROPIC_*', 'CLAUDE_*', 'DISABLE_*', 'AWS_*', 'GOOGLE_*', 'CLOUD_ML_REGION', 'VERTEX_*'],
  command(request) {
    const { prompt, instructions, model, output, session, fields, folder } = request;
    const { permissionMode, subscription } = fields;
    const hasInstructions = instructions !== undefined && instructions !== '';
    const schema = output === undefined ? undefined : JSON.stringify(output);
    return {
      argv: [
        ...['--print', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'],
        ...(model === undefined ? [] : ['--model', model]),
        ...(hasInstructions ? ['--append-system-prompt-file', `${folder}${instructionsFile}`] : []),
        // Without it the mode is "default", which newer versions have no name for.
        ...(typeof permissionMode === 'string' && permissionMode !== 'default'
          ? ['--permission-mode', permissionMode]
          : []),
        ...toolWords(request),
        ...(schema !== undefined && schema.length <= longestSchema ? ['--json-schema', schema] : []),
        ...(session === undefined ? [] : ['--resume', session]),
      ],
      stdin: prompt,
      ...(hasInstructions && { files: { [instructionsFile]: instructions } }),
      // With a key it is the key that is charged.
      ...(subscription === true && { without: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'] }),
    };
  },
  read(line) {
    const value = objectIn(line);
    return value === undefined || typeof value.type !== 'string' ? undefined : eventsIn(value);
  },
  explain: (end) => explainWith({ program, login, noSession: /no conversation found/i }, end),
  probe: probeOf(program, install),
};

const instructionsFile = 'instructions.md';
/** A longer one stands in the instructions only: there is an end to arguments. */
const longestSchema = 60_000;

/** Which there are, and which it may use unasked: who names them means both. */
function toolWords({ tools }: CliRequest): string[] {
  if (tools === undefined) return [];
  const own = tools.map((name) => name.replace(/\(.*$/s, '')).filter((name) => !name.startsWith('mcp__'));
  return ['--tools', [...new Set(own)].join(','), ...(tools.length === 0 ? [] : ['--allowedTools', ...tools])];
}

function eventsIn(value: Line): readonly CliEvent[] {
  const id = textOf(value.session_id);
  const session: CliEvent[] = id === undefined ? [] : [{ kind: 'session', id }];
  // What its own helpers say is nothing that it says.
  if (typeof value.parent_tool_use_id === 'string') return [];
  switch (value.type) {
    case 'system':
      return value.subtype === 'api_retry' ? retried(value) : session;
    case 'stream_event': {
      const event = value.event as Line | undefined;
      const delta = event?.type === 'content_block_delta' ? (event.delta as Line | undefined) : undefined;
      const text = delta?.type === 'text_delta' ? textOf(delta.text) : undefined;
      return text === undefined ? [] : [{ kind: 'text', text }];
    }
    case 'assistant':
      return partsOf((value.message as Line | undefined)?.content).flatMap((part) =>
        part.type === 'tool_use' ? [{ kind: 'tool', name: String(part.name), args: part.input }] : [],
      );
    case 'result':
      // That of a conversation which is not there is none.
      return [...(value.is_error === true ? [] : session), ...usageIn(value), ended(value)];
    default:
      return [];
  }
}

/** It tries ten times, for minutes, also where its key will never be taken. */
function retried({ error_status, error }: Line): readonly CliEvent[] {
  const isRefused = error_status === 401 || error_status === 403;
  const message = `${textOf(error) ?? 'it failed'}${numberOf(error_status) === undefined ? '' : ` (${error_status})`}`;
  return [{ kind: 'error', message, ...(isRefused && { isEnd: true as const }) }];
}

function ended({ is_error, result, structured_output, errors, subtype }: Line): CliEvent {
  if (is_error === true || (typeof subtype === 'string' && subtype.startsWith('error'))) {
    const told = Array.isArray(errors) ? errors.map(String).join('\n') : '';
    return { kind: 'error', message: textOf(result) || told || String(subtype ?? 'it failed') };
  }
  if (structured_output !== undefined && structured_output !== null) {
    return { kind: 'final', text: JSON.stringify(structured_output) };
  }
  const text = textOf(result);
  return text === undefined ? { kind: 'final' } : { kind: 'final', text };
}

/**
 * By models: of the whole conversation, as the dollars are, and with what its helpers have used. Older versions tell only what it
 * has used itself, of this call.
 */
function usageIn({ usage, modelUsage, total_cost_usd }: Line): readonly CliEvent[] {
  const dollars = { cost: numberOf(total_cost_usd) };
  const models = isRecord(modelUsage) ? Object.values(modelUsage).filter(isRecord) : [];
  if (models.length > 0) {
    const inputs = models.flatMap((each) => [
      each.inputTokens,
      each.cacheCreationInputTokens,
      each.cacheReadInputTokens,
    ]);
    const outputs = models.map((each) => each.outputTokens);
    return [usageEvent('session', { inputTokens: sumOf(...inputs), outputTokens: sumOf(...outputs), ...dollars })];
  }
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = (usage ?? {}) as Line;
  const inputTokens = sumOf(input_tokens, cache_creation_input_tokens, cache_read_input_tokens);
  return [usageEvent('call', { inputTokens, outputTokens: numberOf(output_tokens) }), usageEvent('session', dollars)];
}
