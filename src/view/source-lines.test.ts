/** In which line of a file a line of a text stands. */
import { describe, expect, it } from 'vitest';
import { createFindLine, importLine } from './source-lines.ts';

const source = `name: flow
agents:
  m:
    type: scripted
    instructions: Say it twice.
steps[3]:
  - id: b
    agent: m
    prompt: b
    output: string
  - agent: m
    prompt[4]:
      - "First: {b}."
      - Same.
      - ""
      - Same.
    id: c
    output: string
  - kind: approval
    id: ok
    request:
      title: "Go\\non?"
`;
const find = createFindLine(source);

describe('the line of a text', () => {
  it('is that of its key, whatever else has the same words', () => {
    expect(find(7, 'prompt', 'b', 0)).toBe(9);
    expect(find(3, 'instructions', 'Say it twice.', 0)).toBe(5);
    expect(find(21, 'title', 'Go\non?', 1)).toBe(22);
  });

  it('is one of a list, also where lines are the same, and where the key of the node comes last', () => {
    const text = 'First: {b}.\nSame.\n\nSame.';
    expect([0, 1, 2, 3].map((index) => find(17, 'prompt', text, index))).toEqual([13, 14, 15, 16]);
  });

  it('is that of what a plugin is given', () => {
    const imports = 'imports:\n  plugins[2]:\n    - from: ./a.ts\n    - from: "./b.ts"\n      config:\n        n: 5\n';
    expect(importLine(imports, './b.ts')).toBe(4);
    expect(createFindLine(imports)(4, 'n', '5', 0)).toBe(6);
    expect(importLine(imports, './c.ts')).toBeUndefined();
  });

  it('is not known where the text is not there, or belongs to another', () => {
    expect(find(7, 'prompt', 'c', 0)).toBeUndefined();
    expect(find(7, 'title', 'Go\non?', 0)).toBeUndefined();
    expect(find(99, 'prompt', 'b', 0)).toBeUndefined();
  });
});
