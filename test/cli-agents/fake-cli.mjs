/**
 * A stand-in for the programs of agents: `node fake-cli.mjs TYPE FOLDER ...ARGS`. It takes what the real one takes, answers in its
 * format byte for byte, and does what `FOLDER/calls.json` says for this call: to answer, to hang, to fail as the real one does.
 * Every call is written to `FOLDER/call-N.json`, and conversations are kept in `FOLDER/session-ID.json`. The formats of claude,
 * codex and gemini are those that the real ones were seen to print; of pi, kimi and forge, those that they document.
 */
// @ts-nocheck: it runs as it is, and takes what tests write down for it.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [type, folder, ...argv] = process.argv.slice(2);

if (argv.includes('--version')) {
  process.stdout.write(`${type} 9.8.7\n`);
  process.exit(0);
}

const stdin = await readStdin();
const nth = takeNumber();
const calls = JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8'));
const call = calls[Math.min(nth, calls.length) - 1];
const resumed = sessionIn(argv);
const session = resumed ?? `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`;
const past = existsSync(sessionFile(session)) ? JSON.parse(readFileSync(sessionFile(session), 'utf8')) : undefined;
const files = Object.fromEntries(
  argv.filter((each) => each.includes('toolang-agent-')).map((each) => [each, readFileSync(each, 'utf8')]),
);
note({});

const isGone = resumed !== undefined && past === undefined && type !== 'kimi' && type !== 'pi';
if (isGone) gone();
else if (call.quiet) hang();
else {
  if (call.stderr !== undefined) process.stderr.write(call.stderr);
  await begin();
  writeFileSync(sessionFile(session), JSON.stringify([...(past ?? []), stdin]));
  if (call.hang) hang();
  else if (call.fail === 'auth') await auth();
  else if (call.plain !== undefined) {
    await print(`${call.plain}\n`);
    process.exitCode = call.exit ?? 0;
  } else await answer();
}

function takeNumber() {
  for (let n = 1; ; n++) {
    try {
      mkdirSync(join(folder, `number-${n}`));
      return n;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

async function readStdin() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function note(more) {
  const told = { type, argv, stdin, files, cwd: process.cwd(), env: process.env, pid: process.pid, resumed, ...more };
  const file = join(folder, `call-${nth}.json`);
  writeFileSync(`${file}.part`, JSON.stringify(told));
  renameSync(`${file}.part`, file);
}

function sessionFile(id) {
  return join(folder, `session-${id}.json`);
}

function sessionIn(args) {
  const flag = {
    'claude-code': '--resume',
    codex: 'resume',
    gemini: '--resume',
    pi: '--session-id',
    kimi: '--session',
  }[type];
  const at = flag === undefined ? -1 : args.indexOf(flag);
  return at === -1 ? undefined : args[at + 1];
}

/** With a grandchild in the group, and one that has left it. */
function hang() {
  const idle = ['-e', 'setInterval(() => {}, 1000)'];
  const inside = spawn(process.execPath, idle, { stdio: 'inherit' });
  const outside = spawn(process.execPath, idle, { stdio: 'ignore', detached: true });
  if (call.stubborn) process.on('SIGTERM', () => {});
  note({ children: [inside.pid, outside.pid] });
  setInterval(() => {}, 1000);
}

/** In small pieces: lines and characters are cut apart. */
async function print(text) {
  const bytes = Buffer.from(text, 'utf8');
  const size = call.pieces ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    const isOpen = process.stdout.write(bytes.subarray(at, at + size));
    if (!isOpen) await new Promise((done) => process.stdout.once('drain', done));
    else if (call.pieces) await new Promise(setImmediate);
  }
}

function lines(...values) {
  return print(values.map((each) => `${JSON.stringify(each)}\n`).join(''));
}

async function begin() {
  const timestamp = '2026-11-17T23:03:36.993Z';
  if (type === 'claude-code') {
    const init = { type: 'system', subtype: 'init', cwd: process.cwd(), session_id: session, tools: ['Bash'] };
    await lines({ ...init, mcp_servers: [], model: 'claude-opus-5-5', permissionMode: 'default', uuid: 'u' });
  }
  if (type === 'codex') {
    const message = 'Model metadata for `x` not found. Defaulting to fallback metadata; this can degrade performance.';
    await lines(
      { type: 'thread.started', thread_id: session },
      { type: 'item.completed', item: { id: 'item_0', type: 'error', message } },
      { type: 'turn.started' },
    );
  }
  if (type === 'gemini') {
    await lines(
      { type: 'init', timestamp, session_id: session, model: 'gemini-2.5-flash' },
      { type: 'message', timestamp, role: 'user', content: stdin },
    );
  }
  if (type === 'pi') {
    await lines(
      { type: 'session', version: 3, id: session, timestamp, cwd: process.cwd() },
      { type: 'agent_start' },
      { type: 'turn_start' },
      { type: 'message_end', message: { role: 'user', content: stdin } },
    );
  }
}

/** Half of a text is said before a tool is used, where one is. */
async function answer() {
  const text = call.text ?? 'Done.';
  const turns = (past?.length ?? 0) + 1;
  if (call.huge !== undefined) {
    // A result of a tool, which all of them may print; forge prints it as it is.
    const filler = 'x'.repeat(call.huge);
    await print(type === 'forge' ? filler : `${JSON.stringify({ type: 'user', role: 'tool', message: filler })}\n`);
    if (call.huge > 0 && call.text === undefined) return;
  }
  if (type === 'claude-code') await claude(text, turns);
  if (type === 'codex') await codex(text, turns);
  if (type === 'gemini') await gemini(text);
  if (type === 'pi') await pi(text);
  if (type === 'kimi') await kimi(text);
  if (type === 'forge') await print(`\u001b[32m${text}\u001b[0m\n`);
}

async function claude(text, turns) {
  const common = { session_id: session, parent_tool_use_id: null, uuid: 'u' };
  const delta = (part) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } },
    ...common,
  });
  const message = (content) => ({ type: 'assistant', message: { role: 'assistant', content }, ...common });
  if (call.tool) {
    await lines(
      delta('Let me look.'),
      message([{ type: 'text', text: 'Let me look.' }]),
      message([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: call.tool } }]),
      // Of a helper that it has asked.
      { ...message([{ type: 'tool_use', id: 't2', name: 'Read', input: {} }]), parent_tool_use_id: 't1' },
      { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1' }] }, ...common },
    );
  }
  await lines(delta(text), message([{ type: 'text', text }]));
  const usage = { input_tokens: 100, cache_creation_input_tokens: 3, cache_read_input_tokens: 7, output_tokens: 20 };
  const result = argv.includes('--json-schema') && call.structured ? { structured_output: JSON.parse(text) } : {};
  await lines({
    type: 'result',
    subtype: 'success',
    is_error: false,
    num_turns: 1,
    result: text,
    ...result,
    session_id: session,
    total_cost_usd: 0.25 * turns,
    usage,
    modelUsage: {
      'claude-opus-5-5': {
        inputTokens: 100 * turns,
        outputTokens: 20 * turns,
        cacheReadInputTokens: 7 * turns,
        cacheCreationInputTokens: 3 * turns,
        costUSD: 0.25 * turns,
      },
    },
  });
}

async function codex(text, turns) {
  if (call.tool) {
    const item = {
      id: 'item_1',
      type: 'command_execution',
      command: call.tool,
      aggregated_output: '',
      exit_code: null,
    };
    await lines({ type: 'item.started', item }, { type: 'item.completed', item: { ...item, exit_code: 0 } });
  }
  const usage = { input_tokens: 110 * turns, cached_input_tokens: 10, output_tokens: 20 * turns };
  await lines(
    { type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text } },
    { type: 'turn.completed', usage },
  );
}

async function gemini(text) {
  const timestamp = '2026-11-17T23:03:37.314Z';
  const says = (content) => ({ type: 'message', timestamp, role: 'assistant', content, delta: true });
  if (call.tool) {
    await lines(
      says('Let me look.'),
      {
        type: 'tool_use',
        timestamp,
        tool_name: 'run_shell_command',
        tool_id: 't1',
        parameters: { command: call.tool },
      },
      { type: 'tool_result', timestamp, tool_id: 't1', status: 'success', output: '' },
    );
  }
  const half = Math.ceil(text.length / 2);
  const stats = { total_tokens: 130, input_tokens: 110, output_tokens: 20, cached: 0, tool_calls: 0 };
  await lines(says(text.slice(0, half)), says(text.slice(half)), {
    type: 'result',
    timestamp,
    status: 'success',
    stats,
  });
}

async function pi(text) {
  const usage = { input: 100, output: 20, cacheRead: 7, cacheWrite: 3, totalTokens: 130, cost: { total: 0.25 } };
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { total: 0 } };
  const delta = (part) => ({
    type: 'message_update',
    usage: none,
    assistantMessageEvent: { type: 'text_delta', contentIndex: 0, delta: part },
  });
  if (call.tool) {
    const content = [
      { type: 'text', text: 'Let me look.' },
      { type: 'toolCall', id: 't1', name: 'bash', arguments: { command: call.tool } },
    ];
    await lines(
      delta('Let me look.'),
      { type: 'message_end', message: { role: 'assistant', content, usage: none, stopReason: 'toolUse' } },
      { type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: { command: call.tool } },
      { type: 'tool_execution_end', toolCallId: 't1', toolName: 'bash', result: {}, isError: false },
    );
  }
  const content = [{ type: 'text', text }];
  await lines(
    delta(text),
    { type: 'message_end', message: { role: 'assistant', content, usage, stopReason: 'stop' } },
    { type: 'turn_end' },
    { type: 'agent_end', messages: [], willRetry: false },
  );
}

async function kimi(text) {
  if (call.tool) {
    const made = { name: 'Shell', arguments: JSON.stringify({ command: call.tool }) };
    await lines(
      { role: 'assistant', content: 'Let me look.', tool_calls: [{ type: 'function', id: 't1', function: made }] },
      { role: 'tool', tool_call_id: 't1', content: '' },
    );
  }
  await lines({
    role: 'assistant',
    content: [
      { type: 'think', think: 'Hm.' },
      { type: 'text', text },
    ],
  });
}

/** A key that is not taken. */
async function auth() {
  if (type === 'claude-code') {
    await lines({
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      error_status: 401,
      error: 'authentication_failed',
    });
    // It goes on trying.
    return hang();
  }
  const message = 'unexpected status 401 Unauthorized: invalid x-api-key';
  if (type === 'codex') {
    await lines(
      { type: 'error', message: `Reconnecting... 1/5 (${message})` },
      { type: 'turn.failed', error: { message } },
    );
    process.exitCode = 1;
  }
  if (type === 'gemini') {
    process.stderr.write('Please set an Auth method in your settings.json or specify GEMINI_API_KEY\n');
    process.exitCode = 41;
  }
  if (type === 'pi') {
    const said = { role: 'assistant', content: [], stopReason: 'error', errorMessage: `401 ${message}` };
    await lines({ type: 'message_end', message: said });
  }
  if (type === 'kimi') await print("Error code: 401 - {'error': {'message': 'Invalid Authentication'}}\n");
  if (type === 'forge') {
    process.stderr.write('ERROR: 401 Unauthorized\n');
    process.exitCode = 1;
  }
}

/** A conversation that is not there. */
function gone() {
  if (type === 'claude-code') {
    const errors = [`No conversation found with session ID: ${session}`];
    process.stdout.write(
      `${JSON.stringify({ type: 'result', subtype: 'error_during_execution', is_error: true, session_id: session, errors })}\n`,
    );
    process.exitCode = 1;
  } else if (type === 'codex') {
    process.stderr.write(`Error: thread/resume: thread/resume failed: no rollout found for thread id ${session}\n`);
    process.exitCode = 1;
  } else {
    process.stderr.write(`Error resuming session: Invalid session identifier "${session}".\n`);
    process.exitCode = 42;
  }
}
