/** What TypeScript knows of a builder program: checked by the compiler; here it only has to be callable. */
import { Schema } from 'effect';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type Approval,
  agent,
  approval,
  branch,
  call,
  component,
  type Expr,
  expr,
  type Given,
  load,
  loop,
  type Node,
  parallel,
  type Ref,
  type RunResult,
  ref,
  run,
  sequence,
  step,
  text,
  type Workflow,
  workflow,
} from '../workflow.ts';

const writer = agent('writer', { type: 'anthropic', model: 'm' });
const Review = Schema.Struct({
  approved: Schema.Boolean,
  notes: Schema.Array(Schema.Struct({ line: Schema.Number })),
  by: Schema.optional(Schema.Struct({ name: Schema.String })),
});
class Ticket extends Schema.Class<Ticket>('Ticket')({ repo: Schema.String, at: Schema.DateTimeUtcFromString }) {}

const review = step('review', { agent: writer, prompt: 'x', output: Review });

it('the fields of a result are references of their types', () => {
  expectTypeOf(review.approved).toExtend<Expr<boolean>>();
  expectTypeOf(review.notes[0]?.line).toExtend<Expr<number> | undefined>();
  expectTypeOf(review.notes.length).toExtend<Expr<number>>();
  expectTypeOf(review.by.name).toExtend<Expr<string | undefined>>();
  expectTypeOf(review.by.name).not.toExtend<Expr<string>>();
  expectTypeOf(review.approved).not.toExtend<Expr<string>>();
  expectTypeOf(review.approved).not.toBeAny();
  expectTypeOf(review).not.toBeAny();
  // @ts-expect-error: not a field
  void review.aproved;
  // @ts-expect-error: a boolean has no fields
  void review.approved.length;
});

it('a step that may be skipped may have no value', () => {
  const output = Schema.Struct({ a: Schema.Number });
  const sure = step('sure', { run: () => ({ a: 1 }), output });
  const maybe = step('maybe', { run: ({ read }) => ({ a: read(sure).a }), output, skipIf: sure.a });
  const asked = step('asked', { agent: writer, prompt: 'x', output, skipIf: 'true' });
  expectTypeOf(sure).toExtend<Expr<{ readonly a: number }>>();
  expectTypeOf(maybe).toExtend<Expr<{ readonly a: number } | undefined>>();
  expectTypeOf(maybe).not.toExtend<Expr<{ readonly a: number }>>();
  expectTypeOf(asked).not.toExtend<Expr<{ readonly a: number }>>();
  expectTypeOf(maybe.a).toExtend<Expr<number | undefined>>();
  expectTypeOf(maybe.a).not.toExtend<Expr<number>>();
  const skipped = workflow({ name: 's', steps: () => [sure, maybe] });
  const ran = () => run(skipped);
  expectTypeOf(ran).returns.resolves.toEqualTypeOf<RunResult<{ readonly a: number } | undefined>>();
  step('reads', {
    // @ts-expect-error: it may be undefined
    run: ({ read }) => read(maybe).a,
    output: Schema.Number,
  });
  // @ts-expect-error: no condition
  step('wrong', { run: 'return 1', output, skipIf: 5 });
});

it('what is written counts, not what it is decoded to', () => {
  workflow({
    name: 'w',
    input: Ticket,
    steps: ({ input }) => {
      expectTypeOf(input.at).toExtend<Expr<string>>();
      // @ts-expect-error: not a field
      void input.rep;
      return [review];
    },
  });
});

it('schemas of other libraries have types too', () => {
  const done = step('done', { run: 'return 1', output: z.object({ a: z.string().transform(Number) }) });
  expectTypeOf(done.a).toExtend<Expr<string>>();
  expectTypeOf(ref('x', z.number())).toEqualTypeOf<Ref<number>>();
});

it('a step does one thing, with the keys that belong to it', () => {
  const output = Schema.Number;
  step('a', { run: 'return 1', output, timeout: '5m' });
  // @ts-expect-error: a prompt needs an agent
  step('a', { prompt: 'x', output });
  // @ts-expect-error: two things
  step('a', { run: 'return 1', handler: './a.ts', output });
  // @ts-expect-error: nothing
  step('a', { output });
  // @ts-expect-error: no output
  step('a', { run: 'return 1' });
  // @ts-expect-error: no duration
  step('a', { run: 'return 1', output, timeout: 'soon' });
  // @ts-expect-error: no such backoff
  step('a', { run: 'return 1', output, retry: { backoff: 'never' } });
  // @ts-expect-error: no agent
  step('a', { agent: { type: 'anthropic' }, prompt: 'x', output });
});

it('a function gives what the schema says, and reads with types', () => {
  step('a', {
    output: Schema.Struct({ n: Schema.Number }),
    run: async ({ read, steps }) => {
      expectTypeOf(read(review.notes)).toEqualTypeOf<readonly { readonly line: number }[]>();
      expectTypeOf(steps).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return { n: read(review.notes).length };
    },
  });
  // @ts-expect-error: a text is no number
  step('a', { output: Schema.Number, run: () => 'one' });
});

it('results flow through control nodes, and only those with an id can be read', () => {
  const note = step('note', { run: 'return ""', output: Schema.String });
  expectTypeOf(sequence({ children: [note, review] })).toEqualTypeOf<Node<typeof Review.Encoded>>();
  expectTypeOf(sequence({ id: 's', children: [note, review] }).approved).toExtend<Expr<boolean>>();
  expectTypeOf(loop({ id: 'l', until: review.approved, children: [review] }).approved).toExtend<Expr<boolean>>();
  const both = parallel({ id: 'p', children: [note, review] });
  expectTypeOf(both[0]).toExtend<Expr<string>>();
  expectTypeOf(both[1].approved).toExtend<Expr<boolean>>();
  // biome-ignore lint/suspicious/noThenProperty: a word of the language.
  const arms = branch({ condition: review.approved, then: [note], else: [review] });
  expectTypeOf(arms).toEqualTypeOf<Node<string | typeof Review.Encoded>>();
  expectTypeOf(approval('ok', { request: { title: 'x' } })).toExtend<Expr<Approval>>();
  // @ts-expect-error: it has no id
  void sequence({ children: [review] }).approved;
  // @ts-expect-error: not a node
  sequence({ children: ['note'] });
});

it('workflows and components take what they say, written out or as expressions', () => {
  const inner = workflow({
    name: 'inner',
    input: Schema.Struct({ repo: Schema.String, limit: Schema.optional(Schema.Number) }),
    steps: () => [review],
  });
  expectTypeOf(inner).toEqualTypeOf<
    Workflow<{ readonly repo: string; readonly limit?: number | undefined }, typeof Review.Encoded>
  >();
  const called = call('c', { use: inner, input: { repo: text`a ${review.notes[0]?.line ?? 0}`, limit: 3 } });
  expectTypeOf(called.approved).toExtend<Expr<boolean>>();
  call('c', { use: inner, input: { repo: 'x', limit: '{review.notes.length}' } });
  call('c', { use: inner, input: { repo: 'x', limit: review.notes.length } });
  call('c', { use: inner, input: { repo: expr`${review.by} ?? 'x'` } });
  // @ts-expect-error: a text that is no number
  call('c', { use: inner, input: { repo: 'x', limit: '3' } });
  // @ts-expect-error: a boolean
  call('c', { use: inner, input: { repo: 'x', limit: review.approved } });
  // @ts-expect-error: a misspelt field
  call('c', { use: inner, input: { rep: 'x' } });
  // @ts-expect-error: nothing is given
  call('c', { use: inner });

  const Part = component('Part', {
    params: Schema.Struct({ level: Schema.Literals(['low', 'high']) }),
    steps: ({ id, params }) => {
      expectTypeOf(id).toEqualTypeOf<Ref<string>>();
      expectTypeOf(params.level).toEqualTypeOf<Ref<'low' | 'high'>>();
      return [review];
    },
  });
  expectTypeOf(Part('p', { level: 'low' }).approved).toExtend<Expr<boolean>>();
  Part('p', { level: expr<'low'>`'low'` });
  // @ts-expect-error: not one of them
  Part('p', { level: 'middle' });
  // @ts-expect-error: nothing is given
  Part('p');
});

it('what nothing is known of can be read, without any', () => {
  const open = {} as Ref<unknown>;
  expectTypeOf<NonNullable<typeof open.a>>().toExtend<Expr<unknown>>();
  expectTypeOf<Given<unknown>>().not.toBeAny();
  expectTypeOf(load).returns.resolves.toExtend<Workflow<unknown, unknown>>();
  expectTypeOf(load<{ a: string }, number>).returns.resolves.toExtend<Workflow<{ a: string }, number>>();
});

it('a workflow without input takes nothing', () => {
  const none = workflow({ name: 'none', steps: () => [review] });
  call('c', { use: none });
});
