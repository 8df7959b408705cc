/**
 * The machine: tries to match a program at one place of a text.
 * 1. All state is in registers and on a stack of our own; nothing recurses.
 * 2. The stack holds records of three numbers. A choice is (instruction, position, extra): go on there. What was kept
 *    is (~slot, start, end): put it back, and look further down.
 * 3. A slot need not be kept again while its record is the last one: no choice can ask for the values between.
 * 4. The records of a lookaround are dropped when it has matched, but for those of its groups, kept before it began.
 * 5. Every instruction is a step, as is every character that one instruction passes over. Steps do not depend on what
 *    was matched before, so they are the same in every run.
 */
import { type CharSet, has, isLineEnd } from './char-set.ts';
import { RegExpMemoryError } from './error.ts';
import { modeBefore, modeUnicode, type Program } from './program.ts';
import { skip, take, takeAgain } from './walk.ts';

export interface RegExpBudget {
  /** Pays for so many steps; throws what is to stop the match when there are none left. */
  spend(steps: number): void;
}

export interface Machine {
  readonly program: Program;
  readonly text: string;
  readonly budget: RegExpBudget;
  readonly registers: Int32Array;
  stack: Int32Array;
  /** Not yet spent. */
  steps: number;
}

const batch = 64;

/** In numbers: 128 MB. It is enough for some choices at each character of a text of a million. */
const maxStack = 1 << 25;

/** Where the match ends, with the groups in the registers; -1 when there is none, and the registers are as before. */
export function matchAt(machine: Machine, start: number): number {
  const { text, registers, budget } = machine;
  const { code, sets, groups, unicode, ignoreCase, word } = machine.program;
  const end = text.length;
  const room = 3 * (groups + 2);
  let { stack, steps } = machine;
  let height = 0;
  let at = 0;
  let position = start;
  let extra = 0;
  for (;;) {
    if (++steps >= batch) {
      machine.steps = 0;
      budget.spend(steps);
      steps = 0;
    }
    if (height + room > stack.length) {
      stack = grown(stack);
      machine.stack = stack;
    }
    // `continue` goes on with the next instruction; what breaks out of the switch has failed.
    switch (code[at]) {
      case 0: // match
        machine.steps = steps;
        return position;
      case 1: // char
        if (position >= end || text.charCodeAt(position) !== code[at + 1]) break;
        position++;
        at += 2;
        continue;
      case 2: // charBefore
        if (position === 0 || text.charCodeAt(position - 1) !== code[at + 1]) break;
        position--;
        at += 2;
        continue;
      case 3: // set
        if (position >= end || !has(sets[code[at + 1] as number] as CharSet, text.charCodeAt(position))) break;
        position++;
        at += 2;
        continue;
      case 4: {
        // take
        const next = take(text, position, sets[code[at + 1] as number] as CharSet, code[at + 2] as number);
        if (next < 0) break;
        position = next;
        at += 3;
        continue;
      }
      case 5: // split
        height = push(stack, height, code[at + 1] as number, position, 0);
        at += 2;
        continue;
      case 6: // splitBack
        height = push(stack, height, at + 2, position, 0);
        at = code[at + 1] as number;
        continue;
      case 7: // jump
        at = code[at + 1] as number;
        continue;
      case 8: {
        // save
        const slot = code[at + 1] as number;
        height = keep(stack, height, registers, slot);
        registers[2 * slot + (code[at + 2] as number)] = position;
        at += 3;
        continue;
      }
      case 9: {
        // clear
        const last = code[at + 2] as number;
        for (let slot = code[at + 1] as number; slot <= last; slot++) {
          steps++;
          if (registers[2 * slot] === -1 && registers[2 * slot + 1] === -1) continue;
          height = keep(stack, height, registers, slot);
          registers[2 * slot] = -1;
          registers[2 * slot + 1] = -1;
        }
        at += 3;
        continue;
      }
      case 10: // start
        if (position !== 0) break;
        at++;
        continue;
      case 11: // end
        if (position !== end) break;
        at++;
        continue;
      case 12: // lineStart
        if (position !== 0 && !isLineEnd(text.charCodeAt(position - 1))) break;
        at++;
        continue;
      case 13: // lineEnd
        if (position !== end && !isLineEnd(text.charCodeAt(position))) break;
        at++;
        continue;
      case 14: // word
        if (isWord(text, position - 1, word) === isWord(text, position, word)) break;
        at++;
        continue;
      case 15: // notWord
        if (isWord(text, position - 1, word) !== isWord(text, position, word)) break;
        at++;
        continue;
      case 16: {
        // back
        const slot = code[at + 1] as number;
        const from = registers[2 * slot] as number;
        const to = registers[2 * slot + 1] as number;
        // A group that has not matched, or not yet to its end, matches nothing.
        if (from >= 0 && to >= 0) {
          const mode = (code[at + 2] as number) + (unicode ? modeUnicode : 0);
          const next = takeAgain(text, from, to, position, mode, ignoreCase);
          steps += to - from;
          if (next < 0) break;
          position = next;
        }
        at += 3;
        continue;
      }
      case 17: // look
      case 18: {
        // notLook
        const slot = code[at + 1] as number;
        const last = code[at + 3] as number;
        for (let group = code[at + 2] as number; group <= last; group++) {
          steps++;
          height = keep(stack, height, registers, group);
        }
        registers[2 * slot] = height;
        registers[2 * slot + 1] = position;
        if (code[at] === 17) at += 4;
        else {
          height = push(stack, height, code[at + 4] as number, position, 0);
          at += 5;
        }
        continue;
      }
      case 19: {
        // found
        const slot = code[at + 1] as number;
        height = registers[2 * slot] as number;
        position = registers[2 * slot + 1] as number;
        at += 2;
        continue;
      }
      case 20: // notFound
        height = registers[2 * (code[at + 1] as number)] as number;
        break;
      case 21: {
        // count
        const slot = code[at + 1] as number;
        height = keep(stack, height, registers, slot);
        registers[2 * slot] = 0;
        at += 2;
        continue;
      }
      case 22: {
        // round
        const count = registers[2 * (code[at + 1] as number)] as number;
        const exit = code[at + 5] as number;
        if (count < (code[at + 2] as number)) at += 6;
        else if (count >= (code[at + 3] as number)) at = exit;
        else if (code[at + 4] === 1) {
          height = push(stack, height, at + 6, position, 0);
          at = exit;
        } else {
          height = push(stack, height, exit, position, 0);
          at += 6;
        }
        continue;
      }
      case 23: {
        // enter
        const slot = code[at + 1] as number;
        height = keep(stack, height, registers, slot);
        registers[2 * slot] = (registers[2 * slot] as number) + 1;
        registers[2 * slot + 1] = position;
        at += 2;
        continue;
      }
      case 24: {
        // leave
        const slot = code[at + 1] as number;
        if (registers[2 * slot + 1] === position && (registers[2 * slot] as number) > (code[at + 2] as number)) break;
        at += 3;
        continue;
      }
      case 25: {
        // mark
        const slot = code[at + 1] as number;
        height = keep(stack, height, registers, slot);
        registers[2 * slot + 1] = position;
        at += 2;
        continue;
      }
      case 26: // moved
        if (registers[2 * (code[at + 1] as number) + 1] === position) break;
        at += 2;
        continue;
      case 27: {
        // run
        const set = sets[code[at + 1] as number] as CharSet;
        const min = code[at + 2] as number;
        const max = code[at + 3] as number;
        const mode = code[at + 4] as number;
        let next = position;
        let least = position + min;
        let count = 0;
        if (mode === 0) {
          const limit = max < end - position ? position + max : end;
          while (next < limit && has(set, text.charCodeAt(next))) next++;
          count = next - position;
        } else {
          least = position;
          while (count < max) {
            const taken = take(text, next, set, mode);
            if (taken < 0) break;
            next = taken;
            if (++count === min) least = next;
          }
        }
        steps += count;
        if (count < min) break;
        position = next;
        at += 6;
        if (count > min) height = push(stack, height, at, position, least);
        at++;
        continue;
      }
      case 28: {
        // retry: gives back characters
        const least = extra;
        const hint = code[at - 1] as number;
        const mode = code[at - 2] as number;
        if (mode === 0) {
          const before = position;
          position--;
          if (hint >= 0) while (position > least && text.charCodeAt(position) !== hint) position--;
          steps += before - position;
        } else position = skip(text, position, mode ^ modeBefore);
        if (position !== least) height = push(stack, height, at, position, least);
        at++;
        continue;
      }
      case 29: {
        // runLazy
        const set = sets[code[at + 1] as number] as CharSet;
        const min = code[at + 2] as number;
        const max = code[at + 3] as number;
        let next = position;
        for (let count = 0; count < min && next >= 0; count++) {
          steps++;
          next = take(text, next, set, code[at + 4] as number);
        }
        if (next < 0) break;
        position = next;
        at += 6;
        if (max > min) height = push(stack, height, at, position, max - min);
        at++;
        continue;
      }
      case 30: {
        // retryLazy: takes one more character, and more when what follows cannot match there
        const set = sets[code[at - 5] as number] as CharSet;
        const hint = code[at - 1] as number;
        let rest = extra;
        let next = position;
        do {
          steps++;
          next = take(text, next, set, code[at - 2] as number);
          rest--;
        } while (next >= 0 && rest > 0 && hint >= 0 && text.charCodeAt(next) !== hint);
        if (next < 0) break;
        position = next;
        if (rest > 0) height = push(stack, height, at, position, rest);
        at++;
        continue;
      }
    }
    for (;;) {
      if (height === 0) {
        machine.steps = steps;
        return -1;
      }
      height -= 3;
      const to = stack[height] as number;
      if (to >= 0) {
        at = to;
        position = stack[height + 1] as number;
        extra = stack[height + 2] as number;
        break;
      }
      registers[2 * ~to] = stack[height + 1] as number;
      registers[2 * ~to + 1] = stack[height + 2] as number;
    }
  }
}

function push(stack: Int32Array, height: number, at: number, position: number, extra: number): number {
  stack[height] = at;
  stack[height + 1] = position;
  stack[height + 2] = extra;
  return height + 3;
}

function keep(stack: Int32Array, height: number, registers: Int32Array, slot: number): number {
  if (height > 0 && stack[height - 3] === ~slot) return height;
  stack[height] = ~slot;
  stack[height + 1] = registers[2 * slot] as number;
  stack[height + 2] = registers[2 * slot + 1] as number;
  return height + 3;
}

function grown(stack: Int32Array): Int32Array {
  if (stack.length * 2 > maxStack) throw new RegExpMemoryError('the regular expression has too many open choices');
  const larger = new Int32Array(stack.length * 2);
  larger.set(stack);
  return larger;
}

function isWord(text: string, position: number, word: CharSet): boolean {
  return position >= 0 && position < text.length && has(word, text.charCodeAt(position));
}
