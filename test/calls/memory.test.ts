/** A body as long as anybody likes: it is passed on, not kept. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { built } from '../built.ts';

const deep = Boolean(process.env.TOOLANG_DEEP);
/** The program's memory may grow to this and no further: far less than the body has. */
const megabytes = 32;
const bodyMegabytes = deep ? 1024 : 64;

const script = `
  const { createScanner, planTool, partialArgs, START, END } = await import(process.argv[1]);
  const megabytes = Number(process.argv[2]);
  const piece = ('some text, almost an end: \\u{1f6e0}\\ufe0f[/en and a bracket [/x]\\n'.repeat(1200)).slice(0, 65536 - 1);
  const plan = planTool({ name: 'write', parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } }, required: ['path', 'content'] } });
  const scanner = createScanner();
  const args = partialArgs(plan);
  let units = 0;
  let json = 0;
  let complete;
  const take = (events) => {
    for (const event of events) {
      if (event.type === 'call-start') json += args.start(event.rawArgs).length;
      else if (event.type === 'body') {
        units += event.text.length;
        json += args.body(event.text).length;
      } else if (event.type === 'call-end') complete = event.complete;
    }
  };
  take(scanner.push(START + 'write big.txt]\\n'));
  const pieces = Math.ceil((megabytes * 1024 * 1024) / piece.length);
  for (let i = 0; i < pieces; i++) take(scanner.push(piece));
  take(scanner.push(END));
  json += args.end().length;
  take(scanner.finish());
  console.log(JSON.stringify({ units, wanted: pieces * piece.length, complete, isLarger: json > units }));
`;

it(`a body of ${bodyMegabytes} million units passes through a program that may use ${megabytes} MB`, () => {
  const calls = pathToFileURL(join(built(), 'calls.js')).href;
  const ran = spawnSync(
    process.execPath,
    [`--max-old-space-size=${megabytes}`, '--input-type=module', '-e', script, calls, String(bodyMegabytes)],
    { encoding: 'utf8' },
  );
  expect(ran.stderr).toBe('');
  const { units, wanted, complete, isLarger } = JSON.parse(ran.stdout);
  expect({ units, complete, isLarger }).toEqual({ units: wanted, complete: true, isLarger: true });
});
