/** Agents run by the commands of people, on fake services over real connections; and what was sent to those, in one form. */
import { afterEach, beforeEach } from 'vitest';
import type { MemoryOptions } from '../../src/cli/memory-context.ts';
import { type Ran, type Scratch, scratch } from '../../src/cli/scratch.ts';
import { openSqliteStore } from '../../src/journal/index.ts';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { type FakeKind, type FakeModel, type FakeOptions, startFakeModel } from '../fake-models/server.ts';
import { type Body, type Sent, sentOf } from './sent.ts';

export const models = {
  'openai-responses': 'openai/gpt-5',
  anthropic: 'anthropic/claude-sonnet-4-5',
  google: 'google/gemini-2.5-flash',
} as const satisfies Partial<Record<FakeKind, string>>;

export type Kind = keyof typeof models;
export const kinds = Object.keys(models) as Kind[];

export interface Asked extends Ran {
  /** The id of the run. */
  readonly id: string;
  readonly requests: readonly Sent[];
  /** The first request. */
  readonly sent: Sent;
  readonly fake: FakeModel;
}

export interface AskOptions extends Omit<MemoryOptions, 'cwd'> {
  readonly kind?: Kind;
  readonly answers?: readonly FakeAnswer[] | FakeOptions['answers'];
  readonly file?: string;
}

export interface Kit {
  readonly s: Scratch;
  readonly fake: (kind: FakeKind, options?: FakeOptions) => Promise<FakeModel>;
  readonly keep: <T extends { readonly close: () => Promise<void> | void }>(made: T) => T;
  /** Writes the source, asks it with these words on one fake service, and gives what was sent. */
  readonly ask: (source: string, words?: readonly string[], options?: AskOptions) => Promise<Asked>;
  /** On a script: replies as they stand in a file of them. */
  readonly play: (source: string, replies: readonly Reply[], words?: readonly string[]) => Promise<Played>;
}

export interface Reply {
  readonly for?: string;
  readonly text?: string;
  readonly json?: unknown;
  readonly bracket?: true;
  readonly calls?: readonly { readonly tool: string; readonly args?: unknown; readonly raw?: string }[];
}

export interface Played extends Ran {
  readonly id: string;
  /** What tools came to, those that were done. */
  readonly done: readonly { readonly tool: string; readonly text: string; readonly isError?: true }[];
  /** All that was written down of it. */
  readonly journal: string;
}

/** One for each test of the file that calls it. */
export function useKit(): Kit {
  let s: Scratch;
  const open: { readonly close: () => Promise<void> | void }[] = [];

  beforeEach(() => {
    s = scratch();
  });

  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    s.remove();
  });

  function keep<T extends { readonly close: () => Promise<void> | void }>(made: T): T {
    open.push(made);
    return made;
  }

  const fake: Kit['fake'] = async (kind, options) => keep(await startFakeModel(kind, options));

  return {
    get s() {
      return s;
    },
    fake,
    keep,
    async ask(source, words = [], options = {}) {
      const { kind = 'openai-responses', answers = [{ text: 'Done.' }], file = 'a.too', ...context } = options;
      const model = await fake(kind, { answers });
      s.write(file, source);
      const before = existing(s, '.toolang/config.toml').replace(/^# kit\n.*\n.*\n/, '');
      const chosen = before.includes('[models]') ? '' : `# kit\n[models]\ndefault = ["${models[kind]}"]\n`;
      s.write('.toolang/config.toml', `${chosen}${before}`);
      const env = { PATH: process.env.PATH, USER: 'ana', ...model.env, ...context.env };
      const ran = await s.cli([file, ...words], { ...context, env });
      const requests = model.requests.map(({ body }) => sentOf(kind, body as Body));
      const [sent = nothing] = requests;
      return { ...ran, id: idIn(ran.err), requests, sent, fake: model };
    },
    async play(source, replies, words = ['Go.']) {
      s.write('a.too', source);
      s.write('a.script.toon', scriptText(replies));
      const ran = await s.cli(['a.too', ...words], { env: { PATH: process.env.PATH, USER: 'ana' } });
      return { ...ran, id: idIn(ran.err), ...journalOf(s) };
    },
  };
}

const nothing: Sent = { system: '', messages: [], tools: [], schema: undefined };

function existing(s: Scratch, name: string): string {
  try {
    return s.read(name);
  } catch {
    return '';
  }
}

export function idIn(text: string): string {
  return /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';
}

/** JSON is TOON's own way to say a value on one line only for texts: so each reply is written out. */
function scriptText(replies: readonly Reply[]): string {
  const entries = replies.map(({ for: who = 'a', calls, ...rest }) => {
    const lines = [`  - for: ${JSON.stringify(who)}`];
    if (rest.text !== undefined) lines.push(`    text: ${JSON.stringify(rest.text)}`);
    if (rest.json !== undefined) lines.push(`    text: ${JSON.stringify(JSON.stringify(rest.json))}`);
    if (calls) {
      lines.push(`    calls[${calls.length}]:`);
      for (const { tool, args = {}, raw = JSON.stringify(args) } of calls)
        lines.push(`      - tool: ${JSON.stringify(tool)}`, `        raw: ${JSON.stringify(raw)}`);
    }
    if (rest.bracket) lines.push('    bracket: true');
    return `${lines.join('\n')}\n`;
  });
  return `replies[${entries.length}]:\n${entries.join('')}`;
}

function journalOf(s: Scratch): Pick<Played, 'done' | 'journal'> {
  const store = openSqliteStore(s.at('.toolang/runs.db'));
  try {
    const all = store.runs({ roots: true })[0];
    const events = all === undefined ? [] : [...store.events(all.id)];
    const done: Played['done'][number][] = [];
    const names = new Map<string, string>();
    for (const { node = '', body } of events) {
      if (body.kind === 'tool.asked') names.set(node, body.tool);
      if (body.kind === 'tool.answered')
        done.push({ ...(body.result as Played['done'][number]), tool: names.get(node) ?? '' });
    }
    return { done, journal: JSON.stringify(events) };
  } finally {
    store.close();
  }
}
