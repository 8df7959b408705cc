// Streams the same file body through the parsers of @ai-sdk-tool/parser and through ours, at growing sizes:
// `npm install --prefix bench/peers && node bench/peers/calls.mjs`. Each reads the form of call that is its own.
import { bundle, load } from '../bundle.mjs';
import { tableOf } from '../measure.mjs';

/** @typedef {typeof import('../../src/calls/index.ts')} Calls */

const kilobytes = [20, 40, 80, 160];
const chunkSize = 30;
/** Slower than this, a parser is not asked for more. */
const patienceMs = 30_000;

const peer = await import('@ai-sdk-tool/parser').catch(() => undefined);
if (peer === undefined) {
  console.log('SKIPPED: @ai-sdk-tool/parser is not installed; npm install --prefix bench/peers');
  process.exit(0);
}

/** @type {Calls} */
const calls = await load(await bundle('calls', 'src/calls/index.ts'));

const tool = {
  type: 'function',
  name: 'write_file',
  description: 'Write a file.',
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
};
const plan = calls.planTool({ name: tool.name, parameters: tool.inputSchema });

const peers = {
  hermes: peer.hermesProtocol(),
  'morph XML': peer.morphXmlProtocol(),
  'YAML in XML': peer.yamlXmlProtocol(),
  'Qwen3 coder': peer.qwen3CoderProtocol(),
};

/** @type {string[][]} */
const rows = [['', ...kilobytes.map((size) => `${size} KB`), 'growth of the last step']];
rows.push(['toolang/calls', ...(await timesOf(async (args) => ours(calls.writeCall(args, plan))))]);
for (const [name, protocol] of Object.entries(peers)) {
  rows.push([name, ...(await timesOf((args) => theirs(protocol, args)))]);
}
console.log(
  `one call with a body of this size, in chunks of ${chunkSize} characters, on Node ${process.versions.node}`,
);
console.log(`(linear is a growth of 2; wrong: the arguments that came out are not those that went in)`);
console.log(tableOf(rows));

/**
 * @param {(args: { path: string, content: string }) => Promise<unknown>} read gives the arguments back
 * @returns {Promise<string[]>}
 */
async function timesOf(read) {
  // What runs for the first time is compiled first.
  for (const end = performance.now() + 1000; performance.now() < end; )
    await read({ path: 'a', content: bodyOf(4000) });
  /** @type {string[]} */
  const cells = [];
  /** @type {number[]} */
  const times = [];
  for (const size of kilobytes) {
    if ((times.at(-1) ?? 0) * 4 > patienceMs) {
      cells.push('not tried');
      continue;
    }
    const args = { path: 'notes.txt', content: bodyOf(size * 1024) };
    const start = performance.now();
    const found = await read(args);
    const time = performance.now() - start;
    times.push(time);
    const isRight = JSON.stringify(found) === JSON.stringify(args);
    cells.push(`${time < 100 ? time.toFixed(1) : Math.round(time)} ms${isRight ? '' : ' wrong'}`);
  }
  const [before = 0, last = 0] = times.slice(-2);
  return [...cells, (last / before).toFixed(1)];
}

/** @param {string} text */
async function ours(text) {
  const scanner = calls.createScanner();
  const deltas = calls.partialArgs(plan);
  let json = '';
  /** @param {ReturnType<typeof scanner.push>} events */
  const take = (events) => {
    for (const event of events) {
      if (event.type === 'call-start') json += deltas.start(event.rawArgs);
      else if (event.type === 'body') json += deltas.body(event.text);
      else if (event.type === 'call-end') json += deltas.end();
    }
  };
  for (const chunk of chunksOf(text)) take(scanner.push(chunk));
  take(scanner.finish());
  return JSON.parse(json);
}

/**
 * @param {typeof peers.hermes} protocol
 * @param {object} args
 */
async function theirs(protocol, args) {
  const input = JSON.stringify(args);
  const text = protocol.formatToolCall({ type: 'tool-call', toolCallId: '1', toolName: tool.name, input });
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'text-start', id: '1' });
      for (const delta of chunksOf(text)) controller.enqueue({ type: 'text-delta', id: '1', delta });
      controller.enqueue({ type: 'text-end', id: '1' });
      controller.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} });
      controller.close();
    },
  });
  /** @type {unknown} */
  let found;
  for await (const part of source.pipeThrough(protocol.createStreamParser({ tools: [tool] }))) {
    if (part.type === 'tool-call') found = JSON.parse(part.input);
  }
  return found;
}

/** @param {number} length */
function bodyOf(length) {
  const line = 'const value = lookup("key", { deep: [1, 2, 3] }); // a line of a file\n';
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}

/** @param {string} text */
function chunksOf(text) {
  const list = [];
  for (let at = 0; at < text.length; at += chunkSize) list.push(text.slice(at, at + chunkSize));
  return list;
}
