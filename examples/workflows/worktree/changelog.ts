/** The steps of the changelog: they work in the folder of the worktree. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Step {
  readonly input: { readonly version: string; readonly lines: readonly string[] };
  readonly cwd: string;
  readonly sh: (texts: TemplateStringsArray, ...values: readonly unknown[]) => Promise<string>;
}

/** Puts the changes of a version on top of the file. */
export async function write({ input, cwd }: Step): Promise<{ file: string }> {
  const file = 'CHANGES.md';
  const before = await readFile(join(cwd, file), 'utf8').catch(() => '');
  const lines = input.lines.map((line) => `- ${line}\n`).join('');
  await writeFile(join(cwd, file), `## ${input.version}\n${lines}${before}`);
  return { file };
}

export async function commit({ input, sh }: Step): Promise<{ done: boolean }> {
  await sh`git add --all`;
  await sh`git -c user.name=Robin -c user.email=robin@example.org commit -m ${input.version}`;
  return { done: true };
}
