// What a call of a model costs beyond what the package of its provider does: `node bench/model.mjs`.
// Both ask the same fetch, which answers in this process; they take turns, and the lower quartiles are compared.
import { bundle, load } from './bundle.mjs';
import { cpu, quartile, tableOf, verdict } from './measure.mjs';

/** @typedef {typeof import('./model-api.ts')} Api */
/** @typedef {import('../src/model/index.ts').ModelCall} ModelCall */

/** Milliseconds of processor time for each call. */
const goal = 2;
const rounds = 24;
/** Calls in a round: the clock of a process is not finer than a call. */
const calls = 20;

/** @type {Api} */
const api = await load(await bundle('model', 'bench/model-api.ts'));

const tools = Array.from({ length: 12 }, (_, index) => ({
  name: `set${index % 3}/tool_${index}`,
  description: 'Does what it says, with a path and a text, as tools do.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'A path.' }, content: { type: 'string' } },
    required: ['path', 'content'],
    additionalProperties: false,
  },
}));

const words = 'A sentence of an answer, about as long as they are. ';
const answer = {
  text: words.repeat(40),
  calls: [{ id: 'call_9', name: 'set0__tool_0', args: JSON.stringify({ path: 'a.md', content: words.repeat(10) }) }],
};

/** @type {ModelCall} */
const call = {
  messages: [
    { role: 'system', content: words.repeat(20) },
    ...Array.from({ length: 10 }, (_, index) => [
      { role: /** @type {const} */ ('user'), content: words.repeat(5) },
      {
        role: /** @type {const} */ ('assistant'),
        content: words,
        calls: [{ id: `call_${index}`, tool: 'set0/tool_0', args: { path: 'a.md', content: words } }],
      },
      { role: /** @type {const} */ ('tool'), call: `call_${index}`, tool: 'set0/tool_0', content: words.repeat(20) },
    ]).flat(),
  ],
  tools,
  settings: {},
};

let failed = 0;
const rows = [];
for (const wire of /** @type {const} */ (['openai', 'anthropic', 'openai-compatible'])) {
  const body = api.wireAnswer(wire, answer);
  const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const { ours, bare } = await measure(wire, fetch);
  const beyond = ours - bare;
  const { text, gross } = verdict(Math.max(beyond, 0.001), goal, 'most');
  if (gross) failed++;
  rows.push([wire, `${bare.toFixed(2)} ms`, `${ours.toFixed(2)} ms`, `${beyond.toFixed(2)} ms`, text]);
}
console.log(`a call with ${call.messages.length} messages and ${tools.length} tools, on Node ${process.versions.node}`);
console.log(tableOf([['', 'the package', 'ours', 'beyond it', `at most ${goal} ms`], ...rows]));
if (failed > 0) process.exitCode = 1;

/**
 * @param {'openai' | 'anthropic' | 'openai-compatible'} wire
 * @param {typeof globalThis.fetch} fetch
 */
async function measure(wire, fetch) {
  const baseURL = 'http://127.0.0.1:9/v1';
  const bareModel = {
    openai: () => api.createOpenAI({ baseURL, apiKey: 'k', fetch }).responses('m'),
    anthropic: () => api.createAnthropic({ baseURL, apiKey: 'k', fetch }).messages('m'),
    'openai-compatible': () =>
      api.createOpenAICompatible({ name: 'm', baseURL, apiKey: 'k', fetch, includeUsage: true }).chatModel('m'),
  }[wire];
  const model = await api.openModel(
    { ref: `${wire}/m`, provider: wire, id: 'm', endpoint: baseURL, keyEnv: ['K'], tools: 'native' },
    { env: { K: 'k' }, fetch },
  );
  const request = bareRequest();

  const runBare = async () => {
    const { stream } = await bareModel().doStream({ ...request });
    const reader = stream.getReader();
    let parts = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) parts++;
    return parts;
  };
  const runOurs = async () => {
    let parts = 0;
    const signal = new AbortController().signal;
    const result = await model.generate(call, { signal, idempotencyKey: 'k', onPart: () => void parts++ });
    if (!result.ok || result.answer.calls?.length !== 1) throw new Error(JSON.stringify(result).slice(0, 500));
    return parts;
  };
  /** @type {{ ours: number[], bare: number[] }} */
  const times = { ours: [], bare: [] };
  for (let round = 0; round < rounds; round++) {
    times.bare.push(await timeOf(runBare));
    times.ours.push(await timeOf(runOurs));
  }
  // The first ones are for the compiler.
  return { ours: quartile(times.ours.slice(4)), bare: quartile(times.bare.slice(4)) };
}

/** @param {() => Promise<unknown>} work */
async function timeOf(work) {
  const start = cpu();
  for (let i = 0; i < calls; i++) await work();
  return (cpu() - start) / calls;
}

/**
 * The call as the packages take it, made beforehand: to make it is part of ours.
 * @returns {import('@ai-sdk/provider').LanguageModelV3CallOptions}
 */
function bareRequest() {
  const wireName = (/** @type {string} */ name) => name.replace('/', '__');
  return {
    prompt: call.messages.map((message) => {
      switch (message.role) {
        case 'system':
          return { role: 'system', content: message.content };
        case 'user':
          return { role: 'user', content: [{ type: 'text', text: String(message.content) }] };
        case 'assistant':
          return {
            role: 'assistant',
            content: [
              { type: 'text', text: message.content },
              ...(message.calls ?? []).map(({ id, tool, args }) => ({
                type: /** @type {const} */ ('tool-call'),
                toolCallId: id,
                toolName: wireName(tool),
                input: args,
              })),
            ],
          };
      }
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.call,
            toolName: wireName(message.tool),
            output: { type: 'text', value: message.content },
          },
        ],
      };
    }),
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name: wireName(name),
      description,
      inputSchema: /** @type {import('@ai-sdk/provider').JSONSchema7} */ (parameters),
    })),
    toolChoice: { type: 'auto' },
  };
}
