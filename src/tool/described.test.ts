import { expect, test } from 'vitest';
import { builtinSets } from '../config/index.ts';
import { describedTools } from './described.ts';
import { builtinTools, defaultTools, skillTool } from './names.ts';

test('the table of names is that of the tools that there are', () => {
  const named = [...builtinTools].flatMap(([set, tools]) => tools.map((tool) => `${set}/${tool}`));
  expect(describedTools().map(({ name }) => name)).toEqual([...named, skillTool]);
  for (const name of defaultTools) expect(builtinTools.has(name)).toBe(true);
  expect(builtinSets).toEqual([...builtinTools.keys(), skillTool.split('/')[0]]);
});

test('every tool and every parameter has words, and a schema that is closed', () => {
  for (const { name, description, parameters, type } of describedTools()) {
    expect(description.length, name).toBeGreaterThan(40);
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    for (const field of type.fields) expect(field.doc, `${name} ${field.name}`).toMatch(/\.$/);
  }
});
