/** `filesystem/list`: what a folder holds. */
import { numberType, textType } from '../../type/index.ts';
import { defineTool, type OwnTool } from '../define-tool.ts';
import { createBreather } from './breather.ts';
import { placeOf, subjectsOfPath } from './confine.ts';
import { type Guard, offLimitsWords } from './off-limits.ts';
import { shownName } from './shown-name.ts';
import { type Found, type WalkTotals, walk, walkNote } from './walk.ts';

interface ListArgs {
  readonly path?: string;
  readonly depth?: number;
  readonly limit?: number;
}

const usualLimit = 500;
const mostMs = 20_000;

export function listTool(guard: Guard): OwnTool {
  return defineTool<ListArgs>({
    name: 'filesystem/list',
    description:
      'Lists the files and folders of a folder of the workspace, sorted; folders end with "/". With depth also what those hold; .git and node_modules are not opened unless path names them.',
    parameters: [
      {
        name: 'path',
        type: textType,
        optional: true,
        doc: 'The folder, relative to the workspace; the workspace itself if left out.',
      },
      { name: 'depth', type: numberType, optional: true, range: [1, 20], doc: 'How many levels deep; 1 if left out.' },
      {
        name: 'limit',
        type: numberType,
        optional: true,
        range: [1, 5000],
        doc: `How many entries at most; ${usualLimit} if left out.`,
      },
    ],
    readOnly: true,
    subjects: ({ path = '.' }, workspace) => subjectsOfPath(path, { workspace, guard }),
    async run({ path = '.', depth = 1, limit = usualLimit }, { workspace, signal, clock, permission }) {
      const area = { workspace, guard };
      const totals: WalkTotals = { seen: 0, cut: false };
      const lines: string[] = [];
      let more = 0;
      const found = walk(
        {
          start: placeOf(path, area, 'look'),
          area,
          tools: ['filesystem/list'],
          permission,
          asked: new Set(),
          enter: (below) => below.split('/').length < depth,
          breathe: createBreather(clock, signal, mostMs).breathe,
        },
        totals,
      );
      for await (const each of found) {
        if (lines.length < limit) lines.push(lineOf(each));
        else more++;
      }
      if (lines.length === 0) return '[the folder is empty]';
      if (more > 0) lines.push(`[${more} more; raise limit, or list a folder of it]`);
      return [...lines, ...walkNote(totals)].join('\n');
    },
  });
}

function lineOf({ below, kind, closed, left }: Found): string {
  const name = shownName(below) + (kind === 'folder' ? '/' : '');
  if (closed) return `${name} (${offLimitsWords})`;
  if (left === 'usual') return `${name} (not opened)`;
  if (left === 'unread') return `${name} (cannot be read)`;
  return kind === 'link' ? `${name} (a link)` : kind === 'other' ? `${name} (not a file)` : name;
}
