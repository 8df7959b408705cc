/** `filesystem/edit`: replaces a piece of a text by another, exactly, and says where; or why it did not. */
import { decodeText, quotePath } from '../../sys/index.ts';
import { booleanType, textType } from '../../type/index.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { binaryKind, sizeWords } from '../file-kind.ts';
import { placeOf, subjectsOfPath } from './confine.ts';
import { nearestLines } from './nearest-lines.ts';
import type { Guard } from './off-limits.ts';
import { readWhole } from './open-file.ts';
import { replaceIn } from './replace-text.ts';
import { writeInside } from './write-file.ts';

interface EditArgs {
  readonly path: string;
  readonly old: string;
  readonly new: string;
  readonly all?: boolean;
}

const mostBytes = 16 * 1024 * 1024;

export function editTool(guard: Guard): OwnTool {
  return defineTool<EditArgs>({
    name: 'filesystem/edit',
    description:
      'Replaces a piece of a text file of the workspace. The old text must stand in the file exactly once, blanks and line ends included: give enough lines around it. With all=true every occurrence is replaced.',
    parameters: [
      { name: 'path', type: textType, doc: 'The file, relative to the workspace.' },
      { name: 'old', type: textType, doc: 'The text to replace, exactly as it stands in the file.' },
      { name: 'new', type: textType, doc: 'What takes its place; empty to take it out.' },
      {
        name: 'all',
        type: booleanType,
        optional: true,
        doc: 'Replace every occurrence; by default there must be exactly one.',
      },
    ],
    readOnly: false,
    subjects: ({ path }, workspace) => subjectsOfPath(path, { workspace, guard }),
    async run(args, { workspace }) {
      const { path, all = false } = args;
      if (args.old === '') {
        throw new ToolFailure(
          'arguments',
          '"old" is empty: say which text is to be replaced. A whole file is written with filesystem/write.',
        );
      }
      if (args.old === args.new)
        throw new ToolFailure('arguments', '"old" and "new" are the same: nothing would change.');
      const area = { workspace, guard };
      const place = placeOf(path, area, 'write');
      const bytes = readWhole(place, area, mostBytes);
      const name = quotePath(place.asked);
      if (bytes === undefined) {
        throw new ToolFailure('too-large', `${name} has more than ${sizeWords(mostBytes)}, which is too much to edit.`);
      }
      const binary = binaryKind(bytes);
      if (binary !== undefined)
        throw new ToolFailure('failed', `${name} is ${binary}, not a text; it was not changed.`);
      const decoded = decodeText(bytes, place.asked);
      if (!decoded.ok) throw new ToolFailure('failed', `${decoded.problem.message} It was not changed.`);
      const { text, count, lines } = replaceIn(decoded.text, args.old, args.new, mostBytes);
      if (count === 0) {
        const near = nearestLines(decoded.text, args.old);
        throw new ToolFailure('failed', `${name} does not hold the old text; it was not changed.${near}`);
      }
      if (count > 1 && !all) {
        const where = `${count} times (${linesWords(lines, count)})`;
        throw new ToolFailure(
          'failed',
          `${name} holds the old text ${where}; it was not changed. Give more of the lines around the one that you mean, or all=true.`,
        );
      }
      if (text === undefined) {
        throw new ToolFailure('too-large', `${name} would have more than ${sizeWords(mostBytes)}; it was not changed.`);
      }
      await writeInside(place, area, text);
      return `edited ${name}: replaced${count === 1 ? '' : ` ${count} times`} in ${linesWords(lines, count)}`;
    },
  });
}

function linesWords(lines: readonly number[], count: number): string {
  if (count === 1) return `line ${lines[0]}`;
  return `lines ${lines.join(', ')}${count > lines.length ? ` and ${count - lines.length} more` : ''}`;
}
