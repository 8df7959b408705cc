/** What steps bring with them besides their keys: inline code, and prompts in files of their own. */
import { resolve } from 'node:path';
import { createSource, diagnostic } from '../text/index.ts';
import { type ReadCode, readCode } from './code/index.ts';
import type { DraftText } from './draft.ts';
import type { FileReader } from './modules.ts';
import { pluginNames } from './plugins.ts';
import type { Reports } from './reports.ts';
import { mostOpened, type Site, type Space } from './site.ts';
import { nameBeside } from './specifier.ts';
import { fixOf, markOf } from './texts.ts';
import type { Unit } from './unit.ts';

/** The words that code may use besides the ids of steps. */
export const codeWords = [
  'input',
  'steps',
  'services',
  'params',
  'loop',
  'id',
  'attempt',
  'runId',
  'key',
  'cwd',
  'signal',
  'sh',
] as const;

/** The code of every step, by where it is used: a component's means other steps at each use. */
export async function readCodes(
  sites: readonly Site[],
  reports: Reports,
): Promise<Map<DraftText, Map<Space, ReadCode>>> {
  const codes = new Map<DraftText, Map<Space, ReadCode>>();
  const names = new Map<Space, ReadonlySet<string>>();
  const contexts = new Map<Unit, ReadonlySet<string>>();
  for (const { draft, space } of sites) {
    if (draft.kind !== 'step' || draft.run === undefined) continue;
    const known = names.get(space) ?? new Set(space.ids.keys());
    names.set(space, known);
    const context = contexts.get(space.unit) ?? contextOf(space.unit);
    contexts.set(space.unit, context);
    const all = await readCode(draft.run.text, { names: known, context });
    // What a plugin that was not looked into may give is not unknown for sure.
    const isOpen = space.unit.plugins.some(({ answer }) => answer?.ok !== true);
    const read = isOpen ? { ...all, problems: all.problems.filter(({ code }) => code !== 'TOO3307') } : all;
    for (const problem of read.problems) tell(problem, draft.run, reports);
    const bySpace = codes.get(draft.run);
    if (bySpace) bySpace.set(space, read);
    else codes.set(draft.run, new Map([[space, read]]));
  }
  return codes;
}

function contextOf(unit: Unit): ReadonlySet<string> {
  return new Set([...codeWords, ...givenNames(unit)]);
}

/** What code has from services and plugins. */
export function givenNames(unit: Unit): ReadonlySet<string> {
  return new Set([...unit.services.keys(), ...pluginNames(unit).keys()]);
}

function tell(problem: ReadCode['problems'][number], draft: DraftText, reports: Reports): void {
  const at = markOf(draft, problem.start, problem.end);
  const help = problem.help === undefined ? {} : { help: problem.help };
  reports.addAll([
    diagnostic(problem.code, at.source, at.span, problem.message, { ...help, ...fixOf(problem, draft, at) }),
  ]);
}

/** The texts that `promptFrom` names. */
export async function readPrompts(
  sites: readonly Site[],
  read: FileReader,
  reports: Reports,
): Promise<Map<Site, DraftText>> {
  const prompts = new Map<Site, DraftText>();
  const files = new Map<string, DraftText | undefined>();
  let again = 0;
  for (const site of sites) {
    const from = site.draft.kind === 'step' ? site.draft.promptFrom : undefined;
    if (from === undefined) continue;
    const { file, folder } = site.space.unit;
    const path = resolve(folder, from.text);
    again += files.get(path)?.text.length ?? 0;
    if (again > mostOpened) {
      reports.add('TOO4216', from, `the workflow has more than ${mostOpened} characters of prompts from files`, {
        help: 'A file counts at each step that takes its prompt from it; let fewer steps do so.',
      });
      return prompts;
    }
    if (!files.has(path)) {
      const answer = await read(path);
      if (!answer.ok) reports.add('TOO4261', from, answer.message, { help: 'Paths are relative to this file.' });
      else if (answer.text.trim() === '') {
        reports.add('TOO4004', from, `"${from.text}" is empty`, { help: 'Write the prompt into it.' });
      }
      files.set(path, answer.ok ? wholeText(nameBeside(from.source, file, path), answer.text) : undefined);
    }
    const text = files.get(path);
    if (text) prompts.set(site, text);
  }
  return prompts;
}

/** A whole file as one text; the line break at its end is no part of the prompt. */
function wholeText(name: string, text: string): DraftText {
  const source = createSource(name, text);
  const start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const end = text.endsWith('\r\n') ? text.length - 2 : text.endsWith('\n') ? text.length - 1 : text.length;
  return {
    source,
    span: { start, end },
    text: text.slice(start, end),
    place: (offset) => start + offset,
    isFile: true,
  };
}
