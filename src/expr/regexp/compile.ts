/**
 * Tree to program. Its size is linear in that of the tree: rounds of a loop are counted, not written out.
 * In a lookbehind everything is matched from its end to its start.
 */
import { type CharSet, charSet, sharedSet } from './char-set.ts';
import type { Flags } from './flags.ts';
import { type LookNode, type LoopNode, type Node, unlimited } from './node.ts';
import type { ParsedRegExp } from './parse.ts';
import { modeBefore, modeUnicode, op, type Program } from './program.ts';
import { startOf } from './start.ts';

interface Output {
  readonly code: number[];
  readonly sets: CharSet[];
  readonly runs: number[];
  readonly flags: Flags;
  slots: number;
}

export function compileProgram(parsed: ParsedRegExp, flags: Flags): Program {
  const groups = parsed.groups + 1;
  const out: Output = { code: [], sets: [], runs: [], flags, slots: groups };
  emit(out, parsed.node, false);
  out.code.push(op.match);
  for (const at of out.runs) out.code[at + 5] = hintAfter(out.code, at + 7);
  return {
    code: Int32Array.from(out.code),
    sets: out.sets,
    groups,
    slots: out.slots,
    unicode: flags.unicode,
    ignoreCase: flags.ignoreCase,
    word: sharedSet('\\w', flags.ofClass),
    start: startOf(parsed.node),
    spare: undefined,
  };
}

function emit(out: Output, node: Node, before: boolean): void {
  const { code } = out;
  switch (node.kind) {
    case 'char':
      for (const unit of units(node.code, before)) code.push(before ? op.charBefore : op.char, unit);
      return;
    case 'set': {
      const mode = modeOf(out, before);
      if (mode === 0) code.push(op.set, addSet(out, node.set));
      else code.push(op.take, addSet(out, node.set), mode);
      return;
    }
    case 'sequence':
      for (const part of before ? node.nodes.toReversed() : node.nodes) emit(out, part, before);
      return;
    case 'choice':
      emitChoice(out, node.nodes, before);
      return;
    case 'group':
      code.push(op.save, node.index, before ? 1 : 0);
      emit(out, node.body, before);
      code.push(op.save, node.index, before ? 0 : 1);
      return;
    case 'loop':
      emitLoop(out, node, before);
      return;
    case 'look':
      emitLook(out, node);
      return;
    case 'back':
      code.push(op.back, node.group, before ? 1 : 0);
      return;
    default:
      code.push(op[node.kind]);
  }
}

function units(code: number, before: boolean): number[] {
  const text = String.fromCodePoint(code);
  const list = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return before ? list.reverse() : list;
}

function modeOf(out: Output, before: boolean): number {
  return (before ? modeBefore : 0) + (out.flags.unicode ? modeUnicode : 0);
}

function addSet(out: Output, set: CharSet): number {
  return out.sets.push(set) - 1;
}

function emitChoice(out: Output, nodes: readonly Node[], before: boolean): void {
  const { code } = out;
  const ends: number[] = [];
  for (const node of nodes.slice(0, -1)) {
    const split = code.push(op.split, 0) - 1;
    emit(out, node, before);
    ends.push(code.push(op.jump, 0) - 1);
    code[split] = code.length;
  }
  emit(out, nodes.at(-1) as Node, before);
  for (const end of ends) code[end] = code.length;
}

function emitLoop(out: Output, loop: LoopNode, before: boolean): void {
  const { code } = out;
  const { body, empty, min, max, lazy } = loop;
  if (max === 0) return;
  if (body.kind === 'char' || body.kind === 'set') {
    emitRun(out, loop, body, before);
    return;
  }
  if (min === 1 && max === 1) {
    emit(out, body, before);
    return;
  }
  if (min === 1 && max === unlimited && !empty) {
    const again = code.length;
    emitClear(out, loop);
    emit(out, body, before);
    if (lazy) code.push(op.split, again);
    else code.push(op.splitBack, again);
    return;
  }
  const slot = empty || min > 0 || (max > 1 && max < unlimited) ? out.slots++ : 0;
  if (min === 0 && (max === 1 || max === unlimited)) {
    const again = code.length;
    const exit = code.push(lazy ? op.splitBack : op.split, 0) - 1;
    if (max !== 1) emitClear(out, loop);
    if (empty) code.push(op.mark, slot);
    emit(out, body, before);
    if (empty) code.push(op.moved, slot);
    if (max !== 1) code.push(op.jump, again);
    code[exit] = code.length;
    return;
  }
  code.push(op.count, slot);
  const again = code.length;
  const exit = code.push(op.round, slot, min, max, lazy ? 1 : 0, 0) - 1;
  emitClear(out, loop);
  code.push(op.enter, slot);
  emit(out, body, before);
  if (empty) code.push(op.leave, slot, min);
  code.push(op.jump, again);
  code[exit] = code.length;
}

function emitClear(out: Output, { firstGroup, lastGroup }: LoopNode): void {
  if (firstGroup <= lastGroup) out.code.push(op.clear, firstGroup, lastGroup);
}

/** A loop over one character needs one place on the stack, however long it is. */
function emitRun(out: Output, { min, max, lazy }: LoopNode, body: Node, before: boolean): void {
  const set = body.kind === 'set' ? body.set : charSet((code) => body.kind === 'char' && code === body.code);
  const mode = modeOf(out, before);
  if (mode === 0) out.runs.push(out.code.length);
  out.code.push(lazy ? op.runLazy : op.run, addSet(out, set), min, max, mode, -1, lazy ? op.retryLazy : op.retry);
}

/** The code unit that must follow a run, so that it need not be left where another one stands; -1 when not known. */
function hintAfter(code: readonly number[], at: number): number {
  let next = at;
  while (code[next] === op.save) next += 3;
  return code[next] === op.char ? (code[next + 1] as number) : -1;
}

function emitLook(out: Output, look: LookNode): void {
  const { code } = out;
  const slot = out.slots++;
  if (!look.negative) {
    code.push(op.look, slot, look.firstGroup, look.lastGroup);
    emit(out, look.body, look.behind);
    code.push(op.found, slot);
    return;
  }
  const to = code.push(op.notLook, slot, look.firstGroup, look.lastGroup, 0) - 1;
  emit(out, look.body, look.behind);
  code.push(op.notFound, slot);
  code[to] = code.length;
}
