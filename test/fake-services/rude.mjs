/** Servers that do not behave: `node rude.mjs KIND`. Lines by hand, because the SDK would not write them. */
import { createInterface } from 'node:readline';

const [, , kind] = process.argv;
/** @param {unknown} message */
const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
/** @param {number | string} id @param {unknown} result */
const answer = (id, result) => say({ jsonrpc: '2.0', id, result });
const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];

if (kind === 'broken') {
  process.stderr.write('cannot find the module "left-pad"\n');
  process.exit(7);
}
if (kind === 'stubborn') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => undefined);
if (kind === 'stubborn') setInterval(() => undefined, 1000);
if (kind === 'noisy') process.stdout.write('Server listening\n[info] {"level":"info"}\n{broken json\n\n');

let lists = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (kind === 'silent') return;
  if (method === 'server/discover') {
    // Some servers end when they are asked what they do not know.
    if (kind === 'strict') process.exit(1);
    if (kind === 'mute') return;
    if (kind === 'asking') {
      answer(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
    } else say({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  } else if (method === 'initialize') {
    answer(id, {
      protocolVersion: '2025-06-18',
      capabilities: kind === 'toolless' ? {} : { tools: { listChanged: true } },
      serverInfo: { name: kind, version: '1' },
    });
  } else if (method === 'tools/list') {
    lists++;
    if (kind === 'endless') answer(id, { tools: [{ ...tools[0], name: `echo${lists}` }], nextCursor: `page${lists}` });
    else if (kind === 'circle') answer(id, { tools: [{ ...tools[0], name: `echo${lists}` }], nextCursor: 'same' });
    else if (kind === 'restless') {
      say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      answer(id, { tools });
    } else if (kind === 'many') {
      answer(id, { tools: Array.from({ length: 5000 }, (_, i) => ({ ...tools[0], name: `tool${i}` })) });
    } else if (kind === 'odd') answer(id, { tools: oddTools() });
    else if (kind === 'wrong') answer(id, { tools: 'none' });
    else answer(id, { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools });
  } else if (method === 'tools/call') {
    if (kind === 'noisy') process.stdout.write('calling…\n');
    if (kind === 'leaky') {
      const { TOKEN, ...rest } = process.env;
      process.stderr.write(`token is ${TOKEN}\n`);
      if (params.arguments.die) process.exit(1);
      say({ jsonrpc: '2.0', id, error: { code: -32000, message: `bad token ${TOKEN}, ${Object.keys(rest).length}` } });
    } else if (kind === 'asking') {
      const sure = { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema: { type: 'object' } } };
      answer(id, { resultType: 'input_required', inputRequests: { sure }, requestState: 'x' });
    } else if (kind === 'refusing') say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no such thing' } });
    else answer(id, { content: [{ type: 'text', text: `${process.pid}` }] });
  }
});

function oddTools() {
  const deep = JSON.parse(`${'{"properties":{"a":'.repeat(40)}{}${'}}'.repeat(40)}`);
  return [
    { name: 'plain', inputSchema: { type: 'object' } },
    { name: 'plain', description: 'again', inputSchema: { type: 'object' } },
    { name: 'weird name/with "things" ü😀', inputSchema: { type: 'object' } },
    { name: '', inputSchema: { type: 'object' } },
    { name: 'two\nlines', inputSchema: { type: 'object' } },
    { name: 'x'.repeat(200), inputSchema: { type: 'object' } },
    { name: 'wordy', description: 'w'.repeat(100_000), inputSchema: { type: 'object' } },
    { name: 'deep', inputSchema: { type: 'object', ...deep } },
    { name: 'big', inputSchema: { type: 'object', description: 'b'.repeat(100_000) } },
  ];
}
