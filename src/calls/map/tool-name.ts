/** What a header can carry: names of tools, and text as it stands. */
import { RESULT } from '../marker.ts';

/** What starts a header, in every form that is read. */
const startMarker = /\ud83d\udee0[\ufe0e\ufe0f]?\[/;

/** The most units that the scanner reads as a header, unless it is told otherwise. */
export const maxHeader = 4096;

/** In place of the arguments: the body is one JSON object with all of them. */
export const JSON_ARGS = '@json';

/** Throws a TypeError for a name that no call can have. */
export function checkToolName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || name.trim() === '') throw new TypeError('a tool must have a name');
  const problem = headerProblem(name);
  if (problem !== undefined) throw new TypeError(`the name of a tool must not have ${problem}`);
  if (/\s/.test(name)) throw new TypeError('the name of a tool must not have white space in it');
  if (name === RESULT || name.toLowerCase() === '/end') {
    throw new TypeError(`the name ${JSON.stringify(name)} is taken by the syntax of calls; choose another`);
  }
  const most = maxHeader - JSON_ARGS.length - 1;
  if (name.length > most) throw new TypeError(`the name of a tool must not be longer than ${most} units`);
}

/** What stands in `text` that would end the header, or make it none; nothing if a header can carry it. */
export function headerProblem(text: string): string | undefined {
  if (text.includes(']')) return '"]" in it, which ends a header';
  if (text.includes('\n')) return 'a line break in it, since a header is one line';
  return startMarker.test(text) ? 'the start of a call in it' : undefined;
}
