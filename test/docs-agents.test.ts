/** The files of docs/agents.md are right, and its commands print what the page says: ids, times and tokens aside. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { mostHandoffs, mostRepairs } from '../src/agent/index.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { asShown, commandWords, samplesOf } from './console-samples.ts';

const page = readFileSync(new URL('../docs/agents.md', import.meta.url), 'utf8');
const files = readBlocks(page).flatMap(({ words, text }) => {
  const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
  return name === undefined ? [] : [{ name, text }];
});

describe('docs/agents.md', () => {
  let s: Scratch;
  /** The runs of the page, by the ids that it gives them. */
  const ids = new Map<string, string>();
  beforeAll(() => {
    s = scratch();
    for (const { name, text } of files) s.write(name, text);
  });
  afterAll(() => s.remove());

  it('has files that are right as they are written', async () => {
    expect(await s.cli(['check', '.'])).toEqual({
      code: 0,
      out: '',
      err: `no problems in ${files.length - 1} files\n`,
    });
    expect((await s.cli(['fmt', '--check', '.'])).code).toBe(0);
  });

  it.each(samplesOf(page))('%s', async (command, shown) => {
    const own = [...ids].reduce((text, [as, id]) => text.replaceAll(as, id), command);
    const [, ...argv] = commandWords(own);
    const ran = await s.cli(argv, { env: { USER: 'ana', PATH: process.env.PATH } });
    const text = ran.err + ran.out;
    const [as, id] = [shown, text].map((each) => / · run (\w+)/.exec(each)?.[1]);
    if (as !== undefined && id !== undefined) ids.set(as, id);
    const named = [...ids].reduce((all, [name, run]) => all.replaceAll(run, name), text);
    const { printed, shown: wanted } = asShown(named, '', shown);
    expect(printed).toBe(wanted);
  });

  it('says numbers that are those of the code', () => {
    expect(page).toContain(`passed on ${mostHandoffs} times at most`);
    expect(page).toContain(`| ${mostRepairs} repairs, ${mostHandoffs} handoffs |`);
  });
});

describe('names in scripts', () => {
  const table = readFileSync(new URL('../docs/scripted-models.md', import.meta.url), 'utf8');
  const rows = [...table.matchAll(/^\| (.*) \| (`.*), the agent's name \|$/gm)].map(([, call = '', names = '']) => ({
    call,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }));

  const agent = `thunk review:
  tools -= filesystem
  hands = summarize
  handoffs = billing

thunk summarize(text: Text) -> Text:
  tools -= filesystem
  user: Summarize {{text}}.

thunk billing:
  tools -= filesystem
`;
  const call = (tool: string, args = '') => `    calls[1]:\n      - tool: ${tool}\n${args}`;
  const text = '        args:\n          text: x\n';
  /** What is said before the call that the row is about, and behind it. */
  const around: Readonly<Record<string, { readonly before: readonly [string, string][]; readonly after: string[] }>> = {
    'review`, run by itself': { before: [], after: [] },
    'called for the second time': {
      before: [
        ['review', call('summarize', text)],
        ['review/summarize[1]', '    text: first\n'],
        ['review', call('summarize', text)],
      ],
      after: ['review'],
    },
    'to which `review` has handed over': { before: [['review', call('handoff_to_billing')]], after: [] },
  };

  it('has a row for each kind of call', () => expect(rows.length).toBe(Object.keys(around).length));

  it.each(rows)('$call', async ({ call: about, names }) => {
    const found = Object.entries(around).find(([words]) => about.includes(words));
    if (found === undefined) throw new Error(`no call is made for "${about}"`);
    const { before, after } = found[1];
    const all = [...names, 'desk'];
    for (let from = 0; from < all.length; from++) {
      const s = scratch();
      try {
        const replies = [
          ...before.map(([name, said]) => `  - for: ${name}\n${said}`),
          ...all.slice(from).map((name) => `  - for: ${name}\n    text: from ${name}\n`),
          ...after.map((name) => `  - for: ${name}\n    text: done\n`),
        ];
        s.write('desk.too', agent);
        s.write('desk.script.toon', `replies[${replies.length}]:\n${replies.join('')}`);
        const ran = await s.cli(['desk.too', 'review', 'x', '--json']);
        expect(ran.code).toBe(0);
        const logs = await s.cli(['logs', JSON.parse(ran.out).run, '--json']);
        expect(logs.out).toContain(`from ${all[from]}"`);
        for (const later of all.slice(from + 1)) expect(logs.out).not.toContain(`from ${later}"`);
      } finally {
        s.remove();
      }
    }
  });
});
