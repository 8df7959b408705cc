// An MCP server over standard input and output, without any package: one JSON-RPC message a line.
// It speaks both eras of the protocol: the newer one, which begins with "server/discover" and is told the version with each
// call, and the older one, which begins with "initialize".
import { createInterface } from 'node:readline';

const stock = { bell: 7, saddle: 3 };

const item = { type: 'string', description: `One of ${Object.keys(stock).join(', ')}.` };
const tools = [
  {
    name: 'count',
    description: 'How many pieces of an item there are.',
    inputSchema: { type: 'object', properties: { item }, required: ['item'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'reserve',
    description: 'Sets pieces of an item aside for a customer.',
    inputSchema: {
      type: 'object',
      properties: { item, pieces: { type: 'integer', minimum: 1 } },
      required: ['item', 'pieces'],
    },
  },
];

const about = { name: 'stock', version: '1.0.0' };
/** Of the newer era: every answer says that it is whole, and lists say how long they hold. */
const whole = { resultType: 'complete' };

const methods = {
  'server/discover': () => ({
    ...whole,
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    serverInfo: about,
    ttlMs: 0,
    cacheScope: 'private',
  }),
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: about }),
  ping: () => ({}),
  'tools/list': () => ({ ...whole, tools, ttlMs: 0, cacheScope: 'private' }),
  'tools/call': ({ name, arguments: args = {} }) => ({ ...whole, ...call(name, args) }),
};

/** What is wrong with a call is told to the model, which may mend it. */
function call(name, { item, pieces }) {
  const said = (text, isError = false) => ({ content: [{ type: 'text', text }], isError });
  if (!Object.hasOwn(stock, item)) return said(`There is no "${item}" here.`, true);
  if (name === 'count') return said(`${item}: ${stock[item]}`);
  if (name !== 'reserve') return said(`There is no tool "${name}".`, true);
  if (stock[item] < pieces) return said(`There are only ${stock[item]}.`, true);
  stock[item] -= pieces;
  return said(`reserved ${pieces}, ${stock[item]} left`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  // What has no id is news, and wants no answer.
  if (id === undefined) return;
  const answer = Object.hasOwn(methods, method)
    ? { result: methods[method](params) }
    : { error: { code: -32601, message: `There is no method "${method}".` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
