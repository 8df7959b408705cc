/** The words of a command line and what a thunk gets of them: every form, and every mistake at once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentProgram, checkSource } from '../../program/index.ts';
import { createSource } from '../../text/index.ts';
import { chooseThunk, readThunkWords } from './thunk-words.ts';
import type { WordSource } from './word-source.ts';

const structs = 'struct Finding:\n  path: Text\n  line?: Number\n\n';

function programOf(text: string): AgentProgram {
  return checkSource(createSource('a.too', text)).program;
}

/** A thunk with these parameters. */
function signature(params: string) {
  const program = programOf(`${structs}thunk go${params}:\n  user: Go.\n`);
  const thunk = program.thunks.get('go');
  if (!thunk) throw new Error('no thunk');
  return { ...thunk, types: program.types };
}

const png = Buffer.from('89504e470d0a1a0a00', 'hex');
const files: Readonly<Record<string, string | Uint8Array>> = {
  'notes.md': 'Some notes.\n',
  'src/a.ts': 'const a = `x`;\n',
  'ticks.md': 'a\n````\nb',
  'in.json': '{"path": "x.ts"}\n',
  'pic.png': png,
  noname: png,
  'doc.pdf': '%PDF-1.7\n',
  'photo.jpg': Buffer.from('ffd8ffe0', 'hex'),
  'lfs.png': 'version https://git-lfs.github.com/spec/v1\n',
  'data.bin': Buffer.from([1, 0, 2]),
  'mark.txt': '\ufeffmarked\r\n',
  'big.txt': Buffer.alloc(12 * 1024 * 1024, 'a'),
  'big2.txt': Buffer.alloc(12 * 1024 * 1024, 'b'),
};

/** `piped`: what comes on standard input; undefined for a terminal, on which `typed` is written. */
function sourceOf(piped?: string, typed = ''): WordSource {
  return {
    isPiped: piped !== undefined,
    stdin: async () => ({ ok: true, text: piped ?? typed }),
    more: async () => ({ ok: true, text: piped ?? typed }),
    file: async (name) => {
      const found = files[name];
      if (found !== undefined) return { ok: true, bytes: Buffer.from(found) };
      return { ok: false, problem: { kind: 'missing', message: `"${name}" does not exist.` } };
    },
    beside: async (name) => {
      const dir = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : '';
      return Object.keys(files)
        .filter((each) => each.startsWith(dir) && !each.slice(dir.length).includes('/'))
        .map((each) => each.slice(dir.length));
    },
  };
}

async function good(params: string, words: readonly string[], source = sourceOf()): Promise<unknown> {
  const read = await readThunkWords(signature(params), words, source);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.args;
}

async function wrong(params: string, words: readonly string[], source = sourceOf()): Promise<readonly string[]> {
  const read = await readThunkWords(signature(params), words, source);
  return read.ok ? [] : read.problems;
}

describe('the thunk', () => {
  const several = programOf('thunk review:\n  user: a\n\nthunk sum-up:\n  user: b\n');
  const withDefault = programOf('thunk:\n  user: a\n\nthunk review:\n  user: b\n');
  const chosen = (program: AgentProgram, ...words: string[]) => {
    const choice = chooseThunk(program, words);
    return choice.ok ? [choice.thunk.name, ...choice.words] : choice;
  };

  it('is what the first word names, else the default, else the only one', () => {
    expect(chosen(several, 'sum-up', 'review', 'it')).toEqual(['sum-up', 'review', 'it']);
    expect(chosen(withDefault, 'review', 'it')).toEqual(['review', 'it']);
    expect(chosen(withDefault, 'revew', 'it')).toEqual(['default', 'revew', 'it']);
    expect(chosen(withDefault, 'default', 'it')).toEqual(['default', 'it']);
    expect(chosen(withDefault)).toEqual(['default']);
    expect(chosen(programOf('thunk only:\n  user: a\n'), 'it')).toEqual(['only', 'it']);
    expect(chosen(withDefault, 'constructor')).toEqual(['default', 'constructor']);
  });

  it('must be named where there are several and no default', () => {
    const message = '"a.too" has several thunks and none is the default; name one.';
    const help = 'Its thunks: review, sum-up.';
    expect(chosen(several)).toEqual({ ok: false, message, help });
    expect(chosen(several, 'hello', 'you')).toEqual({ ok: false, message, help });
    expect(chosen(several, 'revew')).toEqual({ ok: false, message: `${message} Did you mean "review"?`, help });
    expect(chosen(programOf('struct A:\n  b: Text\n'))).toMatchObject({ message: '"a.too" has no thunk.' });
  });
});

describe('words', () => {
  it('are arguments where the name is declared, and the input otherwise', async () => {
    const params = '(input: Message, tone?: Text, count?: Number, draft?: Boolean, tags?: Text[], at?: Finding)';
    expect(await good(params, ['tone=very short', 'hello', 'x=1', 'count=-2.5', 'you'])).toEqual({
      input: 'hello x=1 you',
      tone: 'very short',
      count: -2.5,
    });
    expect(await good(params, ['hi', 'draft=true', 'tags=["a"]', 'at={"path":"x"}', 'tone='])).toEqual({
      input: 'hi',
      draft: true,
      tags: ['a'],
      at: { path: 'x' },
      tone: '',
    });
    expect(await good(params, ['=', '==', 'a=b=c'])).toEqual({ input: '= == a=b=c' });
    expect(await good(params, ['input=a b', 'tone=a=b'])).toEqual({ input: 'a b', tone: 'a=b' });
    expect(await good(params, ['hi', 'count=null', 'tone=null'])).toEqual({ input: 'hi', tone: 'null' });
  });

  it('are read by the declared type, and all that is wrong is told at once', async () => {
    const params = '(input: Message, tone: Text, count: Number, draft: Boolean, tags: Text[], at: Finding)';
    expect(await wrong(params, ['count=many', 'draft=yes', 'tags=a,b', 'at={"pth":1}', 'tags=c'])).toEqual([
      '"count" must be Number, but it is the text "many": write a number such as 42 or -0.5',
      '"draft" must be Boolean, but it is the text "yes": write true or false',
      '"tags" is given twice: write it once',
      'the input is missing; it must be Message: write it behind the other words, pipe it in, or attach a file with @FILE',
      '"tone" is missing; it must be Text: write tone=…',
      '"tags" must be Text[], but it is the text "a,b": write a JSON list such as ["a", "b"]',
      '"at.pth" is not a field of "at". Did you mean "path"?',
      '"at.path" is missing; it must be Text',
    ]);
    expect(await wrong('(at: Finding, n: Number)', ['at={"path"'])).toEqual([
      'the JSON of "at" is broken at line 1, column 8: the text ends before its "{" is closed',
      '"n" is missing; it must be Number: write n=1',
    ]);
    expect(await wrong('(at: Finding)', [])).toEqual([
      `"at" is missing; it must be Finding: write at='{"path":"<path>","line":1}'`,
    ]);
    expect(await wrong('(n?: Number)', ['n=null', 'n=1'])).toEqual(['"n" is given twice: write it once']);
  });

  it('that were meant for a parameter are told with the missing one', async () => {
    expect(await wrong('(input: Message, tone: Text)', ['ton=short', 'hello'])).toEqual([
      '"tone" is missing; it must be Text: write tone=…; "ton=short" is no parameter, and was read as input',
    ]);
  });

  it('are nothing for a thunk without an input', async () => {
    expect(await good('(tone: Text)', ['tone=x'])).toEqual({ tone: 'x' });
    expect(await wrong('(tone: Text, path?: Text)', ['tone=x', 'hello', 'pth=y', 'you', '@notes.md'])).toEqual([
      '"hello you @notes.md" is an input, and there is none: "go" takes tone=…, path=…',
      '"pth" is not a parameter: "go" takes tone=…, path=…. Did you mean "path"?',
    ]);
    expect(await wrong('()', ['input=x'])).toEqual(['"input" is not a parameter: "go" takes no words.']);
    expect(await good('()', [], sourceOf('piped'))).toEqual({});
  });

  it('give the input once', async () => {
    expect(await wrong('(input: Message)', ['input=a', 'b', '@notes.md'])).toEqual([
      '"input" is given twice, by its name and as "b @notes.md": write it once',
    ]);
  });
});

describe('standard input', () => {
  it('is the input, or follows its words', async () => {
    expect(await good('(input: Text)', [], sourceOf('piped\n'))).toEqual({ input: 'piped' });
    expect(await good('(input: Text)', ['sum', 'up'], sourceOf('piped\n'))).toEqual({ input: 'sum up\n\npiped' });
    expect(await good('(input: Text)', ['-'], sourceOf('piped'))).toEqual({ input: 'piped' });
    expect(await good('(input: Text)', ['-'], sourceOf(undefined, 'typed\n'))).toEqual({ input: 'typed' });
    expect(await good('(input: Text)', ['-', 'x'], sourceOf())).toEqual({ input: '- x' });
    expect(await good('(input: Text)', ['hi'], sourceOf(' \n'))).toEqual({ input: 'hi' });
    expect(await good('(input: Text)', ['input=hi'], sourceOf('piped'))).toEqual({ input: 'hi' });
  });

  it('is no input when it is empty', async () => {
    for (const source of [sourceOf(''), sourceOf('\n'), sourceOf()]) {
      expect(await wrong('(input: Message)', [], source)).toEqual([
        expect.stringMatching(/^the input is missing; it must be Message: /),
      ]);
    }
  });

  it('is one value only', async () => {
    const params = '(input: Text, a?: Text, b?: Text)';
    expect(await good(params, ['a=-', 'hi'], sourceOf('piped\n'))).toEqual({ a: 'piped', input: 'hi' });
    expect(await wrong(params, ['a=-', 'b=-', 'hi'], sourceOf('piped'))).toEqual([
      'standard input is "a" already, and cannot be "b" too: write it to a file, and name that',
    ]);
    expect(await wrong(params, ['a=-', '-'], sourceOf('piped'))).toEqual([
      'standard input is "a" already, and cannot be the input too: write it to a file, and name that',
    ]);
    expect(await wrong(params, ['a=-'], sourceOf('piped'))).toEqual([expect.stringContaining('the input is missing')]);
  });

  it('that is no text is told', async () => {
    const directory = async () => ({ ok: false, message: 'it is a directory.' }) as const;
    const source: WordSource = { ...sourceOf(''), stdin: directory, more: directory };
    expect(await wrong('(input: Message)', [], source)).toContain('it is a directory');
    expect(await wrong('(input: Message)', ['hi'], source)).toEqual(['it is a directory']);
  });
});

describe('@file', () => {
  const parts = async (...words: string[]) => {
    const args = (await good('(input: Message)', words)) as { input: { role: string; content: unknown[] } };
    expect(args.input.role).toBe('user');
    return args.input.content;
  };

  it('attaches texts with their names, and pictures and PDFs as files', async () => {
    expect(await parts('look', '@notes.md', 'here', '@pic.png')).toEqual([
      { type: 'text', text: 'look here' },
      { type: 'text', text: 'notes.md:\n```\nSome notes.\n```' },
      { type: 'file', mediaType: 'image/png', url: `data:image/png;base64,${png.toString('base64')}`, name: 'pic.png' },
    ]);
    expect(await parts('@doc.pdf', '@photo.jpg', '@noname')).toMatchObject([
      { mediaType: 'application/pdf' },
      { mediaType: 'image/jpeg' },
      { mediaType: 'image/png', name: 'noname' },
    ]);
    expect(await parts('@ticks.md')).toEqual([{ type: 'text', text: 'ticks.md:\n`````\na\n````\nb\n`````' }]);
    expect(await good('(input: Message)', ['@notes.md'], sourceOf('piped'))).toMatchObject({
      input: { content: [{ text: 'piped' }, { type: 'text' }] },
    });
  });

  it('is a word with two of them, or alone', async () => {
    expect(await good('(input: Message)', ['ask', '@@bob', '@', '@@@x', 'a@b.c'])).toEqual({
      input: 'ask @bob @ @@x a@b.c',
    });
    expect(await good('(input: Text, to: Text)', ['hi', 'to=@@bob'])).toEqual({ input: 'hi', to: '@bob' });
  });

  it('must be there', async () => {
    expect(await wrong('(input: Message, n: Number)', ['@nots.md', '@src/b.ts', '@bob'])).toEqual([
      '"nots.md" does not exist; for a text that begins with "@" write @@nots.md. Did you mean "notes.md"?',
      '"src/b.ts" does not exist; for a text that begins with "@" write @@src/b.ts. Did you mean "src/a.ts"?',
      '"bob" does not exist; for a text that begins with "@" write @@bob.',
      '"n" is missing; it must be Number: write n=1',
    ]);
    expect(await wrong('(to: Text)', ['to=@bob'])).toEqual([
      '"bob" does not exist; for a text that begins with "@" write to=@@bob.',
    ]);
  });

  it('must be something that models read, and not too much of it', async () => {
    expect(await wrong('(input: Message)', ['@data.bin', '@lfs.png'])).toEqual([
      '"data.bin" is not a text file: it holds a NUL byte at line 1, column 2. Attach texts, pictures (png, jpg, gif, webp) and PDFs',
      '"lfs.png" is called .png, but does not hold what such a file begins with',
    ]);
    expect(await wrong('(input: Message)', ['@big.txt', '@big2.txt', '@notes.md'])).toEqual([
      'the files have more than 20 MB together: attach fewer, or parts of them',
    ]);
  });

  it('is a part of the text where the input is no Message', async () => {
    expect(await good('(input: Text)', ['sum up', '@notes.md', '@mark.txt'])).toEqual({
      input: 'sum up\n\nSome notes.\n\nmarked',
    });
    expect(await good('(input: Finding)', ['@in.json'])).toEqual({ input: { path: 'x.ts' } });
    expect(await wrong('(input: Text)', ['look', '@pic.png'])).toEqual([
      'the input must be Text, and "pic.png" is no text: it cannot be attached to it',
    ]);
  });

  it('is the value of a parameter', async () => {
    expect(await good('(at: Finding, note: Text)', ['at=@in.json', 'note=@notes.md'])).toEqual({
      at: { path: 'x.ts' },
      note: 'Some notes.',
    });
    expect(await good('(pic: Message)', ['pic=@pic.png'])).toMatchObject({
      pic: { role: 'user', content: [{ type: 'file', mediaType: 'image/png' }] },
    });
    expect(await wrong('(pic: Text)', ['pic=@pic.png'])).toEqual(['"pic" must be Text, and "pic.png" is no text']);
  });
});

describe('an input that is no text', () => {
  it('is found in what is said, and how is told', async () => {
    const read = await readThunkWords(signature('(input: Finding)'), ['it is', '{path: "a", line: "3"}'], sourceOf());
    expect(read).toMatchObject({ ok: true, args: { input: { path: 'a', line: 3 } } });
    expect(read.ok && read.repairs).toContain('took the JSON out of the text around it');
    expect(await good('(input: Number)', ['42'])).toEqual({ input: 42 });
    expect(await good('(input: Boolean)', [], sourceOf('true\n'))).toEqual({ input: true });
    expect(await good('(input: Json)', ['see', '[1]'])).toEqual({ input: 'see [1]' });
    expect(await good('(input: Json)', ['[1]'])).toEqual({ input: [1] });
  });

  it('is refused with what to write', async () => {
    expect(await wrong('(input: Number)', ['many'])).toEqual([
      'the input must be Number and nothing else, but it is the text "many": write a number such as 42 or -0.5',
    ]);
    expect(await wrong('(input: Finding)', ['hello'])).toEqual([
      'the input must be JSON for Finding, but it is text without JSON, "hello": write a JSON object',
    ]);
    expect(await wrong('(input: Finding)', ['{"path": 1}'])).toEqual([
      '"input.path" must be Text, but it is the number 1',
    ]);
    expect(await wrong('(input: Finding)', ['{"path": '])).toEqual([
      expect.stringMatching(/^the JSON of the input is broken at line 1, column \d+: /),
    ]);
    expect(await wrong('(input: Finding)', ['input={"path": "a", "line": "3"}'])).toEqual([
      '"input.line" must be Number, but it is the text "3"',
    ]);
  });
});

it('gives every text back as it was, and has an answer for any words', async () => {
  const taken = signature('(input: Message, tone?: Text, n?: Number)');
  const none = signature('(tone: Text)');
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ minLength: 1 })), fc.string(), async (words, tone) => {
      fc.pre(!/^[@-]/.test(tone) && words.every((word) => !word.startsWith('@') && !/^(input|tone|n)=/.test(word)));
      const said = words.join(' ');
      fc.pre(said.trim() !== '' && said !== '-');
      const read = await readThunkWords(taken, [`tone=${tone}`, ...words], sourceOf());
      expect(read).toEqual({ ok: true, args: { input: said, tone }, repairs: [] });
    }),
  );
  const word = fc.constantFrom(
    'tone=',
    'n=',
    'n=1',
    'input=',
    '@',
    '@@x',
    '@notes.md',
    '@nope',
    '-',
    '=',
    'x',
    '{',
    '__proto__=1',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word), fc.option(fc.string()), async (words, piped) => {
      const source = sourceOf(piped ?? undefined);
      for (const each of [taken, none]) {
        const read = await readThunkWords(each, words, source);
        if (!read.ok) expect(read.problems).not.toEqual([]);
      }
    }),
  );
});
