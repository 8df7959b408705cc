import { expect, it } from 'vitest';
import { isOwnTool } from '../program/index.ts';
import { handoffPrefix, memoryTool, skillTool } from './image.ts';

it('the tools that the runtime brings are those that no hand may be called', () => {
  const names = [skillTool, memoryTool, `${handoffPrefix}b`, `${handoffPrefix}c`, 'other'];
  expect(names.filter((name) => isOwnTool(name, ['b']))).toEqual(['skill', 'memory_save', 'handoff_to_b']);
});
