/** Events as lines, for `logs`: when, which node, what happened. */
import type { EventBody, JournalEvent, Taken } from '../journal/index.ts';
import type { Json, Outcome } from '../machine/index.ts';
import { displayWidth, type Painter, printable } from '../text/index.ts';
import { usageText } from './elapsed.ts';
import { isKept } from './kept-calls.ts';
import { decisionText } from './run-line.ts';
import { shorten } from './shorten.ts';

const mostCells = 120;
const leastCells = 20;
/** What stands before a value, and what was spent behind it. */
const wordCells = 24;

/** `columns`: where values are cut on a terminal; elsewhere they may be longer than its lines. */
export function logText({ at, node, body }: JournalEvent, paint: Painter, columns = Number.POSITIVE_INFINITY): string {
  const time = paint.dim(new Date(at).toISOString().slice(0, 23).replace('T', ' '));
  const name = node === undefined ? '' : `${paint.bold(printable(node))}  `;
  const before = 25 + (node === undefined ? 0 : displayWidth(printable(node)) + 2);
  const [words, ...more] = wordsOf(
    body,
    paint,
    Math.max(leastCells, Math.min(mostCells, columns - before - wordCells)),
  );
  // Each line says of what it is: logs are searched for the name of a node.
  const lines = [`${time}  ${name}${words}`, ...more.map((line) => `${time}  ${name}  ${printable(line)}`)];
  return `${lines.join('\n')}\n`;
}

/** The first line is safe to show; those behind it are not yet. */
function wordsOf(body: EventBody, paint: Painter, cells: number): readonly string[] {
  switch (body.kind) {
    case 'run.started':
      return [`started ${printable(body.name)} with ${value(body.input, cells)}`];
    case 'segment.opened':
      return [segmentText(body, cells)];
    case 'node.started':
      return ['started'];
    case 'child.started':
      return [body.name === undefined ? 'started' : `started the workflow ${printable(body.name)}`];
    case 'node.done':
      return [`${paint.green('done')}${taken(body)} ${output(body.output, cells)}${spent(body)}`];
    case 'node.failed':
    case 'model.failed':
    case 'run.failed':
      return failed(body.error.message, paint);
    case 'node.cancelled':
      return [paint.yellow('cancelled')];
    case 'child.ended':
      return ended(body.outcome, paint, cells, taken(body));
    case 'model.skipped':
      return [paint.yellow(`${printable(body.ref)} could not be asked`), ...body.error.message.split('\n')];
    case 'tool.asked':
      return [`calls ${printable(body.tool)}`];
    case 'memory.saved':
      return [`remembers ${value(body.text, cells)} (memory ${body.id})`];
    case 'service.left':
      return [`goes on, though ${printable(body.reason)}`];
    case 'handoff':
      return [`${printable(body.from)} hands over to ${printable(body.to)}`];
    case 'tool.answered':
      return [`answered${taken(body)} ${value(body.result, cells)}`];
    case 'model.asked':
      return [`asked ${printable(body.ref)}`];
    case 'model.answered':
      return [`answered${taken(body)} ${value(body.message, cells)}${spent(body)}`];
    case 'output.repaired':
      return ['the answer did not fit and was sent back', ...body.errors];
    case 'calls.refused':
      return ['what it called was not done', ...body.calls.map(({ text }) => text)];
    case 'approval.requested':
    case 'limit.reached':
      return [paint.yellow(`asks ${value(body.request, cells)}`)];
    case 'approval.decided':
      return [`${printable(decisionText(body))}${taken(body)}`];
    case 'limit.answered':
      return [`the limit was ${body.approved ? 'raised' : 'kept'} by ${printable(body.by)}`];
    case 'timer.set':
      return [`waits until ${new Date(body.until).toISOString()}`];
    case 'timer.fired':
      return ['has waited'];
    case 'node.skipped':
      return [`skipped: ${printable(body.why)}`];
    case 'node.late':
      return [`a result came after it was cancelled, and goes nowhere${spent(body)}`];
    case 'node.printed':
      return ['printed', ...body.text.trimEnd().split('\n')];
    case 'worktree.added':
      return [addedWords(body), ...(body.why === undefined ? [] : [body.why])];
    case 'worktree.removed':
      return [
        body.kept === undefined
          ? `removed ${printable(body.path)}`
          : paint.yellow(`${printable(body.path)} stays: ${printable(body.kept)}`),
      ];
    case 'worktree.restored':
      return restoredWords(body);
    case 'worktree.unkept':
      return [paint.yellow('not all files of the worktree could be kept'), body.why];
    case 'run.steered':
      return steered(body, cells);
    case 'run.cancel':
      return [paint.yellow(`${printable(body.by)} cancels the run: ${printable(body.reason)}`)];
    case 'run.cancelled':
      return [paint.yellow('the run is cancelled')];
    case 'run.stopped':
      return [
        'stopped: what was running is begun again when the run goes on',
        ...(body.held ?? []).map((id) => `${id} was not begun again`),
      ];
    case 'run.waiting':
      return [`waits for ${printable(body.nodes.join(', '))}`];
    case 'run.done':
      return [`${paint.green('the run is done')} ${output(body.output, cells)}`];
    case 'session':
      return [`session ${printable(body.id)}`];
    default:
      return unknown(body);
  }
}

/** `ann: look at the tests first`. */
function steered(
  { by, message }: Extract<EventBody, { readonly kind: 'run.steered' }>,
  cells: number,
): readonly string[] {
  const [first = '', ...rest] = message.split('\n');
  const words = printable(by === '' ? first : `${by}: ${first}`);
  return rest.length === 0 ? [shorten(words, cells + wordCells)] : [words, ...rest];
}

/** The words of the journal are all above. */
function unknown(body: never): readonly string[] {
  return [printable(JSON.stringify(body))];
}

function addedWords({ path, branch, commit }: Extract<EventBody, { readonly kind: 'worktree.added' }>): string {
  const on = branch === undefined ? 'on no branch' : `on the branch ${printable(branch)}`;
  return `works in ${printable(path)}, ${on}, from ${commit.slice(0, 10)}`;
}

function segmentText({ why, input, before }: Extract<EventBody, { kind: 'segment.opened' }>, cells: number): string {
  const words = {
    edit: 'went on with an edited file',
    keep: 'went on with an edited file, and all results that fit',
    retry: 'was tried again',
    fork: `went on as a run of its own${before === undefined ? '' : `, with what was done before ${before}`}`,
  };
  return `${words[why]}, with ${value(input, cells)}`;
}

/** What is in the files, and where that is which was there. */
function restoredWords({ left, ahead }: Extract<EventBody, { readonly kind: 'worktree.restored' }>): readonly string[] {
  const kept = left === undefined ? '' : `; what was there is kept as ${printable(left)}`;
  return [`the files were set back to how they were${kept}`, ...(ahead === undefined ? [] : [ahead])];
}

/** Where a result was taken from. */
function taken({ from, of }: Taken): string {
  if (from === undefined) return '';
  return of === undefined ? ` (${from})` : ` (kept, of ${of})`;
}

function ended(outcome: Outcome, paint: Painter, cells: number, from: string): readonly string[] {
  if ('err' in outcome) return failed(outcome.err.message, paint);
  return [`${paint.green('done')}${from} ${output('ok' in outcome ? outcome.ok : undefined, cells)}`];
}

function failed(message: string, paint: Painter): readonly string[] {
  const [first = '', ...rest] = message.split('\n');
  return [`${paint.red('failed')} ${printable(first)}`, ...rest];
}

function output(given: Json | undefined, cells: number): string {
  return given === undefined ? 'without a value' : value(given, cells);
}

function value(given: Json, cells: number): string {
  return shorten(JSON.stringify(given), cells);
}

function spent(body: Extract<EventBody, { readonly kind: 'node.done' | 'node.late' | 'model.answered' }>): string {
  // It was paid where it was come to.
  const words = body.usage === undefined || isKept(body) ? '' : usageText(body.usage);
  return words === '' ? '' : ` (${words})`;
}
