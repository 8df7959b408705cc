/** Thunks in processes of their own, with models over real connections: killed, limited, cancelled, spoken to. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts. In small: thunk-ends.test.ts.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { post } from '../../src/run/runs.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { createPlace, type Place, until } from './kit.ts';

const countingFile = fileURLToPath(new URL('../fake-services/counting.mjs', import.meta.url));

/** Who asks, and how many results it has: what an answer depends on. */
interface Asked {
  readonly thunk: string;
  readonly results: number;
  readonly text: string;
}

type Answers = (asked: Asked) => FakeAnswer;

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

let models: FakeModel[] = [];
afterEach(async () => {
  await Promise.all(models.map((each) => each.close()));
  models = [];
});

async function model(answers: Answers): Promise<FakeModel & { readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const fake = await startFakeModel('openai-chat', {
    answers({ text }) {
      const thunk = /You are \\"(\w+)\\"/.exec(text)?.[1] ?? '';
      const each = { thunk, results: text.split('"role":"tool"').length - 1, text };
      asked.push(each);
      return answers(each);
    },
  });
  models.push(fake);
  return { ...fake, asked };
}

/** Ten dollars for a million tokens of an answer, of which there are at most 16,384: no call costs more than 17 cents. */
const config = (url: string, more = '') =>
  `[models.aliases.lab]\nref = "gpt-4.1"\nendpoint = "${url}"\nkey_env = "LAB_KEY"\ntools = "native"\nprice_in = 0\nprice_out = 10\n${more}`;

function place(fake: FakeModel, agent: string, more = ''): Place {
  const w = createPlace(() => ({ LAB_KEY: fake.key }));
  onTestFinished(() => w.leave());
  w.write('.toolang/config.toml', config(fake.url, more));
  w.write('work.too', agent.replaceAll('NODE', `'${process.execPath}' '${countingFile}' '${w.dir}'`));
  return w;
}

const agent = `##! Works.

service counting:
  description = Counts.
  transport = stdio
  target = NODE

thunk(input: Message) -> Text:
  models = lab
  services = counting
  tools = shell
  hands = look
  recall = none

thunk look(topic: Text) -> Text:
  models = lab
  services = counting
  tools = shell
  recall = none
  user:
    Look up {{topic}}.
`;

const mark = (text: string, more: object = {}) => ({ tool: 'counting__mark', args: { text, ...more } });
const look = (topic: string) => ({ tool: 'look', args: { topic } });
const marks = (w: Place) => readFileSync(w.at('marks.txt'), 'utf8').trim().split('\n');
const marked = (w: Place, text: string) => () => {
  try {
    return marks(w).includes(text);
  } catch {
    return false;
  }
};
const count = <T>(items: readonly T[], by: (item: T) => string) => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[by(item)] = (counts[by(item)] ?? 0) + 1;
  return counts;
};
const name = ({ thunk, results }: Asked) => `${thunk} ${results}`;
const eventsOf = (w: Place) => {
  const store = w.store();
  const [run] = store.runs({ roots: true });
  return [...store.events(run?.id ?? '')];
};

describe('killed with SIGKILL', () => {
  test('in the middle of a tool loop: what was done is not paid or done again', async () => {
    const fake = await model(({ results }) =>
      results < 3 ? { calls: [mark(`m${results}`, results === 2 ? { until: 'go' } : {})] } : { text: 'Done.' },
    );
    const w = place(fake, agent);
    const running = w.start('work.too', 'Go.');
    await until(marked(w, 'm2'), 'the third call');
    const id = await running.id();
    running.kill('SIGKILL');
    await running.exit;
    w.write('go', '');
    expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(count(fake.asked, name)).toEqual({ 'default 0': 1, 'default 1': 1, 'default 2': 1, 'default 3': 1 });
    // What was being done may be done again.
    expect(marks(w)).toEqual(['m0', 'm1', 'm2', 'm2']);
  });

  test('inside of a hand, in the middle of a call of its model: only that one is made again', async () => {
    const { promise: wait, resolve: release } = withResolvers();
    let isHeld = true;
    const fake = await model(({ thunk, results }) => {
      if (thunk === 'default') {
        return results === 0
          ? { calls: [mark('first')] }
          : results === 1
            ? { calls: [look('tea'), look('milk')] }
            : { text: 'Done.' };
      }
      if (results === 0) return { calls: [mark('look')] };
      return { text: 'Found.', ...(isHeld && { wait }) };
    });
    onTestFinished(() => release());
    const w = place(fake, agent);
    const running = w.start('work.too', 'Go.');
    await until(
      () => fake.asked.filter((each) => name(each) === 'look 1').length === 2,
      'the second calls of the hands',
    );
    const id = await running.id();
    running.kill('SIGKILL');
    await running.exit;
    isHeld = false;
    expect(await w.finish('resume', id)).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(count(fake.asked, name)).toEqual({
      'default 0': 1,
      'default 1': 1,
      'look 0': 2,
      'look 1': 4,
      'default 3': 1,
    });
    expect(count(marks(w), (each) => each)).toEqual({ first: 1, look: 2 });
  });
});

describe('a limit of $0.50 with eight hands beside each other', () => {
  /** Each hand costs ten cents, the others nothing. */
  const eight: Answers = ({ thunk, results }) => {
    if (thunk === 'look') return { text: 'Found.', usage: { input: 10, output: 10_000 } };
    const usage = { input: 10, output: 0 };
    if (results > 0) return { text: 'Done.', usage };
    return { calls: Array.from({ length: 8 }, (_, at) => look(`topic ${at}`)), usage };
  };
  const limited = '[limits]\nusd = 0.50\n';
  const spentIn = (w: Place) =>
    eventsOf(w).reduce((sum, { body }) => sum + (body.kind === 'model.answered' ? (body.usage.cost ?? 0) : 0), 0);
  const questions = (w: Place) => eventsOf(w).filter(({ body }) => body.kind === 'limit.reached').length;

  async function reached() {
    const fake = await model(eight);
    const w = place(fake, agent, limited);
    const running = w.start('work.too', 'Go.');
    const ran = await running.exit;
    expect(ran.code, ran.err).toBe(4);
    expect(spentIn(w)).toBeLessThanOrEqual(0.5);
    expect(spentIn(w)).toBeGreaterThanOrEqual(0.3);
    expect(questions(w)).toBe(1);
    return { fake, w, id: await running.id() };
  }

  test('is never passed and asks once; with more it goes on, and nothing is paid twice', async () => {
    const { fake, w, id } = await reached();
    // Nobody has said anything: it still waits, and asks nothing new.
    expect((await w.finish('resume', id)).code).toBe(4);
    expect(questions(w)).toBe(1);
    const asked = fake.asked.length;
    expect(await w.finish('answer', id, '--add', '1.00')).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(fake.asked.filter(({ thunk }) => thunk === 'look')).toHaveLength(8);
    expect(fake.asked).toHaveLength(10);
    expect(asked).toBeLessThan(10);
    expect(questions(w)).toBe(1);
    expect(spentIn(w)).toBeCloseTo(0.8, 6);
  });

  test('denied, each that waits has a typed result, and the run ends with it', async () => {
    const { fake, w, id } = await reached();
    const asked = fake.asked.length;
    const denied = await w.finish('answer', id, '--no');
    expect(denied.code).toBe(1);
    expect(denied.err).toContain('no more may be spent');
    expect(fake.asked).toHaveLength(asked);
    const failed = eventsOf(w).flatMap(({ body }) => (body.kind === 'model.failed' ? [body.error.code] : []));
    expect(failed).toEqual(Array.from({ length: 8 - (asked - 1) }, () => 'limit'));
    const show = JSON.parse((await w.finish('show', '--json', id)).out);
    expect(show.run.status).toBe('failed');
    // What was done is kept for who tries again with more.
    w.write('.toolang/config.toml', config(fake.url, '[limits]\nusd = 5\n'));
    expect(await w.finish('retry', '--yes', id)).toMatchObject({ code: 0, out: 'Done.\n' });
    expect(fake.asked.filter(({ thunk }) => thunk === 'look')).toHaveLength(8);
  });
});

describe('a conversation of 200 turns', () => {
  test('grows the store by what is said, and needs no more memory than that', async () => {
    const turns = 200;
    // If each call kept all that was said before it, that were a gigabyte.
    const w = createPlace(() => ({ NODE_OPTIONS: '--max-old-space-size=160' }));
    onTestFinished(() => w.leave());
    w.write('page.txt', 'x'.repeat(40_000));
    w.write('work.too', 'thunk(input: Message) -> Text:\n  tools = filesystem\n  recall = none\n');
    const read =
      '  - for: default\n    calls[1]:\n      - tool: filesystem/read\n        args:\n          path: page.txt\n';
    w.write('work.script.toon', `replies[${turns + 1}]:\n${read.repeat(turns)}  - for: default\n    text: Done.\n`);
    const ran = await w.finish('work.too', 'Go.');
    expect(ran, ran.err).toMatchObject({ code: 0, out: 'Done.\n' });
    const sizes = [0, 0];
    const told: string[] = [];
    let calls = 0;
    for (const event of eventsOf(w)) {
      if (event.body.kind === 'model.asked') {
        calls++;
        told.push(...event.body.add);
      }
      const half = calls <= turns / 2 ? 0 : 1;
      if (calls > 0 && calls <= turns) sizes[half] = (sizes[half] ?? 0) + JSON.stringify(event).length;
    }
    const [first = 0, second = 0] = sizes;
    expect(second / first).toBeLessThan(1.2);
    expect(new Set(told).size).toBe(told.length);
  });
});

describe('a cancel from another process', () => {
  test.skipIf(process.platform !== 'linux')(
    'aborts requests, and ends what tools have started with their groups',
    async () => {
      const fake = await model(({ thunk, results, text }) => {
        if (thunk === 'default') return { calls: [look('slow'), look('sleepy')] };
        if (text.includes('Look up slow'))
          return { text: 'A word and another', chunk: 4, breaks: { after: 2, by: 'stall' } };
        return results === 0
          ? { calls: [{ tool: 'shell__run', args: { command: 'echo here > begun; sleep 300 & sleep 300' } }] }
          : { text: 'No.' };
      });
      const w = place(fake, agent);
      const running = w.start('work.too', 'Go.');
      await until(() => fake.asked.length === 3, 'the calls of the hands');
      await until(() => w.processes().filter((each) => each.includes('sleep 300')).length >= 2, 'what the tool starts');
      const id = await running.id();
      const slow = fake.requests.find(({ text }) => text.includes('Look up slow'));
      const cancelled = w.start('cancel', id, '--reason', 'enough');
      expect((await running.exit).code).not.toBe(0);
      expect((await cancelled.exit).code).toBeDefined();
      expect(await slow?.ended).toBe('left');
      expect(w.processes()).toEqual([]);
      const store = w.store();
      expect(store.runs({ roots: true })[0]).toMatchObject({ status: 'cancelled' });
      // Nobody was asked anything after it.
      expect(fake.asked).toHaveLength(3);
    },
  );
});

describe('somebody who speaks from another process', () => {
  test('is heard with the next call, once', async () => {
    const fake = await model(({ results }) =>
      results === 0
        ? { calls: [mark('one', { until: 'go' })] }
        : results === 1
          ? { calls: [mark('two')] }
          : { text: 'Done.' },
    );
    const w = place(fake, agent);
    const running = w.start('work.too', 'Go.');
    await until(marked(w, 'one'), 'the first call');
    const store = w.store();
    const [run] = store.runs({ roots: true });
    post(store, run?.id ?? '', { at: Date.now(), by: 'ann', message: { kind: 'steer', message: 'Look at the door.' } });
    await until(() => eventsOf(w).some(({ body }) => body.kind === 'run.steered'), 'the word in the journal');
    w.write('go', '');
    expect(await running.exit).toMatchObject({ code: 0, out: 'Done.\n' });
    const heard = fake.asked.map(({ text }) => text.split('Look at the door.').length - 1);
    expect(heard).toEqual([0, 1, 1]);
  });
});
