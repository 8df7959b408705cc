/** Reads the blocks of a thunk: context, instruct and messages, each with its text. */
import { closest, didYouMean, type Span } from '../text/index.ts';
import { atFence, lastDeeper, readFenced, readIndented, readInline, restIsEmpty } from './block.ts';
import { afterTrivia, skipTrivia } from './body.ts';
import type { Line } from './line.ts';
import { endLine } from './line-end.ts';
import { isLostThunkLine, startOf } from './line-kind.ts';
import { blockKinds, isOneOf, isValueName, messageKinds, templateKinds } from './names.ts';
import { dedent } from './raw.ts';
import { backOverBlanks, currentLine, nextLine, passTo, quote, type Reader, report, take, takeMark } from './reader.ts';
import type { Block, BlockKind, Directive, Inline } from './tree.ts';

export interface Body {
  readonly directives: Directive[];
  readonly blocks: Block[];
  /** The first block, the first of each kind, and the first message. */
  readonly first: Partial<Record<BlockKind | 'message' | 'any', Block>>;
  /** Where the next directive would stand. */
  insert: number;
}

/** What people call the blocks elsewhere. */
const otherNames: Readonly<Record<string, BlockKind>> = {
  system: 'instruct',
  instructions: 'instruct',
  prompt: 'user',
  message: 'user',
  human: 'user',
  ai: 'assistant',
};

/** The cursor stands on `word`, which a colon follows. A name that is no block's is read as what was meant. */
export function readBlock(r: Reader, body: Body, line: Line, word: string): void {
  const known = isOneOf(word, blockKinds);
  const key = take(r, known ? 'key' : 'unknown', word.length);
  const block = known ? word : unknownBlock(r, word, key);
  takeMark(r, ':');
  if (block) finishBlock(r, body, line, block, key);
  else {
    // Nobody knows what it is; its text is looked at all the same, and its place does not count.
    const value = readBlockValue(r, line, 'user');
    body.blocks.push({
      kind: 'block',
      span: { start: key.start, end: r.at },
      block: 'user',
      key,
      ...(value && { value }),
    });
  }
}

/** The cursor stands behind the colon. */
export function finishBlock(r: Reader, body: Body, line: Line, block: BlockKind, key: Span): void {
  checkOrder(r, body, block, key);
  const header = r.at;
  const value = readBlockValue(r, line, block, body);
  const end = value?.span.end ?? header;
  const span = { start: key.start, end };
  const node: Block = value ? { kind: 'block', span, block, key, value } : { kind: 'block', span, block, key };
  body.blocks.push(node);
  body.first.any ??= node;
  body.first[block] ??= node;
  if (isOneOf(block, messageKinds)) body.first.message ??= node;
}

function unknownBlock(r: Reader, word: string, span: Span): BlockKind | undefined {
  const better = Object.hasOwn(otherNames, word) ? otherNames[word] : closest(word, blockKinds);
  report(r, 'TOO1608', span, `unknown block "${word}".${didYouMean(better)}`, {
    help: 'Blocks of a thunk are context, instruct, user, assistant and tool.',
    ...(better && { fix: { title: `replace with "${better}"`, edits: [{ span, text: better }] } }),
  });
  return better as BlockKind | undefined;
}

function readBlockValue(r: Reader, line: Line, block: BlockKind, body?: Body): Block['value'] {
  const deeper = `${r.eol}${' '.repeat(line.indent + 2)}`;
  if (restIsEmpty(r)) {
    const comment = { start: r.at, end: currentLine(r).end };
    endLine(r, `"${block}:"`);
    const text = readIndented(r, line.indent);
    if (!text && /^#[A-Za-z0-9]/.test(r.text.slice(comment.start, comment.start + 2))) {
      cutText(r, block, comment, deeper);
    }
    return text;
  }
  if (atFence(r)) return readFenced(r, `"${block}:"`, false);
  const inline = readInline(r, `the text of "${block}:"`, (text) => `${deeper}${text}`);
  const below = afterTrivia(r);
  const next = r.lines[below];
  if (next && next.indent > line.indent) refuseDeeper(r, line, block, inline, below, body);
  const isReference = isOneOf(block, templateKinds) && isValueName(inline.text);
  return isReference ? { kind: 'reference', span: inline.span, text: inline.text } : inline;
}

/** `user: #42`, and nothing else: the text is taken for a comment. */
function cutText(r: Reader, block: BlockKind, comment: Span, deeper: string): void {
  report(r, 'TOO1005', comment, `${quote(r, comment)} is read as a comment: "${block}:" has no text.`, {
    help: 'Put the text on the line below, where "#" is literal, or put a blank after "#" if a comment is meant.',
    fix: {
      title: 'put the text on a line of its own',
      edits: [
        {
          span: { start: backOverBlanks(r, comment.start), end: comment.end },
          text: deeper + r.text.slice(comment.start, comment.end),
        },
      ],
    },
  });
}

/** Deeper lines below a block whose text is on the header line. Those that are lines of the thunk are read as such. */
function refuseDeeper(r: Reader, line: Line, block: BlockKind, inline: Inline, below: number, body?: Body): void {
  const touching = below === r.line;
  while (r.line < below) skipTrivia(r);
  const first = currentLine(r);
  const span = { start: first.text, end: first.end };
  const message = `"${block}:" has its text on the header line; the lines below it may not be deeper.`;
  const help = 'Put all of the text below the header, or end it on the header line.';
  if (isLostThunkLine(startOf(r.text, first))) {
    const lead = { start: first.start, end: first.text };
    const margin = r.text.slice(line.start, line.text);
    report(r, 'TOO1609', span, message, {
      help,
      fix: { title: 'indent it alike', edits: [{ span: lead, text: margin }] },
    });
    r.margin.uneven = true;
    return;
  }
  const at = backOverBlanks(r, inline.span.start);
  if (touching && /^[|>][-+]?$/.test(inline.text)) {
    report(
      r,
      'TOO1609',
      inline.span,
      `"${inline.text}" is not needed: the text of "${block}:" is the deeper lines below it.`,
      {
        fix: { title: `remove "${inline.text}"`, edits: [{ span: { start: at, end: inline.span.end }, text: '' }] },
      },
    );
  } else
    report(r, 'TOO1609', span, message, {
      help,
      // With lines between them the two texts would not become one.
      ...(touching && {
        fix: {
          title: 'put all of the text below the header',
          guess: true,
          edits: [
            { span: { start: at, end: inline.span.start }, text: `${r.eol}${r.text.slice(first.start, first.text)}` },
          ],
        },
      }),
    });
  const last = lastDeeper(r, line.indent) ?? r.line;
  const end = r.lines[last]?.end ?? r.at;
  const text = dedent(r.text, r.lines.slice(r.line, last + 1));
  const value = { kind: 'indented', span: { start: first.start, end }, text } as const;
  body?.blocks.push({ kind: 'block', span, block: 'user', key: span, value });
  passTo(r, 'unknown', end);
  r.line = last;
  nextLine(r);
}

function checkOrder(r: Reader, body: Body, block: BlockKind, key: Span): void {
  if (!isOneOf(block, templateKinds)) return;
  const same = body.first[block];
  if (same) {
    report(r, 'TOO1606', key, `this thunk has a second "${block}:".`, {
      related: [{ source: r.source, span: same.key, message: 'the first is here' }],
      help: `A thunk has at most one "${block}:".`,
    });
    return;
  }
  const { message } = body.first;
  if (!message) return;
  report(r, 'TOO1605', key, `"${block}:" must stand before the messages.`, {
    related: [{ source: r.source, span: message.key, message: 'the first message is here' }],
    help: 'Directives come first, then context and instruct, then messages.',
  });
}
