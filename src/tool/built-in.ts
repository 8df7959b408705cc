/** The tools that are built in, as sources of a toolbox: made when one of them is used. */
import type { Settings } from '../config/index.ts';
import type { OwnTool } from './define-tool.ts';
import { type Guard, noGuard } from './filesystem/off-limits.ts';
import { filesystemTools } from './filesystem/tools.ts';
import { shellTool } from './shell/shell-tool.ts';
import type { ToolSource } from './toolbox.ts';
import { fetchTool } from './web/fetch.ts';

export interface BuiltInOptions {
  readonly config: Pick<Settings, 'sandbox' | 'tools'>;
  /** What may not be read or written, beside what nobody may. */
  readonly guard?: Guard;
  /** Variables whose values are secrets, though their names do not say so. */
  readonly hidden?: readonly string[];
}

/** By the names of their sets, as `names.ts` has them. */
export function builtInSources({ config, guard = noGuard, hidden = [] }: BuiltInOptions): readonly ToolSource[] {
  const { sandbox, tools } = config;
  return [
    sourceOf('filesystem', () => filesystemTools(guard)),
    sourceOf('shell', () => [shellTool({ sandbox, env: tools.shell.env, hidden, guard })]),
    sourceOf('web', () => [fetchTool({ privateHosts: tools.web.private })]),
  ];
}

function sourceOf(name: string, make: () => readonly OwnTool[]): ToolSource {
  let made: readonly OwnTool[] | undefined;
  return {
    name,
    async list() {
      made ??= make();
      return { ok: true, tools: made };
    },
  };
}
