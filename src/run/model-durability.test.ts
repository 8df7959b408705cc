/** Prompts that are killed anywhere give what they give undisturbed: thunks, nest and executor together, on a journal in memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPromptThunk } from '../agent/index.ts';
import type { EventBody, JournalEvent } from '../journal/index.ts';
import {
  type Command,
  createNest,
  type Emission,
  type End,
  type Fact,
  type Json,
  type Machine,
  type MachineRef,
  type StepCommand,
} from '../machine/index.ts';
import { readScript } from '../model/index.ts';
import { manualClock } from '../sys/index.ts';
import { createSource } from '../text/index.ts';
import { booleanType, field, structOf } from '../type/index.ts';
import type { StepResult } from './execute.ts';
import { createModelExecutor } from './model-executor.ts';
import { factEvent, factOf } from './record.ts';
import { createTakenReplies } from './taken-replies.ts';

/** Stages one after the other; the prompts of a stage are begun together. A step may come again, as in a loop. */
type Stages = readonly (readonly string[])[];

function stagesMachine(stages: Stages): Machine {
  const results: Record<string, Json> = {};
  let stage = -1;
  let open = 0;
  let end: End | undefined;
  const next = (): Command[] => {
    stage++;
    const steps = stages[stage];
    if (steps === undefined) {
      end = { ok: results };
      return [];
    }
    open = steps.length;
    return steps.map((step) => ({
      op: 'child',
      id: `loop[${stage}]/${step}#1`,
      ref: promptRef(step, `loop[${stage}]/${step}`),
      input: null,
      key: '',
    }));
  };
  return {
    start: next,
    deliver(fact: Fact) {
      results[fact.id] = 'ok' in fact ? fact.ok : 'err' in fact ? fact.err.code : null;
      open--;
      return open === 0 ? next() : [];
    },
    get end() {
      return end;
    },
  };
}

function promptRef(step: string, node: string): MachineRef {
  return {
    kind: 'thunk',
    form: 'prompt',
    agent: { name: 'writer', type: 'scripted', fields: {} },
    output: structOf([field('good', booleanType)]) as unknown as Json,
    types: {},
    prompt: `Do ${step}.`,
    for: [node, step, 'writer'],
  };
}

const replies = {
  good: 'json:\n      good: true',
  bad: 'text: no JSON',
  busy: 'error: 429',
  cut: 'text: "{"\n    cut: true',
};

function scriptText(entries: readonly (readonly [string, keyof typeof replies])[]): string {
  const items = entries.map(([name, reply]) => `  - for: ${name}\n    ${replies[reply]}\n`);
  return items.length === 0 ? 'replies: []\n' : `replies[${items.length}]:\n${items.join('')}`;
}

interface Chance {
  readonly crash: boolean;
  /** Of what is not durable yet, whether the notes are written before the crash. */
  readonly noted: boolean;
  readonly pick: number;
}

async function run(stages: Stages, text: string, chance: () => Chance): Promise<Json> {
  const { script } = readScript(createSource('flow.script.toon', text));
  if (!script) throw new Error('the script is not right');
  const journal: JournalEvent[] = [];
  const append = (node: string, body: EventBody) =>
    void journal.push({ seq: journal.length + 1, at: 0, run: 'r', node, body });
  const found = { kind: 'script' as const, script, key: '', readText: async () => ({ ok: true as const, text: '' }) };
  for (;;) {
    const nest = createNest({
      make: (ref, init) => (ref.kind === 'thunk' ? createPromptThunk(ref, init) : stagesMachine(stages)),
      ref: { kind: 'stages' },
      runId: 'r',
      input: null,
    });
    const open = new Map<string, StepCommand>();
    const take = (emissions: readonly Emission[]) => {
      for (const emission of emissions) {
        if (emission.kind === 'effect' && emission.effect.op === 'step') open.set(emission.effect.id, emission.effect);
      }
    };
    take(nest.start(0));
    for (const event of journal) {
      const fact = factOf(event);
      if (!fact) continue;
      open.delete(fact.id);
      take(nest.deliver(fact));
    }
    const execute = createModelExecutor({
      scriptFor: async () => found,
      clock: manualClock(),
      replies: createTakenReplies((_, after = 0) => journal.slice(after)),
    });
    const begun = new Map<string, StepResult>();
    const notes = new Map<string, EventBody[]>();
    for (;;) {
      const end = nest.end();
      if (end && 'ok' in end) return end.ok;
      const fresh = [...open.values()].filter(({ id }) => !begun.has(id));
      await Promise.all(
        fresh.map(async (command) => {
          const own: EventBody[] = [];
          notes.set(command.id, own);
          const earlier = journal.filter(({ node }) => node === command.id).map(({ body }) => body);
          const result = await execute(command, {
            runId: 'r',
            idempotencyKey: `r/${command.id}`,
            attempt: 1,
            signal: new AbortController().signal,
            notes: earlier,
            note: (body) => void own.push(body),
            spawned: () => {},
            ended: () => {},
          });
          begun.set(command.id, result);
        }),
      );
      const { crash, noted, pick } = chance();
      if (crash) {
        if (noted) for (const [id, bodies] of notes) for (const body of bodies) append(id, body);
        break;
      }
      const command = [...open.values()][pick % open.size];
      const result = begun.get(command?.id ?? '');
      if (!command || !result) throw new Error('nothing is open');
      for (const body of notes.get(command.id) ?? []) append(command.id, body);
      notes.delete(command.id);
      append(command.id, factEvent(command, result.outcome, result.usage));
      open.delete(command.id);
      const fact = factOf(journal.at(-1) as JournalEvent);
      if (fact) take(nest.deliver(fact));
    }
  }
}

test('prompts that are killed anywhere give the same results, repairs and errors included', async () => {
  const stage = fc.subarray(['a', 'b', 'c'], { minLength: 1 });
  const entry = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'loop[1]/a', 'loop[2]/b'),
    fc.constantFrom('good' as const, 'bad' as const, 'busy' as const, 'cut' as const),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(stage, { minLength: 1, maxLength: 4 }),
      fc.array(entry, { maxLength: 16 }),
      fc.infiniteStream(fc.record({ crash: fc.boolean(), noted: fc.boolean(), pick: fc.nat(9) })),
      async (stages, entries, chances) => {
        const text = scriptText(entries);
        const calm = await run(stages, text, () => ({ crash: false, noted: true, pick: 0 }));
        let crashes = 0;
        const rough = await run(stages, text, () => {
          const next = chances.next().value;
          return { ...next, crash: next.crash && ++crashes < 30 };
        });
        expect(rough).toEqual(calm);
      },
    ),
    { numRuns: process.env.TOOLANG_DEEP ? 1000 : 150 },
  );
});
