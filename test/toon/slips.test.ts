/** One slip of a hand in a file that was right: no two errors at one place, and no crash. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planWorkflow } from '../../src/plan/index.ts';
import { createSource, type Diagnostic, positionAt } from '../../src/text/index.ts';
import { randomFrom } from './mutate.ts';
import { slips } from './slips.ts';

const folder = join(import.meta.dirname, '../../examples/workflows');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!\.script)\.toon$/.test(name),
);
const deep = process.env.TOOLANG_DEEP !== undefined;
const seed = Number(process.env.TOOLANG_SEED ?? 7) || 7;

const read = async (path: string) => {
  try {
    return { ok: true as const, text: readFileSync(path, 'utf8') };
  } catch {
    return { ok: false as const, message: 'there is no such file' };
  }
};

async function errorsOf(text: string, file: string): Promise<Diagnostic[]> {
  const source = createSource('slip.toon', text);
  const { diagnostics } = await planWorkflow(source, { file: join(folder, file), read });
  return diagnostics.filter((d) => d.severity === 'error' && d.source === source);
}

/** One place may lack several things, which have the same code. */
function overlap(a: Diagnostic, b: Diagnostic): boolean {
  const same = a.span.start === b.span.start && a.span.end === b.span.end;
  return same ? a.code !== b.code : a.span.start < b.span.end && b.span.start < a.span.end;
}

const printed = (d: Diagnostic) => `${positionAt(d.source, d.span.start).line} ${d.code} ${d.message}`;

const right: { file: string; text: string }[] = [];
for (const file of files) {
  const text = readFileSync(join(folder, file), 'utf8');
  // What modules give is not known here; of a node of a plugin neither are its keys.
  const isKnown = !/^ +plugins\[/m.test(text) && (await errorsOf(text, file)).length === 0;
  if (isKnown) right.push({ file, text });
}

test('the examples are right', () => {
  expect(right.length).toBeGreaterThan(files.length / 2);
});

test.each(slips)('$name', async ({ of }) => {
  const random = randomFrom(seed);
  const found: string[] = [];
  let count = 0;
  for (const { file, text } of right) {
    for (const changed of of(text)) {
      if (!deep && random() > 0.05) continue;
      count++;
      const errors = await errorsOf(changed, file);
      const pair = errors.flatMap((a, at) => errors.slice(at + 1).flatMap((b) => (overlap(a, b) ? [[a, b]] : [])))[0];
      if (pair) found.push(`${file}: ${pair.map(printed).join(' | ')}`);
    }
  }
  expect(found).toEqual([]);
  if (deep) expect(count).toBeGreaterThan(0);
});
