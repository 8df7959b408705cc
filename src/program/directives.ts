/** Directives: the operators a key takes, and that every value names something. */
import { type DiagnosticExtra, isSurelyMeant } from '../text/index.ts';
import type { CapKind, Directive, DirectiveKey, Word } from '../too/index.ts';
import { isOneOf, isValueName } from '../too/index.ts';
import { type Checker, chain, leaveUnchecked, report, reportUnknown } from './checker.ts';
import type { Host, ModelNameProblem } from './host.ts';
import { isOwnTool } from './own-tools.ts';
import type { Recall } from './program.ts';

/** What the directives of a program may name. */
export interface Known {
  readonly thunks: ReadonlySet<string>;
  /** Thunks whose names are malformed, by what is written. */
  readonly mended: ReadonlyMap<string, { readonly name: string; readonly at: number }>;
  /** Caps of the program itself, inline or by `use`, and of the wider scopes that the host knows. */
  readonly caps: Readonly<Record<CapKind, ReadonlySet<string>>>;
}

const capKeys = { skills: 'skill', services: 'service', psyches: 'psyche' } as const;
const recallSources = ['history', 'memory'] as const;
const recallWords = ['none', 'default', ...recallSources] as const;

export function checkDirectives(c: Checker, thunk: string, directives: readonly Directive[], known: Known): void {
  const assigned = new Map<DirectiveKey, Directive>();
  const handoffs = new Set(
    directives.flatMap(({ key, values }) => (key === 'handoffs' ? values.map(({ text }) => text) : [])),
  );
  for (const directive of directives) {
    checkOperator(c, directive, assigned);
    checkRepeats(c, directive);
    for (const value of directive.values) checkValue(c, thunk, directive, value, known);
    if (directive.key === 'recall') checkRecall(c, directive);
    if (directive.key === 'hands' && directive.op !== '-=') checkHandNames(c, directive, handoffs);
  }
}

/** What the last `recall` line says; with none of them, `default`. */
export function recallOf(directives: readonly Directive[]): Recall {
  const last = directives.findLast((directive) => directive.key === 'recall');
  const values = last?.values.map((value) => value.text) ?? [];
  if (values.includes('none')) return 'none';
  const sources = recallSources.filter((source) => values.includes(source));
  return sources.length > 0 ? sources : 'default';
}

function checkOperator(c: Checker, directive: Directive, assigned: Map<DirectiveKey, Directive>): void {
  const { key, op, opSpan } = directive;
  if ((key === 'models' || key === 'recall') && op !== '=') {
    report(c, 'TOO2101', opSpan, `"${key}" supports only "=".`, {
      fix: { title: 'replace with "="', edits: [{ span: opSpan, text: '=' }] },
    });
  }
  if (op !== '=' && key !== 'models' && key !== 'recall') return;
  const before = assigned.get(key);
  if (before) {
    report(c, 'TOO2103', directive.keySpan, `this line replaces an earlier "${key} =".`, {
      related: [{ source: c.source, span: before.keySpan, message: 'this line has no effect' }],
      help: key === 'models' || key === 'recall' ? 'Keep one of them.' : 'Keep one of them, or use "+=" to add.',
    });
  }
  assigned.set(key, directive);
}

function checkRepeats(c: Checker, directive: Directive): void {
  const seen = new Map<string, Word>();
  for (const [i, value] of directive.values.entries()) {
    const first = seen.get(value.text);
    if (!first) seen.set(value.text, value);
    else {
      report(c, 'TOO2104', value.span, `"${value.text}" is listed twice.`, {
        related: [{ source: c.source, span: first.span, message: 'first here' }],
        // With the comma before it.
        fix: {
          title: 'remove it',
          edits: [
            { span: { start: directive.values[i - 1]?.span.end ?? value.span.start, end: value.span.end }, text: '' },
          ],
        },
      });
    }
  }
}

function checkRecall(c: Checker, directive: Directive): void {
  const alone = directive.values.find((value) => value.text === 'none' || value.text === 'default');
  if (!alone || directive.values.length === 1) return;
  if (directive.values.every((value) => value.text === alone.text)) return;
  report(c, 'TOO2102', alone.span, `"${alone.text}" must stand alone.`, {
    help: 'Write "recall = none", "recall = default", or any of "history, memory".',
  });
}

function checkValue(c: Checker, thunk: string, directive: Directive, value: Word, known: Known): void {
  const { key } = directive;
  switch (key) {
    case 'models':
      checkModel(c, value);
      return;
    case 'tools':
      checkTool(c, value, known);
      return;
    case 'hands':
    case 'handoffs':
      checkThunkName(c, thunk, key, value, known);
      return;
    case 'recall':
      if (!isOneOf(value.text, recallWords)) {
        const help = 'Write "recall = none", "recall = default", or any of "history, memory".';
        reportUnknown(c, 'TOO2102', value.span, 'recall source', value.text, recallWords, help);
      }
      return;
    default:
      checkCap(c, capKeys[key], value, known);
  }
}

/** A hand is a tool, and so are those that the runtime brings. A workflow goes by the name of its file. */
function checkHandNames(c: Checker, { values }: Directive, handoffs: ReadonlySet<string>): void {
  for (const { text, span } of values) {
    const name = text.endsWith('.toon') ? text.slice(text.lastIndexOf('/') + 1, -'.toon'.length) : text;
    if (!isOwnTool(name, handoffs)) continue;
    const what = name === text ? `"${text}"` : `"${text}" would be called "${name}", which`;
    report(c, 'TOO2111', span, `${what} is the name of a tool that the runtime brings: no hand can have it.`, {
      help: name === text ? 'Give the thunk another name.' : 'Give it a short name of its own: [hands] in config.toml.',
    });
  }
}

function checkModel(c: Checker, value: Word): void {
  const { models, modelProblems } = c.host;
  if (modelProblems) {
    const problem = modelProblems.get(value.text);
    if (problem === 'unknown') leaveUnchecked(c, 'models', value.span);
    else if (problem) report(c, 'TOO2109', value.span, problem.message, modelFix(value, problem));
    return;
  }
  if (!models) leaveUnchecked(c, 'models', value.span);
  else if (!models.includes(value.text)) reportUnknown(c, 'TOO2109', value.span, 'model', value.text, models);
}

function modelFix({ text, span }: Word, { help, meant }: ModelNameProblem): DiagnosticExtra {
  if (meant === undefined) return help === undefined ? {} : { help };
  const fix = { title: `replace with "${meant}"`, edits: [{ span, text: meant }] };
  return { ...(help !== undefined && { help }), fix: isSurelyMeant(text, meant) ? fix : { ...fix, guess: true } };
}

/** A set, a service, or one tool of either. The tools of a service are known only once it is connected. */
function checkTool(c: Checker, value: Word, known: Known): void {
  const slash = value.text.indexOf('/');
  const set = slash === -1 ? value.text : value.text.slice(0, slash);
  const services = known.caps.service;
  if (services.has(set)) return;
  const tools = c.host.tools?.get(set);
  if (tools && (slash === -1 || tools.includes(value.text.slice(slash + 1)))) return;
  if (!c.host.tools || (!c.host.caps && !tools)) {
    leaveUnchecked(c, 'tools', value.span);
    return;
  }
  const all = toolNames(c.host.tools);
  // `read` is nearer to `filesystem/read` than spelling says.
  const owner = all.find((name) => name.endsWith(`/${value.text}`));
  if (owner === undefined) {
    const help =
      value.text === 'none' ? 'To have no tools, take away what there is: "tools -= filesystem".' : undefined;
    reportUnknown(c, 'TOO2106', value.span, 'tool', value.text, chain(all, services), help);
    return;
  }
  report(c, 'TOO2106', value.span, `unknown tool "${value.text}". Did you mean "${owner}"?`, {
    help: 'A tool is named with its set: "filesystem/read".',
    fix: { title: `replace with "${owner}"`, edits: [{ span: value.span, text: owner }] },
  });
}

const namesOfTools = new WeakMap<NonNullable<Host['tools']>, readonly string[]>();

/** Every set and every tool of it. */
function toolNames(tools: NonNullable<Host['tools']>): readonly string[] {
  let names = namesOfTools.get(tools);
  if (!names) {
    names = [...tools].flatMap(([name, list]) => [name, ...list.map((tool) => `${name}/${tool}`)]);
    namesOfTools.set(tools, names);
  }
  return names;
}

function checkThunkName(c: Checker, thunk: string, key: 'hands' | 'handoffs', value: Word, known: Known): void {
  const { text, span } = value;
  const what = key === 'hands' ? 'hand' : 'handoff';
  if (text === thunk) {
    const message =
      key === 'hands' ? `thunk "${thunk}" cannot be its own hand.` : `thunk "${thunk}" cannot hand off to itself.`;
    report(c, 'TOO2108', span, message, { help: 'Name another thunk, or remove it.' });
    return;
  }
  if (known.thunks.has(text)) return;
  const mended = known.mended.get(text);
  if (mended) {
    const edits = c.renames.get(mended.at) ?? [];
    edits.push({ span, text: mended.name });
    c.renames.set(mended.at, edits);
    return;
  }
  if (key === 'hands' && text.endsWith('.toon')) {
    if (!c.host.hasFile) leaveUnchecked(c, 'workflows', span);
    else if (!c.host.hasFile(text)) {
      report(c, 'TOO2107', span, `there is no workflow file "${text}".`, {
        help: 'The path is relative to this file.',
      });
    }
    return;
  }
  if (text.endsWith('.toon')) {
    report(c, 'TOO2110', span, `a workflow such as "${text}" can be a hand, not a handoff.`, {
      help: `Write "hands += ${text}".`,
    });
    return;
  }
  const hands = key === 'hands' ? c.host.hands : [];
  if (hands?.includes(text)) return;
  if (!hands) {
    leaveUnchecked(c, 'hands', span);
    return;
  }
  const alone = known.thunks.size <= 1 && hands.length === 0;
  const declare = isValueName(text) ? `Declare "thunk ${text}:" in this file; there` : 'There';
  const few = !alone ? undefined : `${declare} is no other thunk that could be a ${what}.`;
  const help = text === 'none' ? `Remove the line: without it there are no ${key}.` : few;
  reportUnknown(
    c,
    key === 'hands' ? 'TOO2107' : 'TOO2110',
    span,
    what,
    text,
    except(thunk, chain(known.thunks, hands)),
    help,
  );
}

function checkCap(c: Checker, kind: CapKind, value: Word, known: Known): void {
  const names = known.caps[kind];
  if (names.has(value.text)) return;
  if (!c.host.caps) {
    leaveUnchecked(c, `${kind}s`, value.span);
    return;
  }
  // A reference where the name is meant: `openhat/reviewer` → `reviewer`.
  const last = value.text
    .slice(value.text.lastIndexOf('/') + 1)
    .replace(/@.*$/, '')
    .replace(/\.md$/, '');
  const help = last === 'none' ? noCaps(kind, names) : names.size > 0 ? undefined : declareCap(kind, last);
  if (names.has(last)) {
    report(c, 'TOO2105', value.span, `a directive names a ${kind} by its name, not by its reference.`, {
      fix: { title: `replace with "${last}"`, edits: [{ span: value.span, text: last }] },
    });
  } else reportUnknown(c, 'TOO2105', value.span, kind, value.text, names, help);
}

function declareCap(kind: CapKind, name: string): string {
  return `Declare "${kind} ${name}:" in this file, add it with "use ${kind} owner/${name}", or put it in the ${kind}s folder.`;
}

/** How somebody says `none`, which is a word of `recall` and of templates only. */
function noCaps(kind: CapKind, names: ReadonlySet<string>): string {
  if (names.size === 0) return `Remove the line: there are no ${kind}s.`;
  return `To have none of them, take them away by their names: "${kind}s -= ${[...names].slice(0, 3).join(', ')}".`;
}

function* except(name: string, names: Iterable<string>): Iterable<string> {
  for (const other of names) if (other !== name) yield other;
}
