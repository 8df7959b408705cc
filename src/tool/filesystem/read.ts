/**
 * `filesystem/read`: a text, or a part of one.
 * 1. A whole text that fits comes back as it is, without a byte order mark and with plain line ends: what is shown is what
 *    `edit` looks for. Lines are numbered only when that is asked for.
 * 2. What does not fit ends with a line that says how to read on; memory does not grow with the file.
 */
import { quotePath } from '../../sys/index.ts';
import { booleanType, numberType, textType } from '../../type/index.ts';
import { mostText } from '../bounded-text.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { binaryKind, kindBytes, sizeWords } from '../file-kind.ts';
import { createBreather } from './breather.ts';
import { type Area, placeOf, subjectsOfPath } from './confine.ts';
import { createLineReader } from './line-reader.ts';
import type { Guard } from './off-limits.ts';
import { openFile } from './open-file.ts';

interface ReadArgs {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly lines?: number;
  readonly numbers?: boolean;
}

const usualLines = 2000;
const mostLine = 1_000_000_000;
const mostMs = 30_000;
/** Kept for the words at the end. */
const endRoom = 400;

export function readTool(guard: Guard): OwnTool {
  return defineTool<ReadArgs>({
    name: 'filesystem/read',
    description: `Reads a text file of the workspace. Gives it as it is, up to ${usualLines} lines or 64 kB; what is longer ends with how to read on. Of images and other binary files it says only what they are.`,
    parameters: [
      { name: 'path', type: textType, doc: 'The file, relative to the workspace.' },
      {
        name: 'line',
        type: numberType,
        optional: true,
        range: [1, mostLine],
        doc: 'The first line to read; 1 if left out.',
      },
      {
        name: 'column',
        type: numberType,
        optional: true,
        range: [1, mostLine],
        doc: 'The first character of that line, for very long lines; 1 if left out.',
      },
      {
        name: 'lines',
        type: numberType,
        optional: true,
        range: [1, 10_000],
        doc: `How many lines; ${usualLines} if left out.`,
      },
      {
        name: 'numbers',
        type: booleanType,
        optional: true,
        doc: 'Put the number before each line. They are no part of the file: leave them out when you edit.',
      },
    ],
    readOnly: true,
    subjects: ({ path }, workspace) => subjectsOfPath(path, { workspace, guard }),
    run: (args, { workspace, clock, signal }) =>
      readPart(args, { workspace, guard }, createBreather(clock, signal, mostMs).breathe),
  });
}

async function readPart(args: ReadArgs, area: Area, breathe: () => Promise<void>): Promise<string> {
  const { path, line: first = 1, column = 1, lines: most = usualLines, numbers = false } = args;
  const file = openFile(placeOf(path, area, 'read'), area);
  try {
    const head = Buffer.from(file.read(kindBytes));
    const binary = binaryKind(head);
    if (binary !== undefined) {
      throw new ToolFailure(
        'failed',
        `${quotePath(path)} is ${binary} of ${sizeWords(file.size)}, not a text; its content is not shown.`,
      );
    }
    if (head.length === 0) return first === 1 ? '[the file is empty]' : past(path, first, 0);
    const reader = createLineReader(head, () => file.read(64 * 1024));
    const shown: string[] = [];
    let length = 0;
    let at = 1;
    for (; at < first; at++) {
      if (!reader.skip()) return past(path, first, at - 1);
      await breathe();
    }
    for (; at < first + most; at++) {
      await breathe();
      const from = at === first ? column - 1 : 0;
      const room = mostText - endRoom - length;
      const line = reader.next(from, room - prefixLength);
      if (line === undefined) break;
      // A line that begins on this page but does not fit begins the next one, if it is not alone too long.
      if (line.cut && shown.length > 0) break;
      shown.push(numbers ? `${String(at).padStart(5)}  ${line.text}` : line.text);
      length += (shown.at(-1)?.length ?? 0) + 1;
      if (!line.cut) continue;
      return [
        ...shown,
        `[line ${at} goes on; ${sizeOf(file.size)}. Read on with line=${at}, column=${from + line.text.length + 1}]`,
        ...notes(reader.badBytes()),
      ].join('\n');
    }
    if (shown.length === 0) return past(path, first, at - 1);
    const isWhole = reader.atEnd();
    if (isWhole && first === 1 && column === 1)
      return [shown.join('\n') + (reader.endsWithLine() ? '\n' : ''), ...notes(reader.badBytes())].join('');
    const last = first + shown.length - 1;
    const rest = isWhole ? 'the end of the file' : `${sizeOf(file.size)}. Read on with line=${last + 1}`;
    return [...shown, `[lines ${first} to ${last}; ${rest}]`, ...notes(reader.badBytes())].join('\n');
  } finally {
    file.close();
  }
}

const prefixLength = 16;

function sizeOf(bytes: number): string {
  return `the file has ${sizeWords(bytes)}`;
}

function past(path: string, first: number, lines: number): string {
  return `[${quotePath(path)} has ${lines === 1 ? '1 line' : `${lines} lines`}; there is no line ${first}]`;
}

/** What is not UTF-8 is shown all the same, and said. */
function notes(badBytes: boolean): string[] {
  return badBytes
    ? ['\n[it is not UTF-8 throughout: what cannot be read is shown as \ufffd, and it cannot be edited here]']
    : [];
}
