/** What `cat-file --batch-check` and `--batch` print. */
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isObjectId } from './refs.ts';

export interface ObjectHead {
  readonly id: string;
  readonly type: string;
  readonly size: number;
}

/** One for each line that was asked, in order; undefined for what is not there. Undefined as a whole where it is cut off. */
export function readHeads(out: string, asked: number): readonly (ObjectHead | undefined)[] | undefined {
  const lines = out.split('\n');
  if (lines.pop() !== '' || lines.length !== asked) return undefined;
  return lines.map(readHead);
}

function readHead(line: string): ObjectHead | undefined {
  const [id = '', type = '', size = '', more] = line.split(' ');
  if (more !== undefined || !isObjectId(id) || !/^\d+$/.test(size)) return undefined;
  return { id, type, size: Number(size) };
}

/** The contents by their ids. Undefined where it is cut off, or where a content is not what its id says. */
export function readBlobs(out: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  const bytes = Buffer.from(out.buffer, out.byteOffset, out.byteLength);
  const found = new Map<string, Uint8Array>();
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(10, start);
    if (end === -1) return undefined;
    const head = readHead(bytes.toString('latin1', start, end));
    if (head === undefined) {
      start = end + 1;
      continue;
    }
    const stop = end + 1 + head.size;
    if (bytes[stop] !== 10) return undefined;
    const content = bytes.subarray(end + 1, stop);
    if (objectId(head.type, content, head.id.length) !== head.id) return undefined;
    found.set(head.id, content);
    start = stop + 1;
  }
  return found;
}

/** As git names it; `digits` says by which hash. */
export function objectId(type: string, content: Uint8Array, digits: number): string {
  const hash = createHash(digits === 64 ? 'sha256' : 'sha1');
  return hash.update(`${type} ${content.length}\0`).update(content).digest('hex');
}
