/** Help of agents and thunks: what a signature and its comments say, in 80 columns. */
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentProgram, checkSource } from '../../program/index.ts';
import { createSource, displayWidth } from '../../text/index.ts';
import { programHelp, thunkHelp } from './thunk-help.ts';
import { readThunkWords } from './thunk-words.ts';

const text = `##! Reviews changes.
##! And sums them up.

struct Place:
  path: Text
  ## Counted from 1.
  line?: Number

struct Finding:
  ## Where it is.
  at: Place
  also: Place[]
  inner?: Finding

## Review a change.
## It reads the files.
thunk(input: Message, focus?: Text) -> Finding[]:
  user: Go.

## Sum up.
thunk sum-up(places: Place[], words: Number, title: Text, deep: Boolean) -> Text:
  user: Go.

thunk bare():
  user: Go.
`;
const program = checkSource(createSource('agent.too', text)).program;

function helpOf(name: string, of: AgentProgram = program, file = 'agent.too', color = false): string {
  const thunk = of.thunks.get(name);
  if (!thunk) throw new Error(`no thunk ${name}`);
  return thunkHelp(of, thunk, file, color);
}

describe('the help of a thunk', () => {
  it('says how it is called, what it takes and gives, and what else there is', () => {
    expect(helpOf('default')).toBe(`toolang agent.too: Review a change.
It reads the files.

Usage
  toolang agent.too [focus=TEXT] INPUT… [FLAGS]

Parameters
  input   Message  the words behind, or what is piped in; @FILE attaches a file
  focus?  Text

Output
  Finding[]
    at       Place    Where it is.
      path   Text
      line?  Number   Counted from 1.
    also     Place[]
    inner?   Finding

Other thunks
  sum-up  Sum up.
  bare

Examples
  toolang agent.too 'say here what you want'

All flags: toolang invoke --help
`);
  });

  it('is named where another would be meant, and quoted where a shell needs it', () => {
    expect(helpOf('sum-up', program, 'my agent.too')).toContain(
      "toolang 'my agent.too' sum-up places=PLACE[] words=NUMBER title=TEXT\n    deep=BOOLEAN [FLAGS]\n",
    );
    expect(helpOf('bare', program, 'reviewer')).toContain('\n  toolang invoke reviewer bare [FLAGS]\n');
    expect(helpOf('bare')).not.toContain('Parameters');
  });

  it('has an example that a shell takes, and the thunk too', async () => {
    const thunk = program.thunks.get('sum-up');
    const example = /\nExamples\n((?:.|\n)*?)\n\n/.exec(helpOf('sum-up'))?.[1] ?? '';
    const ran = spawnSync('sh', ['-c', `toolang() { printf '%s\\0' "$@"; }\n${example}`], { encoding: 'utf8' });
    const [file, name, ...words] = ran.stdout.split('\0').slice(0, -1);
    expect([file, name]).toEqual(['agent.too', 'sum-up']);
    const read = await readThunkWords({ name: 'sum-up', params: thunk?.params ?? [], types: program.types }, words, {
      isPiped: false,
      stdin: () => Promise.reject(new Error('not asked')),
      more: () => Promise.reject(new Error('not asked')),
      file: () => Promise.reject(new Error('not asked')),
      beside: () => Promise.reject(new Error('not asked')),
    });
    expect(read).toMatchObject({
      ok: true,
      args: { places: [{ path: '<path>', line: 1 }], words: 1, title: 'some title', deep: true },
    });
  });

  it('is coloured when it is asked for', () => {
    expect(helpOf('bare', program, 'a.too', true)).toContain('\x1b[1mUsage');
    expect(helpOf('bare')).not.toContain('\x1b');
  });
});

describe('the help of an agent', () => {
  it('lists its thunks with the first line of what they say', () => {
    expect(programHelp(program, 'agent.too', false)).toBe(`toolang agent.too: Reviews changes.
And sums them up.

Usage
  toolang agent.too [THUNK] [name=value…] [INPUT…] [FLAGS]

Thunks
  default  Review a change.
  sum-up   Sum up.
  bare

Examples
  toolang agent.too 'say here what you want'
  toolang agent.too sum-up places='[{"path":"<path>","line":1}]' words=1 \\
    title='some title' deep=true
  toolang agent.too bare
  toolang agent.too sum-up --help

All flags: toolang invoke --help
`);
  });

  it('says all of its only thunk', () => {
    const one = checkSource(createSource('a.too', '##! All.\n\n## One.\nthunk go(n: Number) -> Text:\n  user: x\n'));
    const help = programHelp(one.program, 'a.too', false);
    expect(help).toMatch(/^toolang a\.too: All\.\n\nOne\.\n\nUsage\n {2}toolang a\.too n=NUMBER \[FLAGS\]\n/);
    expect(help).toContain('Output\n  Text\n');
  });
});

it('fits in 80 columns whatever is said, and obeys nothing of it', () => {
  const doc = fc.array(fc.string({ unit: 'grapheme', maxLength: 200 }), { minLength: 1, maxLength: 4 });
  const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,30}$/);
  fc.assert(
    fc.property(doc, name, fc.uniqueArray(name, { maxLength: 6 }), (docs, thunk, params) => {
      const about = docs.map((line) => `## ${line.replaceAll(/[\r\n\u2028\u2029\u0085]/g, ' ')}`).join('\n');
      const list = params.filter((each) => each !== 'input' && each !== 'runtime').map((each) => `${each}: Text`);
      const source = `struct S:\n${about.replaceAll(/^/gm, '  ')}\n  f: Text\n\n${about}\nthunk ${thunk}(${['s?: S', ...list.filter((each) => each !== 's: Text')].join(', ')}) -> S[]:\n  user: x\n`;
      const made = checkSource(createSource('a.too', source)).program;
      const found = made.thunks.get(thunk);
      if (!found) return;
      for (const help of [thunkHelp(made, found, 'a.too', false), programHelp(made, 'a.too', false)]) {
        for (const line of help.split('\n')) {
          expect(line).toBe(line.replaceAll(/[\p{Cc}\u202e]/gu, ''));
          expect(displayWidth(line)).toBeLessThanOrEqual(80);
        }
      }
    }),
    { numRuns: 60 },
  );
});

it('of a file without thunks says that there is nothing to run', () => {
  const empty = checkSource(createSource('empty.too', 'struct Note:\n  title: Text\n')).program;
  expect(programHelp(empty, 'empty.too', false)).toBe(
    'toolang empty.too\n\nIt has no thunk, so nothing of it can be run.\n',
  );
});
