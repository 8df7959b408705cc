/** For tests of tools: a workspace in a folder of its own, with a neighbour that holds a secret. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realClock } from '../../sys/index.ts';
import type { Tool, ToolArgs, ToolContext, ToolResult } from '../tool.ts';
import { filesystemTools } from './tools.ts';

export const secret = 'PLANTED-SECRET-7261';

export interface Bench {
  readonly workspace: string;
  /** Beside the workspace. */
  readonly outside: string;
  readonly file: (path: string, content?: string | Uint8Array) => string;
  readonly call: (name: string, args: ToolArgs, context?: Partial<ToolContext>) => Promise<ToolResult>;
  /** The text of a call that must go well. */
  readonly text: (name: string, args: ToolArgs, context?: Partial<ToolContext>) => Promise<string>;
  /** The error of one that must not. */
  readonly error: (
    name: string,
    args: ToolArgs,
    context?: Partial<ToolContext>,
  ) => Promise<{ code: string; message: string }>;
  readonly remove: () => void;
}

export function contextFor(workspace: string): ToolContext {
  const signal = new AbortController().signal;
  return { workspace, signal, clock: realClock, env: {}, idempotencyKey: 'test' };
}

export function createBench(tools: readonly Tool[] = filesystemTools()): Bench {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolang-tool-')));
  const workspace = join(base, 'ws');
  const outside = join(base, 'outside');
  mkdirSync(workspace);
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret.txt'), `${secret}\n`);
  const call: Bench['call'] = (name, args, context = {}) => {
    const tool = tools.find((each) => each.name === name || each.name.endsWith(`/${name}`));
    if (!tool) throw new Error(`no tool ${name}`);
    return tool.run(args, { ...contextFor(workspace), ...context });
  };
  return {
    workspace,
    outside,
    file(path, content = '') {
      const at = join(workspace, path);
      mkdirSync(dirname(at), { recursive: true });
      writeFileSync(at, content);
      return at;
    },
    call,
    async text(name, args, context) {
      const result = await call(name, args, context);
      if (!result.ok) throw new Error(`${name}: ${result.error.code}: ${result.error.message}`);
      return result.text;
    },
    async error(name, args, context) {
      const result = await call(name, args, context);
      if (result.ok) throw new Error(`${name} went well: ${result.text}`);
      return result.error;
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}
