/** The generator gives right programs that reach all of the grammar; the mutators break them, and never the grammar. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Edit, Parser, type Point } from 'web-tree-sitter';
import { leafKinds, loadGrammar, loadLanguage, type Sexp, type WasmTree } from '../../grammar/wasm-tree.ts';
import { mutate } from './mutate.ts';
import { generateProgram } from './program.ts';

const innerKinds = [
  'context',
  'context_block',
  'directive',
  'fence',
  'field',
  'instruct',
  'instruct_block',
  'message_block',
  'output_type',
  'param',
  'params',
  'program',
  'prompt',
  'property',
  'psyche',
  'service',
  'skill',
  'struct',
  'thunk',
  'type',
  'use',
];

let parse: (text: string) => WasmTree;

beforeAll(async () => {
  parse = await loadGrammar();
});

describe('generated programs', () => {
  it('are accepted by the grammar, and reach each of its kinds of node', () => {
    const reached = new Map<string, number>();
    const count = (kind: string): void => {
      reached.set(kind, (reached.get(kind) ?? 0) + 1);
    };
    for (let seed = 0; seed < 2000; seed++) {
      const program = generateProgram(seed);
      const { ok, tree, comments } = parse(program);
      if (!ok) expect.fail(`the program of seed ${seed} is refused: ${JSON.stringify(program)}`);
      for (const kind of kindsOf(tree)) count(kind);
      if (comments.length > 0) count('comment');
    }
    const kinds = [...reached].sort().map(([kind, times]) => `${kind} ${times}`);
    console.log(`kinds reached: ${kinds.join(', ')}`);
    expect([...reached.keys()].sort()).toEqual([...innerKinds, ...leafKinds].sort());
  });

  it('are the same for the same seed, and of 1 to 60 lines', () => {
    for (let seed = 0; seed < 500; seed++) {
      const program = generateProgram(seed);
      expect(generateProgram(seed)).toBe(program);
      expect(program.split('\n').length).toBeLessThanOrEqual(60);
    }
  });
});

describe('mutated programs', () => {
  it('are the same for the same seed, and of both kinds', () => {
    let accepted = 0;
    for (let seed = 0; seed < 1000; seed++) {
      const program = generateProgram(seed);
      const mutated = mutate(program, seed);
      expect(mutate(program, seed)).toBe(mutated);
      if (parse(mutated).ok) accepted++;
    }
    expect(accepted).toBeGreaterThan(100);
    expect(accepted).toBeLessThan(900);
  });
});

describe('edited programs', () => {
  it('have the same tree, read again from the old one, as when read afresh', async () => {
    const parser = new Parser();
    parser.setLanguage(await loadLanguage());
    for (let seed = 0; seed < 500; seed++) {
      const program = generateProgram(seed);
      const mutated = mutate(program, seed);
      for (const [before, after] of [
        [program, mutated],
        [mutated, program],
      ] as const) {
        const old = parser.parse(before);
        old?.edit(editBetween(before, after));
        const again = parser.parse(after, old);
        const fresh = parser.parse(after);
        const expected = fresh?.rootNode.hasError ? undefined : fresh?.rootNode.toString();
        const given = again?.rootNode.hasError ? undefined : again?.rootNode.toString();
        if (given !== expected)
          expect.fail(`seed ${seed}: ${JSON.stringify(before)} edited to ${JSON.stringify(after)}`);
        for (const tree of [old, again, fresh]) tree?.delete();
      }
    }
    parser.delete();
  });
});

/** The smallest edit that makes `after` of `before`. */
function editBetween(before: string, after: string): Edit {
  const shorter = Math.min(before.length, after.length);
  let startIndex = 0;
  while (startIndex < shorter && before[startIndex] === after[startIndex]) startIndex++;
  let same = 0;
  while (same < shorter - startIndex && before.at(-1 - same) === after.at(-1 - same)) same++;
  const oldEndIndex = before.length - same;
  const newEndIndex = after.length - same;
  return new Edit({
    startIndex,
    oldEndIndex,
    newEndIndex,
    startPosition: pointAt(before, startIndex),
    oldEndPosition: pointAt(before, oldEndIndex),
    newEndPosition: pointAt(after, newEndIndex),
  });
}

function pointAt(text: string, offset: number): Point {
  const before = text.slice(0, offset);
  return { row: before.split('\n').length - 1, column: offset - before.lastIndexOf('\n') - 1 };
}

function* kindsOf(node: Sexp): Generator<string> {
  yield node[0];
  for (const child of node.slice(1)) if (typeof child === 'object') yield* kindsOf(child);
}
