/** Streams that go wrong: what came is kept, and what is told says whether something came. */
import { describe, expect, test } from 'vitest';
import { openModel } from '../open-model.ts';
import {
  asking,
  env,
  errorOf,
  events,
  listening,
  resolvedFor,
  type Wire,
  wireAnswer,
  wireFetch,
  wires,
} from './wire-test-kit.ts';

const googleError = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, message, status, details },
});

describe('streams that go wrong', () => {
  const overloaded: Record<Wire, object> = {
    openai: {
      type: 'error',
      sequence_number: 3,
      error: { type: 'server_error', code: 'server_error', message: 'Overloaded', param: null },
    },
    anthropic: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    google: googleError(503, 'UNAVAILABLE', 'Overloaded'),
    'openai-compatible': { error: { message: 'Overloaded', type: 'server_error', code: 503 } },
  };

  test.each(wires)('%s: an error before the first word', async (wire) => {
    const error = await errorOf(wire, events(overloaded[wire]));
    expect(error).toMatchObject({
      code: 'model-service',
      retryable: true,
      message: expect.stringContaining('Overloaded'),
    });
    expect(error.begun).toBeUndefined();
  });

  test.each<[string, Wire, object, string, boolean]>([
    [
      'too many requests',
      'openai',
      {
        type: 'error',
        sequence_number: 1,
        error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'slow', param: null },
      },
      'model-rate',
      true,
    ],
    [
      'too long',
      'openai',
      {
        type: 'response.failed',
        sequence_number: 1,
        response: {
          error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
          incomplete_details: null,
        },
      },
      'model-context',
      false,
    ],
    [
      'too many requests',
      'anthropic',
      { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } },
      'model-rate',
      true,
    ],
    [
      'a request that is wrong',
      'anthropic',
      { type: 'error', error: { type: 'invalid_request_error', message: 'bad' } },
      'model-request',
      false,
    ],
    [
      'too long',
      'openai-compatible',
      { error: { code: 400, message: 'maximum context length is 10 tokens' } },
      'model-context',
      false,
    ],
    ['too many requests', 'google', googleError(429, 'RESOURCE_EXHAUSTED', 'slow'), 'model-rate', true],
  ])('an error of its own kind in a stream: %s, %s', async (_, wire, event, code, retryable) => {
    expect(await errorOf(wire, events(event))).toMatchObject({ code, retryable });
  });

  test.each(wires)('%s: an answer as a whole is no stream', async (wire) => {
    const whole = () => Response.json({ id: 'x', choices: [{ message: { role: 'assistant', content: 'hi' } }] });
    expect(await errorOf(wire, whole)).toMatchObject({
      code: 'model-request',
      retryable: false,
      message: expect.stringContaining('as a whole'),
    });
  });

  test.each(wires)('%s: an error after some words', async (wire) => {
    const error = await errorOf(wire, wireAnswer(wire, { text: 'Some words', end: 'none' }) + events(overloaded[wire]));
    expect(error).toMatchObject({ code: 'model-service', retryable: true, begun: true });
  });

  test.each(wires)('%s: something that is no JSON', async (wire) => {
    const error = await errorOf(wire, wireAnswer(wire, { text: 'Some words', end: 'none' }) + events('{"oops'));
    expect(error).toMatchObject({ code: 'model-service', retryable: true, begun: true });
    expect(error.message).toContain('something that cannot be read: {"oops');
  });

  test.each(wires)('%s: a stream without anything', async (wire) => {
    expect(await errorOf(wire, '')).toMatchObject({ code: 'model-connection', retryable: true });
  });

  test.each(wires)('%s: a stream that ends before the answer does keeps what came', async (wire) => {
    const said = {
      text: 'Some words',
      calls: wire === 'google' ? [] : [{ id: 'c', name: 't', args: '{"a":1}' }],
      end: 'none' as const,
    };
    const { fetch } = wireFetch(wireAnswer(wire, said));
    const model = await openModel(resolvedFor(wire), { env, fetch });
    const result = await model.generate(
      asking('hi', { tools: [{ name: 't', description: '', parameters: { type: 'object' } }] }),
      listening(),
    );
    expect(result).toMatchObject({ ok: true, answer: { text: 'Some words', finish: 'cut' } });
    // Nobody may do what an answer that broke off asks for.
    expect(result.ok && result.answer.calls).toBeUndefined();
    expect(result.ok && result.answer.usage.outputTokens).toBeGreaterThan(0);
  });

  test.each(wires)('%s: an answer of nothing', async (wire) => {
    const { fetch } = wireFetch(wireAnswer(wire, { reasoning: 'Hm.' }));
    const model = await openModel(resolvedFor(wire), { env, fetch });
    expect(await model.generate(asking('hi'), listening())).toMatchObject({
      ok: false,
      error: { code: 'model-empty', retryable: true },
      usage: { inputTokens: 11, outputTokens: 7 },
    });
  });

  test('an answer without an end is cut off', async () => {
    const { fetch } = wireFetch(
      () =>
        new Response(
          new ReadableStream({
            pull: (controller) =>
              controller.enqueue(Buffer.from(events({ choices: [{ delta: { content: 'x'.repeat(4_000_000) } }] }))),
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
    );
    const model = await openModel(resolvedFor('openai-compatible'), { env, fetch });
    const result = await model.generate(asking('hi'), { signal: new AbortController().signal, idempotencyKey: 'k' });
    expect(result).toMatchObject({ ok: false, error: { code: 'model-service', retryable: false, begun: true } });
  });

  test('Google gave up on a call that it could not read', async () => {
    const answer = events({ candidates: [{ content: { parts: [] }, finishReason: 'MALFORMED_FUNCTION_CALL' }] });
    expect(await errorOf('google', answer)).toMatchObject({
      code: 'model-service',
      message: expect.stringContaining('MALFORMED_FUNCTION_CALL'),
    });
  });
});
