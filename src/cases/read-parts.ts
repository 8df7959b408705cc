/** The parts of a case: texts, values, decisions, answers of tools. Each gives undefined where there is nothing to use, which was told. */
import type { Json } from '../machine/index.ts';
import { flag, jsonText, lineOf, readKeys, type ScriptReader, text, wrongKind } from '../model/index.ts';
import type { ToonEntry, ToonObject, ToonValue } from '../toon/index.ts';
import type { Decision, Given, ToolAnswer, Word } from './case.ts';

export { lineOf };

/** A text that says something. */
export function readWord(r: ScriptReader, entry: ToonEntry, expected: string): Word | undefined {
  const { value } = entry;
  if (value.kind === 'string' && value.text.trim() !== '') return { text: value.text, span: value.span };
  if (value.kind === 'string') return wrongKind(r, entry, expected);
  text(r, entry);
  return undefined;
}

/** A list of texts, or one. */
export function readWords(r: ScriptReader, entry: ToonEntry, expected: string): readonly Word[] | undefined {
  const { value } = entry;
  if (value.kind !== 'array') {
    const one = readWord(r, entry, expected);
    return one && [one];
  }
  return value.items.flatMap((item) => readWord(r, { ...entry, value: item }, expected) ?? []);
}

/** Any value. */
export function readGiven(r: ScriptReader, entry: ToonEntry): Given | undefined {
  const json = jsonText(kinds(r), entry);
  return json === undefined ? undefined : { value: JSON.parse(json) as Json, tree: entry.value, entry };
}

/** What reads replies has codes of its own for values. */
export function kinds(r: ScriptReader): ScriptReader {
  return {
    ...r,
    report: (code, ...rest) => r.report(code === 'TOO7003' || code === 'TOO7006' ? 'TOO6303' : code, ...rest),
  };
}

const units = { ms: 1, s: 1000, m: 60_000 };

/** In milliseconds. */
export function duration(r: ScriptReader, entry: ToonEntry): number | undefined {
  const { value } = entry;
  const written = value.kind === 'string' ? /^([1-9][0-9]{0,8})(ms|s|m)$/.exec(value.text) : undefined;
  if (written) return Number(written[1]) * units[written[2] as keyof typeof units];
  return wrongKind(r, entry, 'a duration like 500ms, 10s or 2m');
}

/** A whole number, 0 or more. */
export function readCount(r: ScriptReader, entry: ToonEntry): number | undefined {
  const { value } = entry;
  if (value.kind === 'number' && Number.isSafeInteger(value.value) && value.value >= 0) return value.value;
  return wrongKind(r, entry, 'a whole number, 0 or more');
}

export function readEnv(r: ScriptReader, entry: ToonEntry): Readonly<Record<string, string>> {
  if (entry.value.kind !== 'object') {
    wrongKind(r, entry, 'variables, each as "NAME: text"');
    return {};
  }
  const env: Record<string, string> = {};
  for (const each of entry.value.entries) {
    const value = text(kinds(r), each);
    if (value !== undefined) env[each.key.text] = value;
  }
  return env;
}

/** The items of a list that are blocks of keys; a list that is none, and other items, are told. */
export function blocks(r: ScriptReader, entry: ToonEntry, what: string, help: string): readonly ToonObject[] {
  if (entry.value.kind !== 'array') {
    wrongKind(r, entry, `a list of ${what}s`, { help });
    return [];
  }
  return entry.value.items.flatMap((item) => {
    if (item.kind === 'object' && item.entries.length > 0) return [item];
    r.report('TOO6303', lineOf(r, item.span), `${article(what)} is a block of keys`, { help });
    return [];
  });
}

function article(what: string): string {
  return `${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`;
}

export function headOf(value: ToonObject): ToonValue['span'] {
  return value.entries[0]?.key.span ?? value.span;
}

const decisionHelp = 'Write "- for: NODE" and below it "approve: true" or "approve: false".';

export function readDecisions(r: ScriptReader, entry: ToonEntry): readonly Decision[] {
  return blocks(r, entry, 'decision', decisionHelp).flatMap((item) => {
    const found: { -readonly [K in keyof Decision]?: Decision[K] } = {};
    const at = readKeys(r, item, 'a decision', {
      for: (inner, each) => {
        const word = readWord(inner, each, 'the id of what asks');
        if (word) found.for = word;
      },
      approve: (inner, each) => {
        const approve = flag(kinds(inner), each);
        if (approve !== undefined) found.approve = approve;
      },
      note: (inner, each) => {
        const note = text(kinds(inner), each);
        if (note !== undefined) found.note = note;
      },
      by: (inner, each) => {
        const word = readWord(inner, each, 'the name of who decides');
        if (word) found.by = word.text;
      },
      value: (inner, each) => {
        const given = readGiven(inner, each);
        if (given) found.value = given.value;
      },
      add: (inner, each) => {
        if (each.value.kind === 'number' && each.value.value > 0) found.add = each.value.value;
        else wrongKind(inner, each, 'how much more of a limit, over 0');
      },
    });
    const { for: who, approve, add } = found;
    if (!at.has('for') && !item.partial)
      r.report('TOO6302', headOf(item), 'a decision needs "for"', { help: decisionHelp });
    if (!at.has('approve') && !at.has('add') && !item.partial) {
      r.report('TOO6302', headOf(item), 'a decision needs "approve", or "add" where a limit is reached', {
        help: decisionHelp,
      });
    }
    for (const key of add === undefined ? [] : ['approve', 'note', 'value']) {
      const other = at.get(key);
      if (other === undefined) continue;
      r.report('TOO6304', other.key.span, `a decision that adds to a limit has no "${key}"`, {
        help: `Leave out "${key}".`,
      });
    }
    if (who === undefined || (approve === undefined && add === undefined)) return [];
    return [{ ...found, for: who, approve: approve ?? true }];
  });
}

const toolHelp = 'Write "- tool: SET/TOOL" and below it "result: …", what the tool answers.';

export function readTools(r: ScriptReader, entry: ToonEntry): readonly ToolAnswer[] {
  return blocks(r, entry, 'answer of a tool', toolHelp).flatMap((item) => {
    let tool: Word | undefined;
    let args: Given | undefined;
    let result: ToolAnswer['result'] | undefined;
    const at = readKeys(r, item, 'the answer of a tool', {
      tool: (inner, each) => {
        tool = readWord(inner, each, 'the name of a tool');
      },
      args: (inner, each) => {
        if (each.value.kind !== 'object') wrongKind(inner, each, 'arguments, by their names');
        else args = readGiven(inner, each);
      },
      result: (inner, each) => {
        const given = readGiven(inner, each);
        if (given)
          result = {
            text: typeof given.value === 'string' ? given.value : JSON.stringify(given.value),
            isError: false,
          };
      },
      error: (inner, each) => {
        const said = text(kinds(inner), each);
        if (said !== undefined) result = { text: said, isError: true };
      },
    });
    if (!at.has('tool') && !item.partial)
      r.report('TOO6302', headOf(item), 'the answer of a tool needs "tool"', { help: toolHelp });
    const both = at.has('result') ? at.get('error') : undefined;
    if (both) {
      r.report('TOO6304', both.key.span, 'a tool answers with either "result" or "error"', {
        help: 'Leave out one of them.',
      });
    } else if (!at.has('result') && !at.has('error') && !item.partial) {
      r.report('TOO6302', headOf(item), 'the answer of a tool needs "result" or "error"', { help: toolHelp });
    }
    if (tool === undefined || result === undefined) return [];
    return [{ tool: tool.text, span: tool.span, result, ...(args && { args }) }];
  });
}
