/** What `run` refuses: options, answers and functions that cannot be meant so. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Schema } from 'effect';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../journal/index.ts';
import { ToolangError } from '../../text/index.ts';
import { approval, component, type RunOptions, run, runIdOf, step, workflow } from '../workflow.ts';

let dir: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-options-')));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const store = () => join(dir, 'runs.db');

async function refusal(running: Promise<unknown>): Promise<string> {
  const error = await running.then(
    (value) => value,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ToolangError)) throw new Error(`no ToolangError: ${String(error)}`);
  return `${error.code} ${error.message}`;
}

const one = () => workflow({ name: 'one', steps: () => [step('s', { run: () => 1, output: Schema.Number })] });
const asking = () =>
  workflow({
    name: 'asking',
    steps: () => {
      const ok = approval('ok', { request: { title: 'Go on?' } });
      return [ok, step('last', { run: ({ read }) => read(ok).approved, output: Schema.Boolean })];
    },
  });

describe('an option', () => {
  it.each<[unknown, string]>([
    [null, '"run" takes its options as an object, not null'],
    [[], '"run" takes its options as an object, not a list'],
    ['runs.db', '"run" takes its options as an object, not the string "runs.db"'],
    [{ limits: { usdd: 1 } }, 'unknown limit "usdd". Did you mean "usd"?'],
    [{ limits: { usd: -1 } }, 'the limit "usd" takes a number from 0 on, not the number -1'],
    [{ limits: { minutes: Number.NaN } }, 'the limit "minutes" takes a number from 0 on, not NaN'],
    [{ limits: { usd: Number.POSITIVE_INFINITY } }, 'the limit "usd" takes a number from 0 on, not Infinity'],
    [{ limits: { usd: '1' } }, 'the limit "usd" takes a number from 0 on, not the string "1"'],
    [{ limits: { tokens: 1.5 } }, 'the limit "tokens" takes a whole number from 0 on, not the number 1.5'],
    [{ limits: 5 }, 'the option "limits" takes an object, not the number 5'],
    [{ signal: {} }, 'the option "signal" takes an AbortSignal, not an object'],
    [{ store: {} }, 'the option "store" takes the path or the URL of a file, not an object'],
    [{ store: '' }, 'the option "store" takes the path or the URL of a file, not the string ""'],
    [{ approve: true }, 'the option "approve" takes a function, not true'],
  ])('%j is refused before anything is begun', async (given, message) => {
    const options =
      typeof given === 'object' && given !== null && !Array.isArray(given) ? { store: store(), ...given } : given;
    expect(await refusal(run(one(), {}, options as RunOptions))).toBe(`TOO6205 ${message}`);
    const kept = openSqliteStore(store());
    expect(kept.runIds()).toEqual([]);
    kept.close();
  });

  it('that is left out, or a limit of nothing, is fine', async () => {
    const given: object = { limits: { usd: 0, tokens: undefined, minutes: 0.5 }, approve: undefined };
    expect((await run(one(), {}, { ...given, signal: new AbortController().signal })).status).toBe('done');
  });

  it('"store" with a file that is no store is told without words of the command line', async () => {
    writeFileSync(store(), 'this is a text, and no database of runs at all'.repeat(50));
    const said = await refusal(run(one(), {}, { store: store() }));
    expect(said).toContain('TOO6206');
    expect(said).toMatch(/with the option "store"$/);
  });
});

describe('what "approve" gives', () => {
  it.each<[unknown, string]>([
    ['yes', 'with the string "yes": it gives true, false, { approved, note, by, add }, or undefined'],
    [null, 'with null: it gives true'],
    [{ ok: true }, 'with an object with "ok": it gives true'],
    [{ approved: 'no' }, 'with an object with "approved": it gives true'],
    [{ approved: true, note: 5 }, ', and the key "note" takes a string, not the number 5'],
    [{ approved: true, by: null }, ', and the key "by" takes a string, not null'],
    [{ approved: true, add: -1 }, ', and the key "add" takes a number from 0 on, not the number -1'],
    [{ approved: true, nope: 1 }, ', and the key "nope" is unknown.'],
  ])('%j decides nothing: the question stays open', async (answer, message) => {
    const options = { store: store(), runId: runIdOf('q') };
    const said = await refusal(run(asking(), {}, { ...options, approve: () => answer as never }));
    expect(said).toContain(
      `TOO6205 "approve" answered the question of "ok"${message.startsWith(',') ? '' : ' '}${message}`,
    );
    expect(await run(asking(), {}, options)).toMatchObject({ status: 'waiting', waiting: [{ node: 'ok' }] });
    const right = await run(asking(), {}, { ...options, approve: () => ({ approved: true, note: 'fine' }) });
    expect(right).toMatchObject({ status: 'done', output: true });
  });
});

describe('a function', () => {
  it('that is bound is refused: nobody could see that it was changed', async () => {
    const work = function (this: { n: number }) {
      return this.n;
    };
    const bound = workflow({
      name: 'bound',
      steps: () => [step('s', { run: work.bind({ n: 1 }), output: Schema.Number })],
    });
    expect(await refusal(run(bound))).toMatch(
      /^TOO6205 the function of "builder:bound\/s" is a bound one .* arrow function/,
    );
    const wrapped = workflow({
      name: 'bound',
      steps: () => [step('s', { run: () => work.call({ n: 1 }), output: Schema.Number })],
    });
    expect(await run(wrapped)).toMatchObject({ status: 'done', output: 1 });
  });

  it('that reads a step which is in no list of nodes fails, and is not tried again', async () => {
    const flow = workflow({
      name: 'forgot',
      steps: () => {
        const x = step('x', { run: () => 1, output: Schema.Number });
        return [step('y', { run: ({ read }) => (read(x) ?? 0) + 1, output: Schema.Number, maxAttempts: 3 })];
      },
    });
    const result = await run(flow);
    expect(result).toMatchObject({ status: 'failed', error: { code: 'code', retryable: false } });
    expect(result.status === 'failed' && result.error.message).toContain('there is no step "x" in the workflow');
  });

  it('reads undefined of a step that is there and has no value, by each of its names', async () => {
    const Part = component('Part', {
      params: Schema.Struct({}),
      steps: ({ id }) => {
        const short = step(`${id}-short`, { run: () => 1, output: Schema.Number, skipIf: 'true' });
        return [short, step('seen', { run: ({ read }) => String(read(short)), output: Schema.String })];
      },
    });
    const flow = workflow({
      name: 'skipped',
      steps: () => {
        const off = step('off', { run: () => 1, output: Schema.Number, skipIf: 'true' });
        const part = Part('part', {});
        return [
          off,
          part,
          step('both', { run: ({ read }) => [String(read(off)), read(part)], output: Schema.Array(Schema.String) }),
        ];
      },
    });
    expect(await run(flow)).toMatchObject({ status: 'done', output: ['undefined', 'undefined'] });
  });
});
