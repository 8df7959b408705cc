/** Generates `.too` programs that are right by syntax, with everything the syntax allows. The seed decides all. */
import { createRandom, type Random } from './random.ts';
import {
  anyIndent,
  bareValue,
  capShorthand,
  capUri,
  comment,
  gap,
  indent,
  lineOfText,
  space,
  tail,
  typeName,
  valueName,
  widthOf,
} from './words.ts';

const capKinds = ['psyche', 'skill', 'service', 'prompt'] as const;
const directiveKeys = ['models', 'tools', 'skills', 'services', 'psyches', 'hands', 'handoffs', 'recall'] as const;
const messageKinds = ['user', 'assistant', 'tool'] as const;

interface Writer {
  readonly random: Random;
  readonly lines: string[];
}

export function generateProgram(seed: number): string {
  const random = createRandom(seed);
  const writer: Writer = { random, lines: [] };
  const size = random.chance(30) ? random.below(6) : random.below(32);
  writeFiller(writer);
  while (writer.lines.length < size) {
    writeItem(writer);
    writeFiller(writer);
  }
  if (writer.lines.length === 0) writeUse(writer);
  return joinLines(random, writer.lines);
}

function joinLines(random: Random, lines: readonly string[]): string {
  const style = random.pick(['\n', '\n', '\n', '\r\n', 'mixed']);
  let text = random.chance(5) ? '\ufeff' : '';
  lines.forEach((line, index) => {
    text += line;
    if (index < lines.length - 1 || random.chance(80)) text += style === 'mixed' ? random.pick(['\n', '\r\n']) : style;
  });
  return random.chance(5) && text.endsWith('\n') ? `${text}  \f` : text;
}

/** Blank lines and comment lines. Deeper ones after a block become its text, which is right as well. */
function writeFiller({ random, lines }: Writer): void {
  while (random.chance(35)) lines.push(random.chance(50) ? anyIndent(random) : anyIndent(random) + comment(random));
}

function writeItem(writer: Writer): void {
  const kind = writer.random.below(10);
  if (kind < 2) writeUse(writer);
  else if (kind < 3) writeStruct(writer);
  else if (kind < 5) writeCap(writer);
  else if (kind < 7) writeTemplate(writer);
  else writeThunk(writer);
}

function writeUse({ random, lines }: Writer): void {
  const reference = random.chance(50) ? capShorthand(random) : capUri(random);
  lines.push(`use${space(random)}${random.pick(capKinds)}${space(random)}${reference}${tail(random)}`);
}

function writeStruct(writer: Writer): void {
  const { random, lines } = writer;
  lines.push(`struct${space(random)}${typeName(random)}${gap(random)}:${tail(random)}`);
  for (let i = 1 + random.below(5); i > 0; i--) {
    writeFiller(writer);
    lines.push(`${indent(random, 0)}${typedName(random)}${tail(random)}`);
  }
}

function typedName(random: Random): string {
  const mark = random.chance(30) ? `?${gap(random)}` : '';
  return `${valueName(random)}${gap(random)}${mark}:${gap(random)}${type(random)}`;
}

function type(random: Random): string {
  let text = typeName(random);
  while (random.chance(25)) text += `${gap(random)}[]`;
  return text;
}

function writeCap(writer: Writer): void {
  const { random, lines } = writer;
  const header = `${random.pick(capKinds)}${space(random)}${valueName(random)}${gap(random)}:`;
  if (random.chance(40)) {
    writeFence(writer, header, true);
    return;
  }
  lines.push(header + tail(random));
  while (random.chance(45)) {
    writeBlankLines(writer);
    const value = lineOfText(random, true);
    const equals = value.startsWith('=') ? '= ' : `=${gap(random)}`;
    lines.push(`${indent(random, 0)}${valueName(random)}${gap(random)}${equals}${value}${textTail(random)}`);
  }
  if (random.chance(60)) {
    writeBlankLines(writer);
    // The first line must not look like a property.
    lines.push(
      indent(random, 0) +
        random.pick(['Text', '# text', 'k == v', 'k- = v', 'K = v', '= v', '---', 'k', '```', 'é = v']),
    );
    writeRawLines(writer, 0);
  }
}

function writeTemplate(writer: Writer): void {
  const { random, lines } = writer;
  const name = random.chance(70) ? space(random) + valueName(random) : '';
  const header = `${random.pick(['context', 'instruct'])}${name}${gap(random)}:`;
  if (random.chance(35)) {
    writeFence(writer, header, false);
    return;
  }
  lines.push(header + tail(random));
  if (random.chance(80)) writeRawLines(writer, 0);
}

function writeBlankLines({ random, lines }: Writer): void {
  while (random.chance(20)) lines.push(anyIndent(random));
}

function writeRawLines(writer: Writer, above: number): void {
  const { random, lines } = writer;
  for (let i = 1 + random.below(4); i > 0; i--) {
    writeBlankLines(writer);
    const text = random.chance(10) ? comment(random) : lineOfText(random, true);
    // In a cap's body these would be properties, if they came first.
    lines.push(indent(random, above) + (/^[a-z]/.test(text) ? `- ${text}` : text) + gap(random));
  }
}

function writeFence(writer: Writer, header: string, inCap: boolean): void {
  const { random, lines } = writer;
  const ticks = 3 + random.below(4);
  const language = random.chance(50) ? `${gap(random)}md` : '';
  lines.push(`${header}${random.chance(80) ? ' ' : gap(random)}${'`'.repeat(ticks)}${language}${tail(random)}`);
  const hasFrontmatter = inCap && random.chance(50);
  if (hasFrontmatter) {
    lines.push(`${anyIndent(random)}---${gap(random)}`);
    for (let i = random.below(4); i > 0; i--) lines.push(fenceLine(random, ticks, false));
    lines.push(`${anyIndent(random)}---${gap(random)}`);
  }
  for (let i = random.below(6); i > 0; i--) lines.push(fenceLine(random, ticks, !inCap || hasFrontmatter));
  lines.push(`${anyIndent(random)}${'`'.repeat(ticks + (random.chance(15) ? random.below(4) : 0))}${gap(random)}`);
}

/** Any line that does not close the fence; without `dashes`, none that opens or closes frontmatter either. */
function fenceLine(random: Random, ticks: number, dashes: boolean): string {
  const blanks = anyIndent(random);
  if (random.chance(15)) return blanks;
  if (random.chance(15)) return blanks + '`'.repeat(random.below(ticks));
  if (random.chance(15))
    return `${blanks}${'`'.repeat(ticks + random.below(2))}${random.pick(['md', ' x', '#', ' # c', '\u00a0'])}`;
  const text = random.chance(10) ? '---' : lineOfText(random, true);
  return blanks + (/^`*$|^---$/.test(text.trim()) && !(dashes && text === '---') ? `${text}.` : text) + gap(random);
}

function writeThunk(writer: Writer): void {
  const { random, lines } = writer;
  const name = random.chance(75) ? space(random) + valueName(random) : '';
  const params = random.chance(50) ? `${gap(random)}(${paramList(random)})` : '';
  const output = random.chance(40) ? `${gap(random)}->${gap(random)}${type(random)}` : '';
  lines.push(`thunk${name}${params}${output}${gap(random)}:${tail(random)}`);

  // How deep the next line may be: an open block takes what is deeper, a value on the line forbids it.
  let most = Number.POSITIVE_INFINITY;
  for (let i = random.below(4); i > 0; i--) {
    writeFiller(writer);
    lines.push(`${indent(random, 0)}${directive(random)}${tail(random)}`);
  }
  for (const kind of templateKinds(random)) most = writeBlock(writer, kind, most);
  for (let i = random.below(4); i > 0; i--) most = writeBlock(writer, random.pick(messageKinds), most);
}

function templateKinds(random: Random): readonly string[] {
  return random.pick([[], ['context'], ['instruct'], ['context', 'instruct'], ['instruct', 'context']]);
}

function paramList(random: Random): string {
  const count = random.below(4);
  return `${gap(random)}${Array.from({ length: count }, () => typedName(random) + gap(random)).join(`,${gap(random)}`)}`;
}

function directive(random: Random): string {
  const values = Array.from({ length: 1 + random.below(3) }, () => bareValue(random));
  const list = values.join(`${gap(random)},${random.chance(70) ? ' ' : gap(random)}`);
  return `${random.pick(directiveKeys)}${gap(random)}${random.pick(['=', '+=', '-='])}${gap(random)}${list}`;
}

/** Writes a block of a thunk and gives how deep the line after it may be. */
function writeBlock(writer: Writer, kind: string, most: number): number {
  const { random, lines } = writer;
  writeFiller(writer);
  const blanks = indent(random, 0, most);
  const width = widthOf(blanks);
  const header = `${blanks}${kind}${gap(random)}:`;
  const form = random.below(5);
  if (form === 0) {
    writeFence(writer, header, false);
    return Number.POSITIVE_INFINITY;
  }
  if (form === 1) {
    lines.push(header + tail(random));
    if (random.chance(70)) return width;
    // A comment that is not deeper ends the empty block, so that deeper lines may follow.
    lines.push(comment(random));
    return Number.POSITIVE_INFINITY;
  }
  if (form === 2) {
    lines.push(header + tail(random));
    writeRawLines(writer, width);
    return width;
  }
  const text = form === 3 ? valueName(random) : lineOfText(random, false);
  lines.push(`${header}${gap(random)}${text}${textTail(random)}`);
  return width;
}

/** After text a comment needs a blank before it. */
function textTail(random: Random): string {
  return random.chance(15) ? space(random) + comment(random) : gap(random);
}
