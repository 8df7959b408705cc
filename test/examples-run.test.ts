/** Every example that can be run is run, with the commands that a person would use: no key, no network, nobody to wait for. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryContext } from '../src/cli/memory-context.ts';
import { runCli } from '../src/cli/run.ts';
import { type Ran, type Scratch, scratch } from '../src/cli/scratch.ts';
import { gitEnv } from './repository.ts';

interface Example {
  readonly input: Readonly<Record<string, unknown>>;
  /** The result, in full. */
  readonly gives: unknown;
  /** What a person says when the run waits. */
  readonly says?: readonly string[];
  readonly flags?: readonly string[];
  /** Its first line, behind the id. */
  readonly model?: string;
}

const scripted = 'model: scripted';

const examples: Readonly<Record<string, Example>> = {
  'briefs.toon': {
    input: { news: 'A bridge was opened by the mayor in the rain', mail: 'Ada writes that she asks for the minutes' },
    gives: { text: 'A bridge was opened.\nAda asks for the minutes.', saved: 9 },
    model: scripted,
  },
  'checks/checks.toon': {
    input: { text: `a long line\n${'word '.repeat(30)}` },
    gives: { ok: false, reason: 'line 2 is long' },
  },
  'glossary.toon': {
    input: { term: 'worktree', language: 'en' },
    gives: '## worktree\n\nA worktree is a second folder of the same repository.',
    model: scripted,
  },
  'effect/stock.toon': { input: { item: 'tea', count: 3 }, gives: '3 of 12 x tea: 90 EUR' },
  'hotfix.toon': {
    input: { id: '7' },
    gives: 'fix 7: The list is sorted before it is cut (0 files)',
    model: scripted,
  },
  'invoices/invoices.toon': {
    input: { from: 'Shop@example.org', subject: 'Invoice', body: 'Paper 12.50, ink 30.00' },
    gives: { total: 42.5, currency: 'EUR' },
    model: scripted,
  },
  'letter.toon': {
    input: { name: 'Ada', reasons: ['the notes', 'the programs'] },
    gives: { subject: 'Thank you', lines: ['Dear Ada,', 'Thank you for the notes. {signature}'] },
    model: scripted,
  },
  'notify/notify.toon': { input: { text: 'Hello' }, gives: 'posted as 1' },
  'notes/notes.toon': { input: { file: 'meeting.md' }, gives: 2, model: scripted },
  'plugin/radio.toon': {
    input: { guest: 'Ada' },
    gives: { title: 'A-D-A on Radio Four', text: 'Good evening, Ada. (5 min)', next: 'the news' },
  },
  'polish.toon': {
    input: { text: 'It is, so to say, in some sense a good text.' },
    gives: { text: 'It is a good text.', rounds: 2 },
    model: scripted,
  },
  'publish.toon': {
    input: { title: 'Bees' },
    says: ['deny', '--note', 'too short'],
    gives: { state: 'kept back', note: 'too short' },
    model: scripted,
  },
  'release/announce.toon': {
    input: { version: '2.0.0', text: 'Pages open twice as fast.' },
    gives: { channels: ['blog', 'mail', 'chat'], length: 25 },
  },
  'release/release.toon': {
    input: { version: '1.4.0', changes: ['faster pages'] },
    says: ['approve'],
    gives: { rounds: 2, channels: ['chat'] },
    model: scripted,
  },
  'review/review.toon': {
    input: { file: 'review.md' },
    gives: { findings: [{ line: 1, problem: 'The file does not say what it is for' }] },
    model: scripted,
  },
  'second-opinion.toon': {
    input: { task: 'Sort the list before it is cut.' },
    gives: ['The tests are old.'],
    model: `${scripted} (second-opinion.script.toon)`,
    flags: ['--script', 'second-opinion.script.toon'],
  },
  'ship/notes.toon': {
    input: { title: 'Version 2', changes: ['faster'] },
    gives: { text: '# Version 2\n\nIt is faster.' },
    model: scripted,
  },
  'ship/ship.toon': {
    input: { version: '2', changes: ['faster'] },
    gives: '# Version 2\n\nIt is faster.\n(1 changes, tested: true)',
    model: scripted,
  },
  'steady.toon': { input: { good: 2 }, gives: 'It is as it was yesterday.', model: scripted },
  'summary.toon': {
    input: { topic: 'bees' },
    gives: {
      title: 'What bees see',
      text: 'Bees see ultraviolet light. What they think of Mondays is not known.',
    },
    model: scripted,
  },
  'tickets/tickets.toon': { input: { title: 'Login fails' }, gives: { id: 3 }, model: scripted },
  'translate.toon': {
    input: { text: 'The bees dance.' },
    gives: 'Die Bienen tanzen.\nLes abeilles dansent.',
    model: scripted,
  },
  'triage.toon': {
    input: { message: 'I cannot log in, nobody can!' },
    gives: { sent: true, to: 'on-call' },
    model: `${scripted} (triage.script.toon)`,
    flags: ['--script', 'triage.script.toon'],
  },
  'two-reviews.toon': {
    input: { diff: '+ print(token)' },
    gives: { findings: ['The token is printed', 'x says nothing', 'the comment is old'], merge: false },
    model: scripted,
  },
  'worktree/changelog.toon': {
    input: { version: '1.2', lines: ['Faster pages'] },
    gives: { changed: '?? CHANGES.md', last: '1.2' },
  },
};

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'examples/workflows');

const ana = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org'];

let s: Scratch;
beforeAll(() => {
  s = scratch();
  // They keep what they did beside themselves, so a copy is run; schemas of examples are made with packages of ours.
  cpSync(folder, s.dir, { recursive: true });
  symlinkSync(join(root, 'node_modules'), s.at('node_modules'), 'dir');
  // Worktrees are folders of a repository.
  for (const args of [['init'], ['add', 'hotfix.toon', 'worktree'], [...ana, 'commit', '-m', 'first']]) {
    execFileSync('git', args, { cwd: s.dir, stdio: 'ignore', env: gitEnv(s.home) });
  }
});
afterAll(() => s.remove());

it('all are found right by the command line at once', async () => {
  for (const [argv, said] of [
    [['check', '.'], 'no problems in'],
    [['fmt', '--check', '.'], 'nothing to change in'],
  ] as const) {
    const context = memoryContext({ cwd: join(root, 'examples'), env: { HOME: s.home, PATH: process.env.PATH } });
    const code = await runCli(argv, context);
    expect({ code, out: context.out(), err: context.err() }).toMatchObject({ code: 0, out: '' });
    expect(context.err()).toContain(said);
  }
});

it('every example is run here', () => {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.toon') && !name.endsWith('.script.toon'))
    // What has no name is there to be imported.
    .filter((name) => /^name: /m.test(readFileSync(join(folder, name), 'utf8')));
  expect(Object.keys(examples).sort()).toEqual(all.sort());
});

describe.each(Object.entries(examples))('%s', (name, { input, gives, says, model, flags = [] }) => {
  it('runs to its end', async () => {
    let ran = await go('run', name, ...given(name, input), ...flags);
    const [, id = '', about] = /^ {2}[\w-]+ · run (\w+)(?: {2}(.*))?\n/.exec(ran.err) ?? [];
    expect(about).toBe(model);
    if (says !== undefined) {
      expect({ ...ran, err: '' }).toEqual({ code: 3, out: '', err: '' });
      const [word = '', ...more] = says;
      ran = await go(word, id, ...more);
    }
    expect(ran.err).toContain('\n  done  ');
    expect(ran.code).toBe(0);
    expect(typeof gives === 'string' ? ran.out : JSON.parse(ran.out)).toEqual(
      typeof gives === 'string' ? `${gives}\n` : gives,
    );
    const shown = await go('show', id);
    expect(shown.code).toBe(0);
    expect(shown.out).toContain('done');
  });
});

function given(name: string, input: Example['input']): string[] {
  if (Object.keys(input).length === 0) return [];
  s.write(`${name}.input.json`, JSON.stringify(input));
  return ['--input', `@${name}.input.json`];
}

function go(...words: string[]): Promise<Ran> {
  return s.cli(words, { env: { USER: 'ana', PATH: process.env.PATH } });
}
