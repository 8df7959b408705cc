/** `toolang parse`: the tree or the tokens of a file. */
import { hasErrors, positionAt, printable, rangeOf, type Source, type Span, toJson } from '../../text/index.ts';
import type { Parsed, Sexp } from '../../too/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { languageOf, readWord } from '../input.ts';
import { jsonText } from '../json.ts';
import { printDiagnostics, printProblems } from '../report.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const { json = false, tokens = false } = args.switches;
  const read = await readWord(args.positionals[0] ?? '', context, args.texts['stdin-name']);
  if (!read.ok) {
    const problems = [read.problem];
    if (json) context.stdout.write(jsonText({ version: 1, file: read.file.name, diagnostics: [], problems }));
    else printProblems(problems, context);
    return exit.usage;
  }
  const { source } = read;
  if (languageOf(read.file) !== 'agent') {
    if (tokens) throw new UsageError('--tokens is for agent files (.too).', 'Leave it out, to see the tree.');
    return parseDocument(source, json, context);
  }
  const { parse, toSexp } = await import('../../too/index.ts');
  const parsed = parse(source);
  if (json) context.stdout.write(printJson(source, parsed, tokens));
  else {
    context.stdout.write(tokens ? printTokens(source, parsed) : printTree(source, toSexp(parsed.program)));
    printDiagnostics(parsed.diagnostics, context.stderr);
  }
  return hasErrors(parsed.diagnostics) ? exit.usage : exit.done;
}

async function parseDocument(source: Source, json: boolean, context: Context): Promise<ExitCode> {
  const { parseToon } = await import('../../toon/index.ts');
  const { document, diagnostics } = parseToon(source, { profile: true });
  if (json) {
    const { root, comments } = document;
    const shape = {
      version: 1,
      file: source.name,
      document: { kind: 'document', root, comments },
      diagnostics: diagnostics.map(toJson),
      problems: [],
    };
    context.stdout.write(spansAsRanges(source, shape));
  } else {
    const { printDocument } = await import('../toon-tree.ts');
    context.stdout.write(printDocument(document));
    printDiagnostics(diagnostics, context.stderr);
  }
  return hasErrors(diagnostics) ? exit.usage : exit.done;
}

/** The shape is in `spec/json/parse.schema.json`: spans become ranges of lines and columns. */
function printJson(source: Source, parsed: Parsed, tokens: boolean): string {
  const { items, doc } = parsed.program;
  const shape = {
    version: 1,
    file: source.name,
    ...(tokens
      ? {
          tokens: parsed.tokens.map(({ kind, start, end }) => ({
            kind,
            range: rangeOf(source, { start, end }),
            text: source.text.slice(start, end),
          })),
        }
      : { program: { kind: 'program', ...(doc !== undefined && { doc }), items } }),
    diagnostics: parsed.diagnostics.map(toJson),
    problems: [],
  };
  return spansAsRanges(source, shape);
}

function spansAsRanges(source: Source, shape: unknown): string {
  return jsonText(shape, (_, value) => (isSpan(value) ? rangeOf(source, value) : value));
}

function isSpan(value: unknown): value is Span {
  if (typeof value !== 'object' || value === null) return false;
  const { start, end } = value as Record<string, unknown>;
  return typeof start === 'number' && typeof end === 'number' && Object.keys(value).length === 2;
}

function printTokens(source: Source, { tokens }: Parsed): string {
  return tokens
    .map(
      ({ kind, start, end }) => `${place(source, start).padEnd(8)} ${kind.padEnd(12)} ${quote(source, start, end)}\n`,
    )
    .join('');
}

/** One node a line, children deeper; leaves with their place and text. */
function printTree(source: Source, tree: Sexp): string {
  const lines: string[] = [];
  const todo: { node: Sexp; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { node, depth } = next;
    const [kind, first, second] = node;
    const margin = '  '.repeat(depth);
    if (typeof first === 'number' && typeof second === 'number') {
      lines.push(`${margin}${kind} ${place(source, first)} ${quote(source, first, second)}`);
    } else {
      lines.push(`${margin}${kind}`);
      const children = node.slice(1) as Sexp[];
      for (const child of children.toReversed()) todo.push({ node: child, depth: depth + 1 });
    }
  }
  return `${lines.join('\n')}\n`;
}

/** On one line, with nothing that a terminal would obey. */
function quote(source: Source, start: number, end: number): string {
  return printable(JSON.stringify(source.text.slice(start, end)));
}

function place(source: Source, offset: number): string {
  const { line, column } = positionAt(source, offset);
  return `${line}:${column}`;
}
