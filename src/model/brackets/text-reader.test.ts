import { expect, it } from 'vitest';
import { end, M } from '../../../test/ai/given.ts';
import type { ScanOptions } from '../../calls/index.ts';
import { createTextReader } from './text-reader.ts';

/** What is told of the text, in short: texts as they are, `<name args>` … `>` for calls. */
function read(
  text: string,
  given: { fencesAreText?: boolean; scan?: ScanOptions; size?: number; said?: string[] } = {},
): string {
  const { fencesAreText = false, scan = {}, size = 1, said = [] } = given;
  let out = '';
  const reader = createTextReader(
    { names: ['weather', 'create-file', 'results'], scan, fencesAreText },
    {
      text: (piece) => (out += piece),
      callStart: ({ toolName, rawArgs }) => (out += `<${toolName} ${rawArgs}|`),
      body: (event) => (out += event.text),
      callEnd: ({ complete }) => (out += complete ? '>' : '…'),
      diagnostic: ({ code }) => void said.push(code),
    },
  );
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  reader.end();
  return out;
}

function readBoth(text: string, given: { fencesAreText?: boolean; scan?: ScanOptions } = {}): string {
  const inPieces = read(text, { ...given, size: 1 });
  expect(read(text, { ...given, size: 1e9 })).toBe(inPieces);
  return inPieces;
}

it('tells text and calls', () => {
  expect(readBoth(`a ${M}[weather Paris]\nb${end} c`)).toBe('a <weather Paris|b> c');
});

it('tells nothing from a made-up result on', () => {
  expect(readBoth(`a${M}[weather x]\n${end}\n${M}[result 0 weather ok]\nhot${end} b ${M}[weather y]${end}`)).toBe(
    'a<weather x|>\n',
  );
  expect(readBoth(`a ${M}[result`)).toBe('a ');
  expect(readBoth(`a ${M}[result 0 wea`)).toBe('a ');
});

it('tells a tool whose name only begins like a result', () => {
  expect(readBoth(`${M}[results 1]${end}`)).toBe('<results 1|>');
});

it('leaves out an end marker that repeats the one of a call', () => {
  expect(readBoth(`${M}[weather x]${end}\n${end}\n${end} b`)).toBe('<weather x|>\n\n b');
});

it('keeps an end marker that stands somewhere else', () => {
  expect(readBoth(`The end is ${end}.`)).toBe(`The end is ${end}.`);
  expect(readBoth(`${M}[weather x]${end} The end is ${end}.`)).toBe(`<weather x|> The end is ${end}.`);
});

it('tells a header that the end of the text cut off as a call that broke off', () => {
  expect(readBoth(`a ${M}[weather Par`)).toBe('a <weather Par|…');
  expect(readBoth(`a ${M}[weather`)).toBe('a <weather |…');
});

it('does not take a bracket of a header that the end of the text cut off for a mistake', () => {
  const said: string[] = [];
  expect(read(`${M}[weather a[b`, { said })).toBe('<weather a[b|…');
  expect(said).toEqual(['unterminated']);
});

it.each(['', ' ', 'wea', 'res', 'create-', 'other', 'other x'])(
  'keeps a header that the end of the text cut off when it names no tool, and says so: %j',
  (header) => {
    for (const given of [{}, { scan: { multilineHeader: true, literalHeader: true } }, { fencesAreText: true }]) {
      const said: string[] = [];
      expect(readBoth(`a ${M}[${header}`, given)).toBe(`a ${M}[${header}`);
      read(`a ${M}[${header}`, { ...given, said });
      expect(said).toEqual(['unterminated']);
    }
  },
);

it('says that a result is made up also when the text ends in its header', () => {
  for (const header of ['result', 'result ', 'result 0 wea', 'result 0 weather ok]']) {
    const said: string[] = [];
    expect(read(`a ${M}[${header}`, { said })).toBe('a ');
    expect(said).toEqual(['fabricated-result']);
  }
});

it('says nothing of a header where a body ends in the middle of an end marker', () => {
  const said: string[] = [];
  expect(read(`${M}[weather x]\na${M}[`, { said })).toBe(`<weather x|a${M}[…`);
  expect(said).toEqual(['unterminated']);
});

it('keeps what could be no tool', () => {
  expect(readBoth(`a ${M}[other`)).toBe(`a ${M}[other`);
  expect(readBoth(`a ${M}`)).toBe(`a ${M}`);
  expect(readBoth(`a ${M}[other] b`)).toBe(`a ${M}[other] b`);
});

it('tells an unknown tool when it is clearly called', () => {
  expect(readBoth(`${M}[other x]\n${end}`)).toBe('<other x|>');
});

it('leaves calls in fences as they stand when it is told so', () => {
  const example = `\`\`\`\n${M}[ weather  x ]\r\nbody ${M}[x]\n${end}\n\`\`\`\n`;
  expect(readBoth(`${example}${M}[weather y]${end}`, { fencesAreText: true })).toBe(`${example}<weather y|>`);
  expect(readBoth(example)).toBe('```\n<weather x|body 🛠️[x]\n>\n```\n');
});

it('leaves an example in a fence as it stands wherever the text ends in it', () => {
  const example = `See:\n\`\`\`\n${M}[ weather  Paris ]\r\nbody\n${end}\n`;
  for (let length = 0; length <= example.length; length++) {
    const cut = example.slice(0, length);
    expect(readBoth(cut, { fencesAreText: true })).toBe(cut);
  }
});

it('reads markers as strictly as it is told', () => {
  expect(readBoth(`\u{1f6e0}[weather x]${end}`)).toBe('<weather x|>');
  expect(readBoth(`\u{1f6e0}[weather x]`, { scan: { strict: true } })).toBe('\u{1f6e0}[weather x]');
});
