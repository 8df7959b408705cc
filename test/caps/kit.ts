/** For tests of caps on the command line: a root, a folder with an agent in it, and repositories that git takes for those of GitHub. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Output } from '../../src/cli/context.ts';
import { type MemoryOptions, memoryContext } from '../../src/cli/memory-context.ts';
import { runCli } from '../../src/cli/run.ts';
import { createHub, type Hub } from '../hub.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** Both, as a terminal shows them. */
  readonly all: string;
}

export interface Kit {
  /** The person's own directory; the root is `.toolang` in it. */
  readonly home: string;
  readonly hub: Hub;
  /** Paths are relative to the person's directory. */
  readonly at: (file: string) => string;
  readonly write: (file: string, text: string) => string;
  readonly read: (file: string) => string;
  readonly has: (file: string) => boolean;
  /** Every file below, relative and sorted; none where there is no such folder. */
  readonly list: (folder: string) => string[];
  /** A command line, in `work` if nothing else is said; words with blanks stand in double quotes. */
  readonly cli: (line: string, options?: Omit<MemoryOptions, 'cwd'> & { readonly in?: string }) => Promise<Ran>;
  readonly json: (line: string, options?: { readonly in?: string }) => Promise<Record<string, unknown>>;
  readonly remove: () => void;
}

export const agentText = 'thunk go(input: Message) -> Text:\n  user: Go.\n';

export const skillText = (body: string) => `---\ndescription: Reviews code.\n---\n${body}\n`;

export function makeKit(): Kit {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'toolang-caps-')));
  const hub = createHub();
  const at = (file: string) => path.join(home, file);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
    return at(file);
  };
  mkdirSync(at('work'));
  const cli: Kit['cli'] = async (line, { in: folder = 'work', env, ...options } = {}) => {
    const context = memoryContext({ ...options, cwd: at(folder), env: { ...hub.env, HOME: home, ...env } });
    let all = '';
    const both = (output: Output): Output => ({
      ...output,
      write: (text) => {
        all += text;
        output.write(text);
      },
    });
    const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    const code = await runCli(words, { ...context, stdout: both(context.stdout), stderr: both(context.stderr) });
    return { code, out: context.out(), err: still(context.err()), all: still(all) };
  };
  return {
    home,
    hub,
    at,
    write,
    read: (file) => readFileSync(at(file), 'utf8'),
    has: (file) => existsSync(at(file)),
    list: (folder) => (existsSync(at(folder)) ? filesIn(at(folder)) : []),
    cli,
    json: async (line, options = {}) => JSON.parse((await cli(`${line} --json`, options)).out),
    remove: () => {
      rmSync(home, { recursive: true, force: true });
      hub.close();
    },
  };
}

/** What the repositories of `acme` hold at first. */
export function fillHub({ hub }: Kit): void {
  hub.commit('acme/skills', {
    'skills/review/SKILL.md': skillText('Look closely.'),
    'skills/review/scripts/count.sh': { executable: '#!/bin/sh\nwc -l\n' },
  });
  hub.commit('acme/services', {
    'services/github.md': `---\ndescription: GitHub.\ntransport: http\ntarget: https://mcp.example.com/mcp\nheaders:\n  Authorization: Bearer $GITHUB_TOKEN\n---\nIssues and pull requests.\n`,
    'services/clock.md':
      '---\ndescription: Time.\ntransport: stdio\ntarget: clock serve --utc\nenv: TZ\n---\nThe time.\n',
  });
  hub.commit('acme/prompts', { 'prompts/rewrite.md': 'Rewrite: {{input}}\n' });
  hub.commit('acme/psyches', { 'psyches/careful.md': 'Be careful.\n' });
  hub.commit('acme/agents', { 'agents/zoe.too': `use skill acme/review\n\n${agentText}` });
}

/** Without what only those are told who wait longer than a moment. */
function still(text: string): string {
  return text.replace(/^(?:asking|fetching) \S+\n/gm, '');
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(dir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
