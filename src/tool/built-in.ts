/** The tools that are built in, as sources of a toolbox: made when one of them is used. */
import type { Settings } from '../config/index.ts';
import type { OwnTool } from './define-tool.ts';
import { type Guard, noGuard } from './filesystem/off-limits.ts';
import type { ToolSource } from './toolbox.ts';

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
    sourceOf('filesystem', async () => (await import('./filesystem/tools.ts')).filesystemTools(guard)),
    sourceOf('shell', async () => {
      const { shellTool } = await import('./shell/shell-tool.ts');
      return [shellTool({ sandbox, env: tools.shell.env, hidden, guard })];
    }),
    sourceOf('web', async () => [(await import('./web/fetch.ts')).fetchTool({ privateHosts: tools.web.private })]),
  ];
}

/** Each set is loaded when it is used. */
function sourceOf(name: string, make: () => Promise<readonly OwnTool[]>): ToolSource {
  let made: Promise<readonly OwnTool[]> | undefined;
  return {
    name,
    async list() {
      made ??= make();
      return { ok: true, tools: await made };
    },
  };
}
