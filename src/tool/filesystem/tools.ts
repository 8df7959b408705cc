/** The tools of files, for one guard. */
import type { OwnTool } from '../define-tool.ts';
import { editTool } from './edit.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { listTool } from './list.ts';
import { type Guard, noGuard } from './off-limits.ts';
import { readTool } from './read.ts';
import { writeTool } from './write.ts';

export function filesystemTools(guard: Guard = noGuard): readonly OwnTool[] {
  return [readTool(guard), writeTool(guard), editTool(guard), listTool(guard), globTool(guard), grepTool(guard)];
}
