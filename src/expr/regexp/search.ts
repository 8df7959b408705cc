/** Finds the first place of a text where a program matches, and pays for the work. */
import { has } from './char-set.ts';
import { isLead, isTrail } from './escape.ts';
import { type Machine, matchAt, type RegExpBudget } from './match.ts';
import type { Program } from './program.ts';

/** Numbers that a stack starts with. */
const firstStack = 768;
/** Numbers of a stack that is kept for the next search. */
const keptStack = 1 << 16;
/** `indexOf` passes over so many characters in the time of one step. */
const charsOfStep = 16;

/** The starts and ends of the groups, that of the whole match first; undefined when there is no match. */
export function search(
  program: Program,
  text: string,
  from: number,
  sticky: boolean,
  budget: RegExpBudget,
): Int32Array | undefined {
  const machine: Machine = {
    program,
    text,
    registers: new Int32Array(2 * program.slots).fill(-1),
    budget,
    stack: program.spare ?? new Int32Array(firstStack + 6 * program.groups),
    // At least one; the registers are paid for too.
    steps: program.slots,
  };
  program.spare = undefined;
  let found = -1;
  let at = program.unicode ? wholeChar(text, from) : from;
  while (at >= 0 && at <= text.length) {
    const start = sticky ? at : nextStart(machine, at);
    if (start < 0) break;
    found = matchAt(machine, start);
    if (found >= 0) {
      machine.registers[0] = start;
      machine.registers[1] = found;
      break;
    }
    if (sticky) break;
    at = wholeCharAfter(program, text, start);
  }
  if (machine.stack.length <= keptStack) program.spare = machine.stack;
  budget.spend(machine.steps);
  return found < 0 ? undefined : machine.registers.subarray(0, 2 * program.groups);
}

/** The first place from `at` on where a match can start; -1 when there is none. */
function nextStart(machine: Machine, at: number): number {
  const { program, text } = machine;
  const { anchored, prefix, first } = program.start;
  if (anchored) return at === 0 ? 0 : -1;
  if (prefix !== '') {
    const start = text.indexOf(prefix, at);
    machine.steps += Math.ceil(((start < 0 ? text.length : start) - at) / charsOfStep);
    return start;
  }
  if (first === undefined) return at;
  let start = at;
  while (start < text.length) {
    const code = program.unicode ? (text.codePointAt(start) as number) : text.charCodeAt(start);
    if (has(first, code)) break;
    start += code > 0xffff ? 2 : 1;
  }
  machine.steps += start - at;
  return start < text.length ? start : -1;
}

/** Not between the halves of a pair, but before them. */
function wholeChar(text: string, at: number): number {
  const inside = at > 0 && at < text.length && isTrail(text.charCodeAt(at)) && isLead(text.charCodeAt(at - 1));
  return inside ? at - 1 : at;
}

function wholeCharAfter(program: Program, text: string, at: number): number {
  const code = program.unicode && at < text.length ? (text.codePointAt(at) as number) : 0;
  return at + (code > 0xffff ? 2 : 1);
}
