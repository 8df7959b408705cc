/** The samples of docs/builder.md: each is type-checked, and prints what the page says. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const entry = join(root, 'src/api/workflow.ts');
const page = readFileSync(join(root, 'docs/builder.md'), 'utf8');
const samples = [...page.matchAll(/```ts\n([\s\S]*?)```\n\n```\n([\s\S]*?)```\n/g)];
const start = process.cwd();
let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-docs-'));
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'), 'junction');
  for (const [index, [, code = '']] of samples.entries()) {
    writeFileSync(join(dir, `${index}.ts`), code);
    writeFileSync(join(dir, `${index}.run.ts`), code.replace("'toolang/workflow'", JSON.stringify(entry)));
  }
  process.chdir(dir);
});

afterAll(() => {
  process.chdir(start);
  rmSync(dir, { recursive: true, force: true });
});

afterEach(() => vi.restoreAllMocks());

it('has samples, each with its output', () => {
  expect(samples.length).toBe(page.split('```ts\n').length - 1);
  expect(samples.length).toBeGreaterThan(6);
});

it.each(samples.map(([, code = '', output], index) => [headingOf(code), index, output]))(
  '%s (%i)',
  async (_, index, output) => {
    const lines: string[] = [];
    vi.spyOn(console, 'log').mockImplementation((...values: unknown[]) => {
      lines.push(values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '));
    });
    await import(/* @vite-ignore */ join(dir, `${index}.run.ts`));
    expect(`${lines.join('\n')}\n`).toBe(output);
  },
);

/** The compiler takes as long as many other tests: `npm run test:deep`. */
it.runIf(process.env.TOOLANG_DEEP)('is right about types', () => {
  const compilerOptions = {
    rootDir: '/',
    paths: { 'toolang/workflow': [entry] },
    module: 'preserve',
    moduleResolution: 'bundler',
  };
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include: ['?.ts'] }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const ran = spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8', cwd: dir });
  // Other files of ours are not the matter of this page.
  const own = ran.stdout.split('\n').filter((line) => /^(?:\d+\.ts|error|tsconfig)/.test(line));
  expect(own).toEqual([]);
});

function headingOf(code: string): string {
  const before = page.slice(0, page.indexOf(code));
  return [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '';
}
