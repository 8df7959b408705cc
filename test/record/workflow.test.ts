/** Workflows that are recorded on fake services over real connections, and replayed with no key and nobody to ask. */
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../../src/cli/scratch.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { idIn, journalOf } from './kit.ts';

let s: Scratch;
let open: FakeModel[] = [];

beforeEach(() => {
  s = scratch();
  s.write('notes.md', 'Bees dance.\n');
});

afterEach(async () => {
  s.remove();
  await Promise.all(open.map((fake) => fake.close()));
  open = [];
});

const workflow = `name: w
input:
  topic: string
agents:
  dev:
    type: openai
    model: gpt-5
    tools[1]: filesystem/read
  other:
    type: openai
    model: gpt-5
steps[4]:
  - id: look
    agent: dev
    prompt: "Look at notes.md for {input.topic}."
    output: string
    retry:
      maxAttempts: 2
      initialDelay: 1ms
  - kind: parallel
    id: both
    children[2]:
      - id: long
        agent: other
        prompt: "Long words of {look}"
        output: string
      - id: short
        agent: other
        prompt: "Short words of {look}"
        output: string
  - kind: loop
    id: polish
    until: "score.n > 1"
    maxIterations: 3
    children[1]:
      - id: score
        agent: other
        prompt: "Round {loop.iteration}: {long}"
        output:
          n: number
  - id: last
    agent: other
    prompt: "End: {short}"
    output: string
`;

/** By what is asked, so that it does not matter what comes first. */
function answers(): (request: { readonly body: unknown }) => FakeAnswer {
  let fails = 1;
  return ({ body }) => {
    const text = JSON.stringify(body);
    if (text.includes('End:')) return { text: 'The end.\nReally.', usage: { input: 7, output: 3 } };
    if (text.includes('does not fit')) return { text: '{"n":2}' };
    if (/Round 2/.test(text)) return { text: 'two, I think' };
    if (/Round 1/.test(text)) return { reasoning: 'Hm.', text: '{"n":1}' };
    if (text.includes('Long words')) return { text: 'looong' };
    if (text.includes('Short words')) return { text: 'shrt' };
    if (fails-- > 0) return { fails: 'rate' };
    if (text.includes('Bees dance')) return { text: 'They dance.' };
    return { text: 'I look.', calls: [{ tool: 'filesystem__read', args: { path: 'notes.md' }, id: 'call_7' }] };
  };
}

async function record(flags: readonly string[] = ['--record']) {
  const fake = await startFakeModel('openai-responses', { answers: answers() });
  open.push(fake);
  const ran = await s.cli(['run', 'w.toon', '-i', 'topic=bees', ...flags], { env: { USER: 'ana', ...fake.env } });
  return { ...ran, id: idIn(ran.err), fake };
}

async function replay(flags: readonly string[] = [], env: Record<string, string> = {}) {
  const ran = await s.cli(['run', 'w.toon', '-i', 'topic=bees', '--replay', ...flags], {
    env: { USER: 'ana', ...env },
  });
  return { ...ran, id: idIn(ran.err) };
}

describe('a recorded run', () => {
  it('replays with no key and no network, and its journal is the same', async () => {
    s.write('w.toon', workflow);
    const first = await record();
    expect(first).toMatchObject({ code: 0, out: 'The end.\nReally.\n' });
    expect(first.fake.requests).toHaveLength(9);
    expect(first.err).toContain('9 exchanges recorded in w.record.toon');
    const again = await replay();
    expect(again.err).toContain('model: replayed (w.record.toon)');
    expect(again).toMatchObject({ code: 0, out: 'The end.\nReally.\n' });
    expect(journalOf(s, again.id)).toEqual(journalOf(s, first.id));
    expect(first.fake.requests).toHaveLength(9);
    expect(await s.cli(['check', 'w.record.toon'])).toMatchObject({ code: 0 });
  });

  it('is the same file when it is recorded again, in the order of the workflow', async () => {
    s.write('w.toon', workflow);
    // A service is at another port each time, and errors tell where it is.
    const text = (name: string) => s.read(name).replaceAll(/127\.0\.0\.1:\d+/g, 'there');
    await record();
    const written = text('w.record.toon');
    expect(written.match(/(?<= call: ").*(?=")/g)).toEqual([
      'look#1/model#1',
      'look#2/model#1',
      'look#2/model#2',
      'long#1/model#1',
      'short#1/model#1',
      'polish[1]/score#1/model#1',
      'polish[2]/score#1/model#1',
      'polish[2]/score#1/model#2',
      'last#1/model#1',
    ]);
    await record();
    expect(text('w.record.toon')).toBe(written);
    await record(['--record=other.record.toon']);
    expect(text('other.record.toon')).toBe(written);
    expect(written).not.toContain(s.dir);
  });

  it('is missed loudly where one word of a prompt is another', async () => {
    s.write('w.toon', workflow);
    await record();
    s.write('w.toon', workflow.replace('End: {short}', 'Fin: {short}'));
    const missed = await replay();
    expect(missed.code).toBe(1);
    expect(missed.err.replaceAll(/\s+/g, ' ')).toContain(
      'w.record.toon has no answer to what "last" (last#1/model#1) asks now. The nearest recording, last#1/model#1, other, openai/gpt-5 at w.record.toon:'.replaceAll(
        /\s+/g,
        ' ',
      ),
    );
    const step = JSON.parse((await s.cli(['show', '--json', missed.id])).out).run.nodes.at(-1);
    expect(step.error).toMatchObject({ code: 'replay' });
    expect(step.error.message).toMatch(
      /differs at line 3 of the request, in "user", column 1:\n {2}recorded: End: shrt\n {2}now: {6}Fin: shrt\nTo record it again, with the same input: toolang run w.toon --record$/,
    );
  });

  it('keeps what another input was answered, and drops what is not asked any more', async () => {
    s.write('w.toon', workflow);
    await record();
    const first = s.read('w.record.toon');
    const fake = await startFakeModel('openai-responses', { answers: answers() });
    open.push(fake);
    await s.cli(['run', 'w.toon', '-i', 'topic=ants', '--record'], { env: { USER: 'ana', ...fake.env } });
    expect(s.read('w.record.toon')).toContain('replies[18]:');
    expect((await replay()).code).toBe(0);
    s.write('w.toon', workflow.replace('steps[4]', 'steps[3]').replace(/ {2}- id: last.*$/s, ''));
    const shorter = await record();
    expect(shorter.err).toContain('8 exchanges recorded in w.record.toon; 1 that is not asked any more left out');
    expect(s.read('w.record.toon')).toContain('replies[17]:');
    expect(first.split('\n').length).toBeGreaterThan(50);
  });

  it('keeps what was paid where the run fails, and goes on being recorded when it is tried again', async () => {
    s.write('w.toon', workflow);
    let isBroken = true;
    const good = answers();
    const fake = await startFakeModel('openai-responses', {
      answers: (request) =>
        isBroken && JSON.stringify(request.body).includes('End:') ? { fails: 'server' } : good(request),
    });
    open.push(fake);
    const env = { USER: 'ana', ...fake.env };
    const failed = await s.cli(['run', 'w.toon', '-i', 'topic=bees', '--record'], { env });
    expect(failed.code).toBe(1);
    expect(s.read('w.record.toon')).toContain('replies[9]:');
    const again = await replay();
    expect([again.code, journalOf(s, again.id)]).toEqual([1, journalOf(s, idIn(failed.err))]);
    isBroken = false;
    const retried = await s.cli(['retry', idIn(failed.err), '--yes'], { env });
    expect(retried.err).toContain('1 exchange recorded in w.record.toon');
    expect(await replay()).toMatchObject({ code: 0, out: 'The end.\nReally.\n' });
  });

  it('has no secrets in it', async () => {
    s.write('w.toon', workflow.replace('End: {short}', 'End: {short} planted-key-of-openai-responses-0123456789'));
    const ran = await record();
    expect(ran.code).toBe(0);
    const text = s.read('w.record.toon');
    expect(text).not.toContain('planted-key');
    expect(text).toContain('[redacted OPENAI_API_KEY]');
  });
});

describe('bad input', () => {
  it.each([
    [['--replay'], 'the recording cannot be read: "w.record.toon" does not exist'],
    [['--replay', '--record'], '--replay and --record exclude each other'],
    [['--replay', '--script', 'x.script.toon'], '--replay and --script exclude each other'],
    [['--record=w.toon'], 'it is the source itself'],
    [['--record=none/w.record.toon'], 'does not exist'],
    [['--record=w.script.toon'], 'is no place for a recording'],
    [['--replay=bad.record.toon'], 'bad.record.toon:3:5  error TOO7001'],
    [['--replay=plain.record.toon'], 'do not say what was asked'],
    [['--record=bad.record.toon'], 'bad.record.toon:3:5  error TOO7001'],
  ])('%j', async (flags, message) => {
    s.write('w.toon', workflow);
    s.write('bad.record.toon', 'replies[1]:\n  - for: a\n    txt: b\n');
    s.write('plain.record.toon', 'replies[1]:\n  - for: a\n    text: b\n');
    const ran = await s.cli(['run', 'w.toon', '-i', 'topic=bees', ...flags], {
      env: { USER: 'ana', OPENAI_API_KEY: 'sk-planted0123456789' },
    });
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
    expect(existsSync(s.at('.toolang/runs.db')) && (await s.cli(['runs', '--json'])).out).not.toContain('"w"');
  });
});
