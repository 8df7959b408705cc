/** `filesystem/glob`: the files whose paths fit a pattern. */
import { numberType, textType } from '../../type/index.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { createBreather } from './breather.ts';
import { placeOf, subjectsOfPath } from './confine.ts';
import { readGlob } from './glob-pattern.ts';
import { createPruner } from './glob-prune.ts';
import { type Guard, offLimitsWords } from './off-limits.ts';
import { shownName } from './shown-name.ts';
import { type WalkTotals, walk, walkNote } from './walk.ts';

interface GlobArgs {
  readonly pattern: string;
  readonly path?: string;
  readonly limit?: number;
}

const usualLimit = 200;
const mostMs = 20_000;

export function globTool(guard: Guard): OwnTool {
  return defineTool<GlobArgs>({
    name: 'filesystem/glob',
    description:
      'Finds files of the workspace by a pattern of their paths: * and ? within a name, ** for any folders, [a-z], {a,b}. A pattern without a slash, as *.ts, fits names in every folder; ./*.ts only at the top. .git and node_modules are left out unless the pattern or path names them. Gives paths from the workspace, sorted.',
    parameters: [
      { name: 'pattern', type: textType, doc: 'The pattern, relative to path; as src/**/*.{ts,tsx}.' },
      {
        name: 'path',
        type: textType,
        optional: true,
        doc: 'The folder to look in, relative to the workspace; the workspace itself if left out.',
      },
      {
        name: 'limit',
        type: numberType,
        optional: true,
        range: [1, 5000],
        doc: `How many paths at most; ${usualLimit} if left out.`,
      },
    ],
    readOnly: true,
    subjects: ({ path = '.' }, workspace) => subjectsOfPath(path, { workspace, guard }),
    async run({ pattern, path = '.', limit = usualLimit }, { workspace, signal, clock, permission }) {
      const read = readGlob(pattern);
      if (!read.ok) throw new ToolFailure('arguments', `"/pattern": ${read.problem}`);
      const area = { workspace, guard };
      const totals: WalkTotals = { seen: 0, cut: false };
      const pruner = createPruner(read.start);
      const lines: string[] = [];
      let more = 0;
      const found = walk(
        {
          start: placeOf(path, area, 'look'),
          area,
          tools: ['filesystem/glob'],
          permission,
          asked: read.names,
          enter: pruner.mayHold,
          breathe: createBreather(clock, signal, mostMs).breathe,
        },
        totals,
      );
      for await (const each of found) {
        if (each.kind === 'folder' || !pruner.fits(each.below)) continue;
        if (lines.length < limit) lines.push(shownName(each.path) + (each.closed ? ` (${offLimitsWords})` : ''));
        else more++;
      }
      if (lines.length === 0) return ['[no file fits]', ...walkNote(totals)].join('\n');
      if (more > 0) lines.push(`[${more} more; raise limit, or use a narrower pattern]`);
      return [...lines, ...walkNote(totals)].join('\n');
    },
  });
}
