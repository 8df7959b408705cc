/** A call on each wire: what is sent, what comes back, and that aborts end the request itself. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { answerMessage, type ModelAnswer, type ModelCall, type ModelMessage, type StreamPart } from '../model.ts';
import { openModel } from '../open-model.ts';
import type { ResolvedModel } from '../resolved.ts';
import {
  asking,
  env,
  listening,
  resolvedFor,
  type Said,
  type Wire,
  wireAnswer,
  wireFetch,
  wires,
} from './wire-test-kit.ts';

const read = {
  name: 'filesystem/read',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  },
};

async function run(wire: Wire, said: Said, call: ModelCall, more: Partial<ResolvedModel> = {}) {
  const { fetch, asked } = wireFetch(wireAnswer(wire, said));
  const warnings: string[] = [];
  const options = { env, fetch, onWarning: (text: string) => void warnings.push(text) };
  const model = await openModel(resolvedFor(wire, more), options);
  const context = listening();
  const result = await model.generate(call, context);
  if (!result.ok) throw new Error(result.error.message);
  return {
    answer: result.answer,
    parts: context.parts,
    asked: asked[0]?.body ?? {},
    headers: asked[0]?.headers ?? {},
    warnings,
  };
}

function join(parts: readonly StreamPart[], kind: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.kind === kind ? part.text : '')).join('');
}

function args(parts: readonly StreamPart[], id: string): string {
  return parts.map((part) => (part.kind === 'args' && part.id === id ? part.text : '')).join('');
}

describe.each(wires)('%s', (wire) => {
  const call = asking('Read it.', { tools: [read] });

  test('an answer with everything in it', async () => {
    const said = {
      reasoning: 'They want the file.',
      text: 'I read it now.',
      calls: [
        { id: 'a1', name: 'filesystem__read', args: '{"path":"a.txt"}' },
        { id: 'a2', name: 'filesystem__read', args: '{"path":"ü 😀.txt"}' },
      ],
    };
    const { answer, parts } = await run(wire, said, call);
    expect(answer).toMatchObject({
      text: 'I read it now.',
      finish: 'calls',
      calls: [
        { id: 'a1', tool: 'filesystem/read', args: { path: 'a.txt' } },
        { id: 'a2', tool: 'filesystem/read', args: { path: 'ü 😀.txt' } },
      ],
      reasoning: [{ text: 'They want the file.' }],
      usage: { inputTokens: 11, outputTokens: 7, cacheReadTokens: 4 },
    });
    expect(answer.usage.cost).toBeCloseTo((11 + 14) / 1e6, 12);
    expect(join(parts, 'text')).toBe('I read it now.');
    expect(join(parts, 'reasoning')).toBe('They want the file.');
    expect(parts.filter(({ kind }) => kind === 'call')).toEqual([
      { kind: 'call', id: 'a1', tool: 'filesystem/read' },
      { kind: 'call', id: 'a2', tool: 'filesystem/read' },
    ]);
    expect(JSON.parse(args(parts, 'a2'))).toEqual({ path: 'ü 😀.txt' });
    expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  });

  test('nobody has to listen', async () => {
    const { fetch } = wireFetch(wireAnswer(wire, { text: 'Hello there.' }));
    const model = await openModel(resolvedFor(wire), { env, fetch });
    const result = await model.generate(asking('hi'), { signal: new AbortController().signal, idempotencyKey: 'k' });
    expect(result).toMatchObject({ ok: true, answer: { text: 'Hello there.', finish: 'stop' } });
  });

  test('an answer that may not be longer, and one that is held back', async () => {
    expect((await run(wire, { text: 'Once upon', end: 'length' }, call)).answer.finish).toBe('length');
    expect((await run(wire, { text: 'Once upon', end: 'filter' }, call)).answer.finish).toBe('filter');
  });

  test('a tool that there is not: the model is told the closest', async () => {
    const { answer } = await run(wire, { calls: [{ id: 'x', name: 'filesystem__reed', args: '{}' }] }, call);
    expect(answer.calls).toEqual([
      expect.objectContaining({
        id: 'x',
        tool: 'filesystem__reed',
        problem: expect.stringContaining('"filesystem__read"'),
      }),
    ]);
  });

  test('a tool of before that is not offered now', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', calls: [{ id: 'old', tool: 'shell/run', args: {} }] },
      { role: 'tool', call: 'old', tool: 'shell/run', content: 'done' },
    ];
    const { answer } = await run(wire, { calls: [{ id: 'n', name: 'shell__run', args: '{}' }] }, { ...call, messages });
    expect(answer.calls?.[0]).toMatchObject({
      tool: 'shell__run',
      problem: expect.stringContaining('there is no tool'),
    });
  });

  test('an id that the conversation has already is made another', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', calls: [{ id: 'call_0', tool: 'filesystem/read', args: { path: 'a' } }] },
      { role: 'tool', call: 'call_0', tool: 'filesystem/read', content: 'A' },
    ];
    const said = { calls: [{ id: 'call_0', name: 'filesystem__read', args: '{"path":"b"}' }] };
    const { answer, parts } = await run(wire, said, { ...call, messages });
    expect(answer.calls?.map(({ id }) => id)).toEqual(['call_0_2']);
    expect(parts[0]).toEqual({ kind: 'call', id: 'call_0_2', tool: 'filesystem/read' });
  });

  test('an answer comes back in the next request as it came', async () => {
    const said = {
      reasoning: 'Hm.',
      text: 'I look.',
      calls: [{ id: 'a1', name: 'filesystem__read', args: '{"path":"a"}' }],
    };
    const first = await run(wire, said, call);
    const messages: ModelMessage[] = [
      { role: 'system', content: 'Be brief.' },
      ...call.messages,
      answerMessage(JSON.parse(JSON.stringify(first.answer)) as ModelAnswer),
      { role: 'tool', call: 'a1', tool: 'filesystem/read', content: 'no such file', isError: true },
    ];
    const { asked, warnings } = await run(wire, { text: 'Sorry.' }, { ...call, messages });
    expect(warnings).toEqual([]);
    expect(asked).toMatchObject(expectedHistory[wire]);
  });

  test('aborting closes the connection, and rejects with the reason', async () => {
    const closed = withResolvers();
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      request.socket.once('close', () => closed.resolve());
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(wireAnswer(wire, { text: 'Once upon a time', end: 'none' }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const model = await openModel(resolvedFor(wire, { endpoint }), { env });
      const abort = new AbortController();
      const reason = new Error('enough');
      const asked = model.generate(call, {
        signal: abort.signal,
        idempotencyKey: 'k',
        onPart: () => abort.abort(reason),
      });
      await expect(asked).rejects.toBe(reason);
      await closed.promise;
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test('aborting a request that never answers', async () => {
    const abort = new AbortController();
    const fetch = () => {
      setImmediate(() => abort.abort('timeout'));
      return new Promise<Response>(() => {});
    };
    const model = await openModel(resolvedFor(wire), { env, fetch });
    await expect(model.generate(call, { signal: abort.signal, idempotencyKey: 'k' })).rejects.toBe('timeout');
  });

  test('a signal that is aborted already asks nobody', async () => {
    const { fetch, asked } = wireFetch();
    const model = await openModel(resolvedFor(wire), { env, fetch });
    await expect(model.generate(call, { signal: AbortSignal.abort('no'), idempotencyKey: 'k' })).rejects.toBe('no');
    expect(asked).toEqual([]);
  });

  test('it is asked once, whatever it answers', async () => {
    const { fetch, asked } = wireFetch(() => new Response('{}', { status: 503 }));
    const model = await openModel(resolvedFor(wire), { env, fetch });
    expect(await model.generate(call, listening())).toMatchObject({ ok: false, error: { retryable: true } });
    expect(asked.length).toBe(1);
  });

  test('the key is read when it is sent, and headers take variables', async () => {
    const variables: Record<string, string> = { ...env, TEAM: 'docs' };
    const { fetch, asked } = wireFetch(wireAnswer(wire, { text: 'a' }), wireAnswer(wire, { text: 'b' }));
    const resolved = resolvedFor(wire, { keyEnv: ['FIRST', 'SECOND'], headers: { 'X-Team': 'team-$TEAM-${TEAM}' } });
    const model = await openModel(resolved, { env: variables, fetch });
    variables.SECOND = 'key-of-second';
    await model.generate(call, listening());
    variables.FIRST = ' key-of-first\n';
    await model.generate(call, listening());
    expect(asked.map(({ headers }) => JSON.stringify(headers).match(/key-of-\w+/)?.[0])).toEqual([
      'key-of-second',
      'key-of-first',
    ]);
    expect(asked[0]?.headers['x-team']).toBe('team-docs-docs');
  });

  test('without a key none is sent, not even that of the environment', async () => {
    const before = process.env[names[wire]];
    process.env[names[wire]] = 'key-of-environment';
    try {
      const { headers } = await run(wire, { text: 'a' }, asking('hi'), { keyEnv: [] });
      expect(Object.keys(headers).sort()).toEqual(
        wire === 'anthropic' ? ['anthropic-version', 'content-type', 'user-agent'] : ['content-type', 'user-agent'],
      );
    } finally {
      if (before === undefined) delete process.env[names[wire]];
      else process.env[names[wire]] = before;
    }
  });
});

const names: Record<Wire, string> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
  'openai-compatible': 'OPENAI_API_KEY',
};

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const expectedHistory: Record<Wire, object> = {
  openai: {
    store: false,
    input: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Read it.' }] },
      { type: 'reasoning', id: 'rs', encrypted_content: 'sealed', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { role: 'assistant', id: 'msg', content: [{ type: 'output_text', text: 'I look.' }] },
      { type: 'function_call', call_id: 'a1', name: 'filesystem__read', arguments: '{"path":"a"}' },
      { type: 'function_call_output', call_id: 'a1', output: 'no such file' },
    ],
  },
  anthropic: {
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Read it.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a1', name: 'filesystem__read', input: { path: 'a' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a1', content: 'no such file', is_error: true }] },
    ],
  },
  google: {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Read it.' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { id: 'a1', name: 'filesystem__read', args: { path: 'a' } }, thoughtSignature: 'sig' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'a1', name: 'filesystem__read' } }] },
    ],
  },
  'openai-compatible': {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Read it.' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'a1', type: 'function', function: { name: 'filesystem__read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: 'a1', content: 'no such file' },
    ],
  },
};

describe('calls that are written badly', () => {
  const call = asking('Read it.', { tools: [read] });
  const one = async (given: string, end?: 'length') => {
    const said = { calls: [{ id: 'x', name: 'filesystem__read', args: given }], ...(end && { end }) };
    return (await run('openai-compatible', said, call)).answer;
  };

  test.each([
    ['{"path": "a', 'no JSON'],
    ['not json', 'no JSON'],
    ['[1]', 'a list'],
    ['"a"', 'a string'],
    ['null', 'null'],
  ])('%s', async (given, words) => {
    const { calls, finish } = await one(given);
    expect(finish).toBe('calls');
    expect(calls).toEqual([{ id: 'x', tool: 'filesystem/read', args: {}, problem: expect.stringContaining(words) }]);
  });

  test('nothing at all stands for no arguments', async () => {
    expect((await one('')).calls).toEqual([{ id: 'x', tool: 'filesystem/read', args: {} }]);
  });

  test('one that the limit of tokens cut off', async () => {
    const { calls, finish } = await one('{"path": "a', 'length');
    expect(finish).toBe('length');
    expect(calls?.[0]?.problem).toContain('ended before the call did');
  });

  test('a name as files write it is understood', async () => {
    const { answer } = await run(
      'openai-compatible',
      { calls: [{ id: 'x', name: 'filesystem/read', args: '{"path":"a"}' }] },
      call,
    );
    expect(answer.calls).toEqual([{ id: 'x', tool: 'filesystem/read', args: { path: 'a' } }]);
  });

  test('ids that are missing or given twice', async () => {
    const chunk = (tool_calls: object[], finish_reason: string | null = null) => ({
      choices: [{ delta: { tool_calls }, finish_reason }],
    });
    const fn = (path: string) => ({ name: 'filesystem__read', arguments: `{"path":"${path}"}` });
    const lines = [
      chunk([{ index: 0, id: 'same', function: fn('a') }]),
      chunk([{ index: 1, id: 'same', function: fn('b') }]),
      chunk([{ index: 2, function: fn('c') }], 'tool_calls'),
    ];
    const body = lines.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('');
    const { fetch } = wireFetch(body);
    const model = await openModel(resolvedFor('openai-compatible'), { env, fetch });
    const result = await model.generate(call, listening());
    const calls = result.ok ? (result.answer.calls ?? []) : [];
    expect(calls.map((each) => each.args.path)).toEqual(['a', 'b', 'c']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });
});

describe('what is asked for', () => {
  const output = {
    type: 'object',
    properties: { title: { type: 'string' } },
    required: ['title'],
    additionalProperties: false,
  };
  const optional = { ...output, required: [] };

  test('the form of an answer: strict where it can be, else not', async () => {
    const format = async (
      schema: object,
      wire: Wire,
      more: Partial<ModelCall> = {},
      resolved: Partial<ResolvedModel> = {},
    ) => (await run(wire, { text: '{"title":"a"}' }, asking('hi', { output: schema, ...more }), resolved)).asked;
    expect(await format(output, 'openai')).toMatchObject({
      text: { format: { type: 'json_schema', strict: true, schema: output } },
    });
    expect(await format(optional, 'openai')).toMatchObject({ text: { format: { strict: false, schema: optional } } });
    expect(await format(output, 'openai', { tools: [read] })).toMatchObject({ text: { format: { strict: true } } });
    const ollama = { provider: 'ollama' };
    expect(await format(optional, 'openai-compatible', {}, ollama)).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { strict: false, schema: optional } },
    });
    expect(await format(output, 'openai-compatible')).not.toHaveProperty('response_format');
    expect(await format(output, 'openai-compatible', { tools: [read] }, ollama)).not.toHaveProperty('response_format');
    expect(await format(output, 'google')).toMatchObject({
      generationConfig: { responseMimeType: 'application/json' },
    });
    expect((await format(output, 'google', { tools: [read] })).generationConfig).not.toHaveProperty('responseMimeType');
    expect(await format(output, 'anthropic', {}, { id: 'claude-sonnet-4-5' })).toMatchObject({
      output_config: { format: { type: 'json_schema' } },
    });
  });

  test('tools of OpenAI say whether they are strict', async () => {
    const loose = {
      ...read,
      name: 'a/b',
      parameters: { type: 'object', properties: { x: { type: 'string', pattern: 'a' } } },
    };
    const { asked } = await run(
      'openai',
      { text: 'a' },
      asking('hi', { tools: [read, loose], toolChoice: 'required' }),
    );
    expect(asked).toMatchObject({
      tool_choice: 'required',
      tools: [{ strict: true }, { name: 'a__b', strict: false }],
    });
  });

  test('settings', async () => {
    const settings = { temperature: 0.5, maxTokens: 77 };
    expect((await run('anthropic', { text: 'a' }, asking('hi', { settings }))).asked).toMatchObject({
      temperature: 0.5,
      max_tokens: 77,
    });
    const { info: _, ...unknown } = resolvedFor('openai-compatible');
    const { fetch, asked } = wireFetch(wireAnswer('openai-compatible', { text: 'a' }));
    await (await openModel(unknown, { env, fetch })).generate(asking('hi'), listening());
    expect(asked[0]?.body).not.toHaveProperty('max_tokens');
  });

  test('what a model does not take is told', async () => {
    const { warnings, asked } = await run('openai', { text: 'a' }, asking('hi', { settings: { temperature: 1 } }), {
      id: 'gpt-5',
    });
    expect(warnings).toEqual([expect.stringContaining('temperature')]);
    expect(asked).not.toHaveProperty('temperature');
    expect(asked).toMatchObject({ include: ['reasoning.encrypted_content'] });
  });

  test('addresses: those of providers, hosts alone, paths', async () => {
    const urls = async (provider: string, endpoint?: string) => {
      const wire =
        (['openai', 'anthropic', 'google'] as const).find((each) => each === provider) ?? 'openai-compatible';
      const { fetch, asked } = wireFetch(wireAnswer(wire, { text: 'a' }));
      const { endpoint: _, ...resolved } = resolvedFor(wire, { provider });
      await (await openModel({ ...resolved, ...(endpoint && { endpoint }) }, { env, fetch })).generate(
        asking('hi'),
        listening(),
      );
      return asked[0]?.url;
    };
    expect(await urls('openai')).toBe('https://api.openai.com/v1/responses');
    expect(await urls('anthropic')).toBe('https://api.anthropic.com/v1/messages');
    expect(await urls('google')).toBe(
      'https://generativelanguage.googleapis.com/v1beta/models/m-1:streamGenerateContent?alt=sse',
    );
    expect(await urls('openrouter')).toBe('https://openrouter.ai/api/v1/chat/completions');
    expect(await urls('deepseek')).toBe('https://api.deepseek.com/chat/completions');
    expect(await urls('ollama')).toBe('http://127.0.0.1:11434/v1/chat/completions');
    expect(await urls('llamacpp', 'http://10.0.0.7:8081/')).toBe('http://10.0.0.7:8081/v1/chat/completions');
    expect(await urls('anthropic', 'http://127.0.0.1:7')).toBe('http://127.0.0.1:7/v1/messages');
    expect(await urls('openai-compatible', 'https://x.example/a/b/?v=2')).toBe(
      'https://x.example/a/b/chat/completions?v=2',
    );
  });
});
