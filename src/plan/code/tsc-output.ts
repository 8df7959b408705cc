/** Leads what `tsc` says of a generated file back to the code that was written. */
import type { CodeProblem } from './problem.ts';

export interface TypesMap {
  /** Of the generated text. */
  readonly lineStarts: readonly number[];
  /** In order, apart from each other. */
  readonly pieces: readonly TypesPiece[];
  readonly steps: readonly { readonly path: string; readonly kind: 'run' | 'handler'; readonly text: string }[];
}

export interface TypesPiece {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** What was written: `exact` character by character, else the whole of it is meant. */
  readonly from: number;
  readonly to: number;
  readonly exact: boolean;
}

export interface TypeProblem extends CodeProblem {
  /** The step whose code or handler it is; offsets are those of its text. */
  readonly path: string;
}

export interface MappedOutput {
  readonly problems: readonly TypeProblem[];
  /** Errors that no step is to blame for: in the project's own files, or of `tsc` itself. */
  readonly other: readonly string[];
}

/** What the generated file is called, wherever it is. */
export const typesFile = 'toolang-check.ts';

interface TscError {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly number: string;
  readonly message: string;
  readonly details: string[];
}

/** `output` is that of `tsc --pretty false`. */
export function mapTscOutput(output: string, map: TypesMap): MappedOutput {
  const problems: TypeProblem[] = [];
  const other: string[] = [];
  for (const error of errorsOf(output, other)) {
    const mapped = error.file.split(/[/\\]/).at(-1) === typesFile ? mapError(error, map) : undefined;
    if (mapped) problems.push(mapped);
    else other.push(`${error.file}(${error.line},${error.column}): ${error.message}`);
  }
  return { problems, other };
}

const errorLine = /^([^()]+)\((\d+),(\d+)\): error (TS\d+): (.*)$/;

function errorsOf(output: string, other: string[]): TscError[] {
  const errors: TscError[] = [];
  for (const line of output.split(/\r?\n/)) {
    const found = errorLine.exec(line);
    if (found) {
      const [, file = '', row, column, number = '', message = ''] = found;
      errors.push({ file, line: Number(row), column: Number(column), number, message, details: [] });
    } else if (line.startsWith(' ')) errors.at(-1)?.details.push(line.trim());
    else if (line !== '') other.push(line);
  }
  return errors;
}

function mapError(error: TscError, map: TypesMap): TypeProblem | undefined {
  const offset = (map.lineStarts[error.line - 1] ?? 0) + error.column - 1;
  const piece = pieceAt(map.pieces, offset);
  const step = piece && map.steps[piece.step];
  if (!step) return undefined;
  const start = piece.exact ? piece.from + offset - piece.start : piece.from;
  const end = piece.exact ? wordEnd(step.text, start) : piece.to;
  const last = error.details.at(-1);
  return {
    path: step.path,
    code: step.kind === 'run' ? 'TOO3320' : 'TOO3321',
    start,
    end,
    message: wordsOf(error),
    ...(last !== undefined && { help: sentence(last) }),
  };
}

/** Said of the header that we wrote, they would not be understood. */
const own: ReadonlyMap<string, string> = new Map([
  ['TS2355', 'the code returns nothing, and the step needs a value'],
  ['TS2366', 'the code can end without a return, and the step needs a value'],
  ['TS7030', 'the code can end without a return, and the step needs a value'],
]);

function wordsOf({ number, message }: TscError): string {
  const said =
    own.get(number) ?? message.replace(/\.$/, '').replaceAll(/\$(?:Value|Scope|step|handler)\d*\b/g, 'the step');
  return `${/^[A-Z][a-z]/.test(said) ? said.charAt(0).toLowerCase() + said.slice(1) : said} (${number})`;
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`;
}

function pieceAt(pieces: readonly TypesPiece[], offset: number): TypesPiece | undefined {
  let low = 0;
  let high = pieces.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle];
    if (!piece || offset < piece.start) high = middle - 1;
    else if (offset >= piece.end) low = middle + 1;
    else return piece;
  }
  return undefined;
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*|\S/uy;

function wordEnd(text: string, start: number): number {
  word.lastIndex = start;
  return start + (word.exec(text)?.[0].length ?? 0);
}
