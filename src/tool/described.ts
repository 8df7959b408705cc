/** Our own tools as models are told of them, for lists and docs; nobody runs these. */
import type { OwnTool } from './define-tool.ts';
import { filesystemTools } from './filesystem/tools.ts';
import { shellTool } from './shell/shell-tool.ts';
import { skillLoadTool } from './skill/load.ts';
import { fetchTool } from './web/fetch.ts';

export function describedTools(): readonly OwnTool[] {
  return [...filesystemTools(), shellTool(), fetchTool(), skillLoadTool([])];
}
