/** The test files of the examples are run, as a person would: all cases pass, and what they leave out is known. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { memoryContext } from '../src/cli/memory-context.ts';
import { runCli } from '../src/cli/run.ts';
import { violations } from './json-schema.ts';

const folder = fileURLToPath(new URL('../examples/', import.meta.url));

test('every case of the examples passes, and nothing of them is changed', async () => {
  const files = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const before = files();
  const context = memoryContext({ cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'nobody') } });
  const code = await runCli(['test', '--json'], context);
  const told = JSON.parse(context.out());
  expect(violations(told, 'test.schema.json')).toEqual([]);
  expect(told.cases.filter(({ status }: { status: string }) => status !== 'passed')).toEqual([]);
  expect(code).toBe(0);
  expect(files()).toEqual(before);
  const suites = before.filter((name) => name.endsWith('.test.toon'));
  expect(new Set(told.cases.map(({ file }: { file: string }) => file)).size).toBe(suites.length);
  expect(suites.length).toBeGreaterThanOrEqual(3);
  // Of what has tests, all is reached.
  const missed = told.coverage.files.flatMap(({ file, missed: parts }: { file: string; missed: { name: string }[] }) =>
    parts.map(({ name }) => `${file} ${name}`),
  );
  expect(missed).toEqual([]);
});

test('test files of the examples say what they show', () => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.test.toon')) expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^# [A-Z].*\.\n/);
  }
});
