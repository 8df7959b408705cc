/** What an agent does while it answers, in lines: short, safe to show, as wide as there is room. */
import { displayWidth, type Painter, printable, wrap } from '../text/index.ts';
import {
  elapsedText,
  oneLine,
  questionName,
  type RunRequest,
  remarkWords,
  shorten,
  summaryLines,
  type TurnCall,
  type TurnNote,
  toolMarks,
  toolText,
} from '../view/index.ts';

export interface LineStyle {
  readonly paint: Painter;
  /** Cells of a line. */
  readonly width: number;
  readonly now: number;
}

const margin = '  ';
/** Less of a result says nothing. */
const leastResult = 12;

/** `✓ lookup › filesystem/read books.txt  0.1s  A3 The Dancing Bees`. */
export function callLine(call: TurnCall, { paint, width, now }: LineStyle): string {
  const [mark, color] = toolMarks[call.status];
  const time = elapsedText((call.endedAt ?? now) - call.startedAt);
  const place = call.within.map((name) => `${name} › `).join('');
  const room = width - margin.length - 2;
  const isBad = call.status === 'failed' || call.status === 'denied';
  const title = shorten(`${place}${toolText(call)}`, Math.max(10, Math.min(room - time.length - 2, isBad ? 40 : room)));
  const left = room - displayWidth(title) - time.length - 4;
  const result = call.status === 'running' || left < leastResult ? '' : shorten(firstLine(call.result ?? ''), left);
  const said = result === '' ? '' : `  ${isBad ? paint[color](result) : paint.dim(result)}`;
  return `${margin}${paint[color](mark)} ${title}  ${paint.dim(time)}${said}`;
}

/** Lines for what happened; what is said, asked and answered is shown by others. */
export function noteLines(note: TurnNote, style: LineStyle): readonly string[] {
  const { paint, width } = style;
  const remark = (text: string) => [`${margin}${paint.dim(`→ ${shorten(text, width - 4)}`)}`];
  switch (note.kind) {
    case 'call':
      return [callLine(note.call, style)];
    case 'remark':
      return remark([...note.within, remarkWords(note.remark)].join(' › '));
    case 'repair':
      return remark([...note.within, `sent back: ${oneLine(note.errors.join('; '))}`].join(' › '));
    case 'passed':
      return remark(`${note.ref} cannot be asked: ${oneLine(note.why)}`);
    default:
      return [];
  }
}

/** What is asked, in full: nobody is to allow something else than what was read. */
export function questionLines(request: RunRequest, { paint, width }: LineStyle): readonly string[] {
  const name = request.kind === 'limit' ? 'limit' : questionName(request.node);
  const title = wrap(printable(oneLine(request.title)), Math.max(10, width - displayWidth(name) - 6), width - 4);
  const [first = '', ...rest] = title;
  return [
    `${margin}${paint.yellow('?')} ${paint.bold(name)}  ${first}`,
    ...rest.map((line) => `    ${line}`),
    ...summaryLines(request.summary ?? '', Math.max(10, width - 4)).map((line) => `    ${line}`),
    ...(request.next ?? []).map((line) => `    then: ${shorten(line, Math.max(10, width - 10))}`),
  ];
}

/** A remark of the chat itself, and what is wrong. */
export function remarkLines(text: string, { width }: Pick<LineStyle, 'width'>, indent = margin): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => wrap(line, Math.max(10, width - indent.length), Math.max(10, width - indent.length - 2)))
    .map((line, i) => (i === 0 ? indent : `${indent}  `) + line);
}

/** What stands before what is typed. */
export const prompt = '> ';
const mostEcho = 20;
const mostSteer = 4;

/** What was sent off; of a long text how it begins. */
export function echoLines(text: string, { paint, width }: Pick<LineStyle, 'paint' | 'width'>): readonly string[] {
  const rows = text
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : remarkLines(printable(line), { width: width - 2 }, '')));
  const shown = rows.slice(0, mostEcho).map((row, i) => (i === 0 ? paint.bold(prompt) : '  ') + row);
  return rows.length > mostEcho ? [...shown, paint.dim(`  … ${rows.length - mostEcho} more lines`)] : shown;
}

/** What was typed while the agent works, and when it is heard. */
export function steerLines(
  text: string,
  when: string,
  { paint, width }: Pick<LineStyle, 'paint' | 'width'>,
): readonly string[] {
  const rows = remarkLines(`${printable(oneLine(text))} (${when})`, { width: width - 2 });
  return rows.slice(0, mostSteer).map((row, i) => (i === 0 ? `  ${paint.cyan('↪')} ${row.trimStart()}` : `  ${row}`));
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? '';
}
