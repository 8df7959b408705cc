/** `filesystem/write`: a whole text, new or in place of what is there. */
import { quotePath } from '../../sys/index.ts';
import { textType } from '../../type/index.ts';
import { defineTool, type OwnTool, ToolFailure } from '../define-tool.ts';
import { sizeWords } from '../file-kind.ts';
import { placeOf, subjectsOfPath } from './confine.ts';
import type { Guard } from './off-limits.ts';
import { writeInside } from './write-file.ts';

interface WriteArgs {
  readonly path: string;
  readonly content: string;
}

/** More than any model writes at once. */
export const mostWritten = 8 * 1024 * 1024;

export function writeTool(guard: Guard): OwnTool {
  return defineTool<WriteArgs>({
    name: 'filesystem/write',
    description:
      'Writes a text file of the workspace, whole: what was there before is replaced. Folders that are missing are made. To change a part of a file use filesystem/edit.',
    parameters: [
      { name: 'path', type: textType, doc: 'The file, relative to the workspace.' },
      { name: 'content', type: textType, doc: 'All that the file is to hold.' },
    ],
    readOnly: false,
    subjects: ({ path }, workspace) => subjectsOfPath(path, { workspace, guard }),
    async run({ path, content }, { workspace }) {
      const area = { workspace, guard };
      const bytes = Buffer.from(content);
      if (bytes.length > mostWritten) {
        const message = `the content has ${sizeWords(bytes.length)}; at most ${sizeWords(mostWritten)} are written at once.`;
        throw new ToolFailure('too-large', message);
      }
      const place = placeOf(path, area, 'write');
      await writeInside(place, area, bytes);
      const what = place.stats ? 'replaced' : 'wrote';
      return `${what} ${quotePath(place.asked)}: ${lineWords(content)}, ${sizeWords(bytes.length)}`;
    },
  });
}

function lineWords(text: string): string {
  let count = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count === 1 ? '1 line' : `${count} lines`;
}
