import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { prepareCode, writtenPlace } from './step-code.ts';

function prepare(code: string, names: string[] = []) {
  return prepareCode({ kind: 'run', code, edits: [], names });
}

test('code is a function of what is in scope, on the same lines and columns', async () => {
  const { text, names } = await prepare("const x = 1\nreturn (await import('a')).b", ['draft', 're-view', 'input']);
  expect(names).toEqual([
    ...['input', 'steps', 'params', 'loop', 'id', 'attempt', 'runId', 'key', 'cwd', 'signal', 'sh', 'services'],
    ...['draft', '$mport'],
  ]);
  expect(text.split('\n').slice(1, 3)).toEqual(['const x = 1', "return (await $mport('a')).b"]);
});

test('a name that the code has itself is not taken for its import; texts stay', async () => {
  const { text, names } = await prepare(
    "const $mport = 1; return [$mport, 'import()', `${await import('a')}`, { import: 2 }.import]",
  );
  const values = names.map((name, index) => (index === names.length - 1 ? async (what: string) => `${what}!` : name));
  expect(await new Script(text).runInThisContext()(...values)).toEqual([1, 'import()', 'a!', 2]);
});

test('a name in scope may be declared by the code', async () => {
  const { text } = await prepare('const input = 5; const id = 6; return input + id');
  expect(await new Script(text).runInThisContext()(1)).toBe(11);
});

test('a place in rewritten code leads back to what was written', () => {
  const written = 'a\nlet n = re-view.x + re-view.y';
  const start = written.indexOf('re-view');
  const second = written.lastIndexOf('re-view');
  const edit = (at: number) => ({ start: at, end: at + 7, text: 'steps["re-view"]' });
  const spec = { code: 'a\nlet n = steps["re-view"].x + steps["re-view"].y', edits: [edit(start), edit(second)] };
  const column = (text: string, find: string) => (text.split('\n')[1] ?? '').lastIndexOf(find) + 1;
  expect(writtenPlace(spec, { line: 2, column: column(spec.code, 'y') })).toEqual({
    line: 2,
    column: column(written, 'y'),
  });
  expect(writtenPlace(spec, { line: 2, column: column(spec.code, 'steps') })).toEqual({
    line: 2,
    column: column(written, 're-view'),
  });
  expect(writtenPlace(spec, { line: 1, column: 1 })).toEqual({ line: 1, column: 1 });
  expect(writtenPlace(spec, { line: 9, column: 3 })).toEqual({ line: 9, column: 3 });
});
