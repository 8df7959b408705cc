/** Whether what came of a run is what its case expects. All that differs is told, but nothing that follows from what was told. */
import type { Json, RunError } from '../machine/index.ts';
import { closest, didYouMean, type Span } from '../text/index.ts';
import { brokenAssertion } from './assertion.ts';
import type { Case, Expect, ExpectedCall, ExpectedCalls } from './case.ts';
import { type Difference, differences } from './compare.ts';
import type { MadeCall, Outcome } from './outcome.ts';

/** What is wrong, and where in the test file that was expected. */
export interface Failure {
  readonly span: Span;
  readonly message: string;
  readonly expected?: Json;
  readonly got?: Json;
  /** More lines, below. */
  readonly notes?: readonly string[];
  /** What `--update` would write instead: the value of this key. */
  readonly update?: 'output';
}

export interface JudgeOptions {
  /** Checks a value against the JSON Schema of `expect.schema`; its errors in words. */
  readonly fitsSchema?: (value: Json) => readonly string[];
}

export function judge(
  { expect, name }: Pick<Case, 'expect' | 'name'>,
  outcome: Outcome,
  options: JudgeOptions = {},
): Failure[] {
  const ended = judgeEnd(expect, name.span, outcome);
  // Of a run that ended otherwise nothing else is worth telling.
  if (ended.length > 0) return ended;
  return [
    ...judgeOutput(expect, outcome, options),
    ...judgeSteps(expect, outcome),
    ...judgeCalls(expect, outcome),
    ...judgeCounts(expect, outcome),
    ...expect.assert.flatMap((assertion): Failure[] => {
      const broken = brokenAssertion(assertion, outcome);
      if (broken === undefined) return [];
      const { span, message, reads } = broken;
      return [{ span, message, notes: reads.map(({ name: read, value }) => `${read}: ${valueText(value)}`) }];
    }),
  ];
}

function judgeEnd({ error, waitsFor }: Expect, name: Span, outcome: Outcome): Failure[] {
  if (error) {
    if (outcome.status !== 'failed') return [{ span: error.span, message: `it did not fail: ${endText(outcome)}` }];
    return judgeError(error, outcome.error);
  }
  if (waitsFor) {
    const names = outcome.waiting.map(({ node }) => node);
    if (names.some((node) => isNamed(node, waitsFor.text))) return [];
    const near = didYouMean(closest(waitsFor.text, names.map(plainName)));
    const message = `it does not wait for "${waitsFor.text}": ${endText(outcome)}.${near}`;
    return [{ span: waitsFor.span, message, notes: errorNotes(outcome.error) }];
  }
  if (outcome.status === 'done') return [];
  if (outcome.status === 'waiting') {
    return outcome.waiting.map(({ node, kind, title }) => ({
      span: name,
      message: `it waits for a decision: "${plainName(node)}" asks "${title}"`,
      notes: [
        'Add to "decisions", and count it in "decisions[…]":',
        `  - for: ${plainName(node)}`,
        kind === 'limit' ? '    add: 1' : '    approve: true',
      ],
    }));
  }
  return [{ span: name, message: endText(outcome), notes: errorNotes(outcome.error) }];
}

function judgeError({ code, message, span }: NonNullable<Expect['error']>, error: RunError | undefined): Failure[] {
  const all = error ? failuresIn(error) : [];
  const failures: Failure[] = [];
  if (code && !all.some((each) => each.code === code.text)) {
    const got = all[0]?.code ?? null;
    const words = 'it failed with another code';
    failures.push({ span: code.span, message: words, expected: code.text, got, notes: errorNotes(error) });
  }
  if (message && !all.some((each) => each.message.includes(message.text))) {
    const got = all[0]?.message ?? null;
    failures.push({ span: message.span ?? span, message: 'it failed with other words', expected: message.text, got });
  }
  return failures;
}

/** It, all that it came of, and all of several. */
function failuresIn(error: RunError): RunError[] {
  return [error, ...(error.cause ? failuresIn(error.cause) : []), ...(error.causes ?? []).flatMap(failuresIn)];
}

function errorNotes(error: RunError | undefined): string[] {
  if (error === undefined) return [];
  const own = error.causes && error.causes.length > 0 ? error.causes : [error];
  return own.flatMap(({ node, at, message, cause }) => [
    `${[node, at].filter((each) => each !== undefined).join(' at ')}${(node ?? at) ? ': ' : ''}${message}`,
    ...(cause ? [`because ${cause.message}`] : []),
  ]);
}

function endText({ status, waiting, error }: Outcome): string {
  if (status === 'done') return 'it is done';
  if (status === 'waiting') return `it waits for ${waiting.map(({ node }) => `"${plainName(node)}"`).join(', ')}`;
  if (status === 'failed') return `it failed (${error?.code ?? 'error'})`;
  return `it was ${status}`;
}

function judgeOutput({ output, outputHas, schema }: Expect, outcome: Outcome, { fitsSchema }: JudgeOptions): Failure[] {
  const failures: Failure[] = [];
  if (output) {
    const found = differences(output.tree, outcome.output, 'exact', 'output');
    failures.push(...found.map((each) => ({ ...told(each), update: 'output' as const })));
  }
  if (outputHas) failures.push(...differences(outputHas.tree, outcome.output, 'part', 'output').map(told));
  if (schema && fitsSchema) {
    if (outcome.output === undefined) failures.push({ span: schema.span, message: 'there is no output' });
    else
      failures.push(
        ...fitsSchema(outcome.output).map((message) => ({ span: schema.span, message: `output: ${message}` })),
      );
  }
  return failures;
}

function judgeSteps({ steps }: Expect, outcome: Outcome): Failure[] {
  if (steps?.tree.kind !== 'object') return [];
  return steps.tree.entries.flatMap(({ key, value }): Failure[] => {
    if (!outcome.steps.has(key.text)) {
      const near = didYouMean(closest(key.text, outcome.steps.keys()));
      return [{ span: key.span, message: `there is no step "${key.text}".${near}` }];
    }
    return differences(value, outcome.steps.get(key.text), 'exact', key.text).map((each) => {
      return told(
        each.path === key.text && each.got === undefined ? { ...each, message: `${key.text} has no result` } : each,
      );
    });
  });
}

function judgeCalls({ calls, callsHave, neverCalls }: Expect, outcome: Outcome): Failure[] {
  const failures: Failure[] = [];
  if (calls) failures.push(...judgeAllCalls(calls, outcome.calls));
  if (callsHave) failures.push(...judgeSomeCalls(callsHave, outcome.calls));
  for (const { text, span } of neverCalls) {
    const made = outcome.calls.find(({ tool }) => isTool(tool, text));
    if (made) failures.push({ span, message: `it called ${callText(made)}` });
  }
  return failures;
}

function judgeAllCalls({ span, calls }: ExpectedCalls, made: readonly MadeCall[]): Failure[] {
  const wrong = calls.findIndex((call, i) => made[i] === undefined || misfits(call, made[i]).length > 0);
  const call = wrong === -1 ? undefined : calls[wrong];
  if (call) {
    const got = made[wrong];
    const which = `call ${wrong + 1}`;
    if (got === undefined) return [{ span: call.tool.span, message: `${which} was not made`, notes: madeNotes(made) }];
    return misfits(call, got).map((each, i) =>
      i === 0 ? { ...each, message: `${which}: ${each.message}`, notes: madeNotes(made) } : each,
    );
  }
  const more = made.slice(calls.length);
  if (more.length === 0) return [];
  const count = `${more.length} more call${more.length === 1 ? '' : 's'} than expected`;
  return [{ span, message: count, notes: more.slice(0, mostNotes).map(callText) }];
}

function judgeSomeCalls({ calls }: ExpectedCalls, made: readonly MadeCall[]): Failure[] {
  let from = 0;
  for (const call of calls) {
    const at = made.findIndex((each, i) => i >= from && misfits(call, each).length === 0);
    if (at === -1) {
      const same = made.slice(from).find(({ tool }) => isTool(tool, call.tool.text));
      const why = same === undefined ? [] : misfits(call, same);
      const behind = from === 0 ? '' : ' behind the calls above';
      return [
        { span: call.tool.span, message: `${call.tool.text} is not called so${behind}`, notes: madeNotes(made) },
        ...why,
      ];
    }
    from = at + 1;
  }
  return [];
}

const mostNotes = 10;

function madeNotes(made: readonly MadeCall[]): string[] {
  if (made.length === 0) return ['It called no tool.'];
  return [
    'It called:',
    ...made.slice(0, mostNotes).map((each) => `  ${callText(each)}`),
    ...(made.length > mostNotes ? ['  …'] : []),
  ];
}

function callText({ tool, args, step }: MadeCall): string {
  return `${tool} ${valueText(args)} in ${step}`;
}

/** How a call is another than was expected. */
function misfits({ tool, args, step }: ExpectedCall, made: MadeCall): Failure[] {
  if (!isTool(made.tool, tool.text))
    return [{ span: tool.span, message: 'another tool is called', expected: tool.text, got: made.tool }];
  const failures: Failure[] = [];
  if (step && !isNamed(made.step, step.text)) {
    failures.push({ span: step.span, message: 'another step calls it', expected: step.text, got: made.step });
  }
  if (args) failures.push(...differences(args.tree, made.args, 'pattern', 'args').map(told));
  return failures;
}

/** A tool, or all of a set. */
function isTool(tool: string, wanted: string): boolean {
  return tool === wanted || tool.startsWith(`${wanted}/`);
}

function judgeCounts({ modelCalls }: Expect, outcome: Outcome): Failure[] {
  if (modelCalls === undefined || modelCalls.count === outcome.modelCalls) return [];
  return [
    {
      span: modelCalls.span,
      message: 'models are called another number of times',
      expected: modelCalls.count,
      got: outcome.modelCalls,
    },
  ];
}

function told({ span, message, expected, got }: Difference): Failure {
  return { span, message, ...(expected !== undefined && { expected }), ...(got !== undefined && { got }) };
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** What people call a question: `publish#1` is `publish`, `@limit#1` is `limit`. */
export function plainName(node: string): string {
  return node
    .replace(/^@/, '')
    .replaceAll(/#\d+/g, '')
    .replace(/\/permit$/, '');
}

/** Whether a name in a test means a node: its id, what people call it, or the end of that. */
export function isNamed(node: string, wanted: string): boolean {
  return [node, plainName(node)].some((each) => each === wanted || each.endsWith(`/${wanted}`));
}
