/** The stand-ins for the CLI agents say nothing that the real ones, as they were recorded, do not say. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliAgents } from '../../src/agent/cli/index.ts';
import { type FakeCall, fakeProgram } from './fake.ts';
import { toolNames } from './install.mjs';
import { readRecordings } from './recordings.ts';

const recordings = readRecordings();

describe.each(toolNames)('the stand-in for %s', (type) => {
  const known = new Set(
    recordings.filter((each) => each.type === type).flatMap(({ stdout }) => stdout.flatMap(fields)),
  );
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolang-stand-in-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it.each<readonly [string, FakeCall, readonly string[]]>([
    ['a text', { text: 'Tea is ready.' }, []],
    ['a tool', { text: 'Tea is ready.', tool: 'cat note.txt' }, []],
    ['JSON by a schema', { text: '{"cups":2}', structured: true }, ['--json-schema', '{}']],
  ])('says %s in lines that it was seen to say', (_name, call, args) => {
    const { bin } = fakeProgram(type, folder, call);
    const ran = spawnSync(join(bin, cliAgents.get(type)?.program ?? ''), args, {
      input: 'Make tea.',
      encoding: 'utf8',
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    const lines = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.flatMap(fields).filter((field) => !known.has(field))).toEqual([]);
  });
});

/** `what is it: where in it: of which kind`, for all that is in a line. What tools are given is theirs. */
function fields(line: unknown): string[] {
  return [...walk(line, '', tagOf(line))];
}

function* walk(value: unknown, path: string, tag: string): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* walk(each, `${path}[]`, isObject(each) ? `${tag} ${String(each.type)}` : tag);
  } else if (isObject(value)) {
    // Some have models for keys.
    const isByModel = /\.(modelUsage|model_usage_since_last_result|models)$/.test(path);
    for (const [key, each] of Object.entries(value)) yield* walk(each, `${path}.${isByModel ? '*' : key}`, tag);
  }
  if (!/\.(input|parameters|structured_output)\./.test(path)) yield `${tag}: ${path}: ${kindOf(value)}`;
}

function tagOf(line: unknown): string {
  if (!isObject(line)) return 'text';
  const { type, subtype, item, event, role } = line;
  const inner = [item, event].filter(isObject).map((each) => each.type);
  return [type, subtype, role, ...inner].filter((each) => each !== undefined).join(' ');
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
