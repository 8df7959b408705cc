/** What is given wrongly to agents ends in a clear result: an exit code, a message, what to do; and nothing is asked. */
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { useKit } from './kit.ts';
import { finalOf } from './sent.ts';

const kit = useKit();
const hello = 'thunk:\n  tools -= filesystem\n';

describe('the agent', () => {
  it.each([
    ['a file that is not there', ['nobody.too', 'x'], 'nobody.too'],
    ['an agent that is not there', ['invoke', 'nobody', 'x'], 'nobody'],
    ['a folder', ['sub.too', 'x'], 'sub.too'],
    ['a workflow', ['invoke', 'w.toon', 'x'], 'is a workflow, not an agent'],
    ['no agent at all', ['invoke'], 'AGENT'],
    ['a file of bytes', ['bytes.too', 'x'], 'bytes.too'],
    ['an empty file', ['empty.too', 'x'], 'has no thunk'],
    ['a flag that is not there', ['a.too', '--nothing', 'x'], '--nothing'],
    ['--script with a file that is not there', ['a.too', '--script', 'no.toon', 'x'], 'no.toon'],
    ['--caps that is no selector', ['a.too', '--caps', '[scope:nowhere]', 'x'], 'nowhere'],
    ['--tools that names nothing', ['a.too', '--tools', 'filesytem', 'x'], 'Did you mean "filesystem"?'],
    ['--models that is no selector', ['a.too', '--models', '[provder:x]', 'x'], '--models'],
  ])('%s', async (_, words, expected) => {
    kit.s.write('a.too', hello);
    kit.s.write('a.script.toon', 'replies[1]:\n  - for: a\n    text: unasked\n');
    kit.s.write('empty.too', '');
    kit.s.write('bytes.too', Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x81]));
    kit.s.write('w.toon', 'name: w\n');
    mkdirSync(kit.s.at('sub.too'));
    const ran = await kit.s.cli(words);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err).toContain(expected);
    expect(ran.err).not.toMatch(/a bug of ours|at .*\.ts:\d/);
  });

  it('an unknown thunk is the input where there is a default; else the closest is named', async () => {
    expect(finalOf((await kit.ask(hello, ['revew', 'this'])).sent)).toBe('revew this');
    const near = await kit.ask('thunk:\n  user: Hi.\n\nthunk review:\n  user: Hi.\n', ['revew', 'x']);
    expect([near.code, near.requests.length]).toEqual([0, 1]);
    expect(near.err).toContain('"revew" names no thunk, and is an input of "default". Did you mean "review"?');
    const { code, err, requests } = await kit.ask('thunk review:\n  user: Hi.\n\nthunk write:\n  user: Hi.\n', [
      'revew',
      'x',
    ]);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('Did you mean "review"?');
    expect(err).toContain('Its thunks: review, write.');
  });

  it('a source with errors is told with all of them, each with its place', async () => {
    const { code, err, requests } = await kit.ask(
      'thunk:\n  tools = nothing\n  skills = none-such\n  user: {{nobody}}\n',
      ['x'],
    );
    expect([code, requests]).toEqual([2, []]);
    for (const place of ['a.too:2:11', 'a.too:3:12', 'a.too:4:']) expect(err).toContain(place);
    expect(err).toContain('3 errors: mend them first');
  });
});

describe('what is said to it', () => {
  it.each([
    ['no input', hello, [], 'the input is missing'],
    ['an empty word', hello, [''], 'argument 2 of invoke is empty'],
    ['blanks', hello, ['  \n '], 'the input is missing'],
    [
      'a missing parameter',
      'thunk go(path: Text):\n  user: {{path}}\n',
      [],
      '"path" is missing; it must be Text: write path=',
    ],
    ['a number that is none', 'thunk go(n: Number):\n  user: {{n}}\n', ['n=many'], '"n"'],
    ['a parameter twice', 'thunk go(n: Number):\n  user: {{n}}\n', ['n=1', 'n=2'], 'given twice'],
    [
      'a struct without a field',
      'struct P:\n  city: Text\n\nthunk go(input: P):\n  user: Hi.\n',
      ['{"town": "Graz"}'],
      'city',
    ],
    [
      'a struct that is no JSON',
      'struct P:\n  city: Text\n\nthunk go(input: P):\n  user: Hi.\n',
      ['Graz'],
      'the input must be',
    ],
    [
      'a struct with a wrong field',
      'struct P:\n  city: Text\n\nthunk go(p: P):\n  user: Hi.\n',
      ['p={"city": 3}'],
      'city',
    ],
    ['a file that is not there', hello, ['@nothing.md'], 'nothing.md'],
    [
      'a prompt without its arguments',
      'prompt say:\n  Say {{what}} to {{input}}.\n\nthunk:\n  user: Hi.\n',
      ['/say'],
      '/say needs what and text. Write /say what=… text…',
    ],
  ])('%s', async (_, source, words, expected) => {
    const { code, err, out, requests } = await kit.ask(source, words);
    expect([code, out, requests]).toEqual([2, '', []]);
    expect(err).toContain(expected);
    expect(err).not.toContain('a bug of ours');
  });

  it('an unknown slash word passes through', async () => {
    expect(finalOf((await kit.ask(hello, ['/rewrte it'])).sent)).toBe('/rewrte it');
  });

  it('an input that says nothing is told, where there is nothing else to say', async () => {
    const { code, err, requests } = await kit.ask(hello, ['input=']);
    expect([code, requests]).toEqual([1, []]);
    expect(err).toContain('"default" has nothing to send: neither its texts nor what it was given say anything');
    expect(finalOf((await kit.ask(`${hello}  user: Hi.\n`, ['input='])).sent)).toBe('Hi.');
  });

  it('an input of a megabyte that costs more than the limit is asked about, and nothing is paid', async () => {
    kit.s.write('.toolang/config.toml', '[limits]\nusd = 0.2\n');
    const { code, err, requests } = await kit.ask(hello, ['word '.repeat(200_000)]);
    expect([code, requests.length]).toEqual([4, 0]);
    expect(err).toMatch(/toolang answer \w+ --add/);
    expect(err.length).toBeLessThan(3000);
  });

  it('an input of a megabyte, by a word, a pipe and a file', async () => {
    const big = 'ä😀 '.repeat(145_000);
    kit.s.write('.toolang/config.toml', '[limits]\nusd = 50\n');
    kit.s.write('big.txt', big);
    for (const [words, options] of [
      [[big], {}],
      [[], { stdin: big }],
      [['Look:', '@big.txt'], {}],
    ] as const) {
      const { code, sent, err } = await kit.ask(hello, words, options);
      expect([code, err.length < 2000]).toEqual([0, true]);
      expect(finalOf(sent).includes(big.trim())).toBe(true);
    }
  });

  it.each([
    ['unicode', 'Grüße, 世界 👩‍👩‍👧 e\u0301 \u{10FFFF}'],
    ['text that runs to the left', '\u202Eevil\u202C \u2066x\u2069'],
    ['control characters', 'a\u0000b\u0007c\u001b[31md\u007f\u0085e'],
    ['half of a pair', 'a\ud800b'],
    ['a byte order mark', '\ufeffHello'],
    ['line ends of all kinds', 'a\r\nb\rc\u2028d'],
    ['templates and brackets', '{{input}} {x} 🛠️[a]\n🛠️[/end] </context>'],
  ])('%s', async (_, text) => {
    const { code, sent, err } = await kit.ask(hello, [text]);
    expect(code).toBe(0);
    // What is half a character is no text for anybody: it is sent as the sign that stands for it.
    expect(finalOf(sent)).toBe(text.replace('\ud800', '\ufffd'));
    expect(err).not.toMatch(/[\u0000\u0007\u001b\u202e]/);
  });

  it('names that every object has are names like others', async () => {
    const source = 'thunk go(constructor?: Text):\n  user: a{{constructor}}b\n';
    expect(finalOf((await kit.ask(source)).sent)).toBe('ab');
    expect(finalOf((await kit.ask(source, ['constructor=x'])).sent)).toBe('axb');
  });

  it('what is piped as bytes that are no text is told', async () => {
    const { code, err, requests } = await kit.ask(hello, ['Look:'], { stdin: new Uint8Array([0xff, 0xfe, 0x80]) });
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('<stdin>');
  });
});

describe('where the source lies', () => {
  it.each(['c#.too', 'c#/a.too', 'a b.too', 'a"b.too', 'ä-코드.too', 'a.b.too'])('its name may be %s', async (file) => {
    kit.s.write(file, 'thunk help:\n  tools -= filesystem\n\nthunk other:\n');
    kit.s.write(file.replace('.too', '.script.toon'), 'replies[1]:\n  - for: help\n    text: Helped.\n');
    const { out, err } = await kit.s.cli([file, 'help', 'Hi.'], { env: {} });
    expect([out, err]).toEqual(['Helped.\n', expect.any(String)]);
    expect((await kit.s.cli(['runs'])).out).toContain('help');
  });

  it.each([
    ['lines that end with CR LF', 'thunk:\r\n  tools -= filesystem\r\n  user:\r\n    One.\r\n    Two.\r\n'],
    ['a byte order mark', '\ufeffthunk:\n  tools -= filesystem\n  user:\n    One.\n    Two.\n'],
    ['no end of the last line', 'thunk:\n  tools -= filesystem\n  user:\n    One.\n    Two.'],
    ['tabs', 'thunk:\n\ttools -= filesystem\n\tuser:\n\t\tOne.\n\t\tTwo.\n'],
  ])('%s', async (_, source) => {
    expect(finalOf((await kit.ask(source, ['x'])).sent)).toBe('One.\nTwo.\n\nx');
  });

  it.each(['my agents/an agent.too', 'größe/日本 語.too', "it's/a'b.too", '-dash.too', 'a.b.c.too'])(
    'a path as %j',
    async (file) => {
      const { code, sent, err } = await kit.ask(hello, ['x'], { file: file.startsWith('-') ? `./${file}` : file });
      expect([code, err]).toEqual([0, expect.any(String)]);
      expect(finalOf(sent)).toBe('x');
    },
  );

  describe('a home that cannot be written', () => {
    const isRoot = process.getuid?.() === 0;
    afterEach(() => {
      try {
        chmodSync(kit.s.at('.toolang'), 0o755);
      } catch {
        // It was a file, or is gone.
      }
    });

    it.skipIf(isRoot)('is told, with its path', async () => {
      kit.s.write('.toolang/config.toml', '');
      chmodSync(kit.s.at('.toolang'), 0o555);
      kit.s.write('a.too', hello);
      const ran = await kit.s.cli(['a.too', 'x']);
      expect(ran.code).toBe(2);
      expect(ran.err).toContain('.toolang');
    });

    it('or a store in one, or a memory that is none, is told with its path', async () => {
      kit.s.write('a.too', 'thunk:\n  recall = memory\n');
      kit.s.write('a.script.toon', 'replies[1]:\n  - for: a\n    text: Yes.\n');
      const store = await kit.s.cli(['a.too', '--store', '/sys/none/runs.db', 'x']);
      expect([store.code, store.err]).toEqual([2, expect.stringContaining('the store "/sys/none/runs.db" cannot be')]);
      kit.s.write('.toolang/memory.db', 'This is no database of anything, whatever it is called.');
      const memory = await kit.s.cli(['a.too', 'x']);
      expect([memory.code, memory.out]).toEqual([1, '']);
      expect(memory.err).toContain('is no database of memories, or is damaged');
    });

    it('that is a file is told, with its path', async () => {
      rmSync(kit.s.at('.toolang'), { recursive: true, force: true });
      writeFileSync(kit.s.at('.toolang'), 'x');
      kit.s.write('a.too', hello);
      kit.s.write('a.script.toon', 'replies[1]:\n  - for: a\n    text: Yes.\n');
      const ran = await kit.s.cli(['a.too', 'x']);
      expect([ran.code === 0, ran.err]).toEqual([false, expect.stringContaining('.toolang')]);
      expect(ran.err).not.toContain('a bug of ours');
      rmSync(kit.s.at('.toolang'));
    });
  });
});
