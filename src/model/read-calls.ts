/** The calls of a reply: the tools that a scripted model calls, also as models write them wrongly. */
import type { ToonEntry, ToonObject, ToonValue } from '../toon/index.ts';
import { jsonText, path, text } from './read-reply.ts';
import { jsonRecord } from './record/read-recorded.ts';
import type { ReplyCall } from './script.ts';
import { lineOf, readKeys, type ScriptReader, wrongKind } from './script-keys.ts';

const sample = 'Write "calls[1]:" and below it "- tool: filesystem/read" with "args:" and the arguments below that.';

export function readCalls(r: ScriptReader, entry: ToonEntry): readonly ReplyCall[] | undefined {
  const { value } = entry;
  if (value.kind !== 'array' || value.items.length === 0) {
    return wrongKind(r, entry, 'a list of calls', { help: sample });
  }
  return value.items.flatMap((item) => readCall(r, item) ?? []);
}

function readCall(r: ScriptReader, value: ToonValue): ReplyCall | undefined {
  if (value.kind !== 'object' || value.entries.length === 0) {
    const what = value.kind === 'object' ? 'this call is empty' : 'a call is a block of keys';
    r.report('TOO7003', lineOf(r, value.span), what, { help: sample });
    return undefined;
  }
  const found: { -readonly [K in keyof ReplyCall]?: ReplyCall[K] } = {};
  const keep = <K extends keyof ReplyCall>(key: K, given: ReplyCall[K] | undefined) => {
    if (given !== undefined) found[key] = given;
  };
  const at = readKeys(r, value, 'a call', {
    tool: (inner, entry) => keep('tool', path(inner, entry, 'the name of a tool')),
    id: (inner, entry) => keep('id', path(inner, entry, 'an id')),
    args: (inner, entry) => keep('args', readArgs(inner, entry)),
    raw: (inner, entry) => keep('args', text(inner, entry)),
    problem: (inner, entry) => keep('problem', text(inner, entry)),
    meta: (inner, entry) => keep('meta', jsonRecord(inner, entry)),
  });
  checkTogether(r, value, at);
  const { tool, args = '{}', ...others } = found;
  return tool === undefined ? undefined : { tool, args, ...others };
}

function readArgs(r: ScriptReader, entry: ToonEntry): string | undefined {
  if (entry.value.kind === 'object') return jsonText(r, entry);
  return wrongKind(r, entry, 'a block of keys', { help: 'What is no such block is written as "raw", in quotes.' });
}

function checkTogether(r: ScriptReader, value: ToonObject, at: ReadonlyMap<string, ToonEntry>): void {
  const head = value.entries[0]?.key.span ?? value.span;
  if (!at.has('tool') && !value.partial) r.report('TOO7002', head, 'a call needs "tool"', { help: sample });
  const raw = at.get('raw');
  if (at.has('args') && raw !== undefined) {
    r.report('TOO7004', raw.key.span, 'a call has either "args" or "raw"', {
      help: '"raw" is what stands in the place of the arguments: a text that is no JSON, or not an object.',
    });
  }
}
