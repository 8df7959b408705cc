/** Reads a body that is one JSON object; white space and one Markdown fence may stand around it. */
import { type JsonProblem, readJsonObject, unitAt } from './json-text.ts';
import type { MapError } from './map-error.ts';
import { isBlank } from './split-args.ts';

export interface JsonBody {
  /** Empty if the body is no JSON object. */
  readonly value: Record<string, unknown>;
  readonly errors: readonly MapError[];
}

const longestInfo = 40;

/** A blank body is an empty object. */
export function readJsonBody(body: string): JsonBody {
  let at = skipBlanks(body, 0);
  if (at === body.length) return { value: {}, errors: [] };
  const fence = fenceAt(body, at);
  if (fence !== undefined) at = skipBlanks(body, fence.end);
  if (body[at] !== '{') {
    const stands = at < body.length ? `here stands ${unitAt(body, at)}, but` : 'the text ends, but';
    return broken(body, { at, message: `${stands} an object must start with "{"` });
  }
  const { value, end, errors, problem } = readJsonObject(body, at);
  if (problem !== undefined) return broken(body, problem);
  at = skipBlanks(body, end);
  if (fence !== undefined) {
    if (!body.startsWith(fence.mark, at)) return broken(body, { at, message: `${fence.mark} must close the fence` });
    at = skipBlanks(body, at + fence.mark.length);
  }
  if (at < body.length) return broken(body, { at, message: 'the object has ended, and nothing may stand behind it' });
  return { value, errors };
}

/** A line of backticks and at most one word. */
function fenceAt(body: string, start: number): { mark: string; end: number } | undefined {
  let at = start;
  while (body[at] === '`') at++;
  if (at - start < 3) return undefined;
  const line = body.slice(at, at + longestInfo);
  const info = /^[A-Za-z0-9]*[ \t\r]*\n/.exec(line);
  return info ? { mark: body.slice(start, at), end: at + info[0].length } : undefined;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at++;
  return at;
}

function broken(body: string, { at, message }: JsonProblem): JsonBody {
  let line = 1;
  let start = 0;
  for (let next = body.indexOf('\n'); next >= 0 && next < at; next = body.indexOf('\n', start)) {
    line++;
    start = next + 1;
  }
  const place = `${line}:${at - start + 1}`;
  return { value: {}, errors: [{ code: 'json', message: `the body is not one JSON object; at ${place}: ${message}` }] };
}
