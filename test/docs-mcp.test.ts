/** The samples of `docs/services.md` are right, and its commands print what it shows. */
import { chmodSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBlocks } from '../scripts/errors.mjs';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { mostText, serviceLimits } from '../src/tool/index.ts';
import { samplesOf } from './console-samples.ts';
import { type FakeOAuth, fakeOAuth } from './fake-services/oauth.ts';

const page = readFileSync(new URL('../docs/services.md', import.meta.url), 'utf8');

let s: Scratch;
let server: FakeOAuth;
beforeEach(async () => {
  s = scratch();
  server = await fakeOAuth();
  for (const { words, text } of readBlocks(page)) {
    const name = words.find((word) => word.startsWith('file='))?.slice('file='.length);
    if (name !== undefined) s.write(name, text);
  }
});
afterEach(async () => {
  await server.close();
  s.remove();
});

test('files are right as they are written', async () => {
  const { code, out } = await s.cli(['check', '.toolang', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ errors: 0, warnings: 0, files: { length: 2 } });
});

test('commands print what it shows', async () => {
  const text = `---\ndescription: Use this service to plan.\ntransport: http\ntarget: ${server.url}\n---\nText.\n`;
  s.write('.toolang/services/calendar.md', text);
  const script = s.write('browser.mjs', 'await (await fetch(process.argv[2])).text();\n');
  chmodSync(s.write('browser', `#!/bin/sh\nexec '${process.execPath}' '${script}' "$1"\n`), 0o755);
  const env = { BROWSER: './browser', PATH: process.env.PATH ?? '' };
  const samples = samplesOf(page);
  expect(samples).toHaveLength(4);
  // The page looks at services before anybody has logged in, too.
  const [connect, login, list, doctor] = samples;
  for (const [command = '', shown = ''] of [doctor ?? [], connect ?? [], login ?? [], list ?? []]) {
    const { out, err } = await s.cli(command.split(' ').slice(1), { env });
    const printed = `${err}${out}`
      .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
      .replace(/authorize\?\S+/, 'authorize?…');
    const squeezed = (lines: string) => lines.replace(/ {2,}/g, '  ').trim();
    if (!shown.startsWith('…')) expect(squeezed(printed)).toBe(squeezed(shown));
    else {
      const lines = squeezed(shown)
        .split('\n')
        .filter((line) => line !== '…');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(squeezed(printed).split('\n')).toContain(line);
    }
  }
});

test('limits are those of the code', () => {
  const { connectMs, callMs, longestCallMs, messageBytes, tools, descriptionChars, schemaChars } = serviceLimits;
  expect(page).toContain(`can be called | ${connectMs / 1000} s |`);
  expect(page).toContain(`begins it anew | ${callMs / 1000} s |`);
  expect(page).toContain(`progress is told | ${longestCallMs / 60_000} min |`);
  expect(page).toContain(`one message | ${messageBytes / 1_000_000} MB`);
  expect(page).toContain(`${mostText / 1024} k characters`);
  expect(page).toContain(`tools of a service | ${tools};`);
  const number = (n: number) => n.toLocaleString('en-US');
  expect(page).toContain(`${number(descriptionChars)} and ${number(schemaChars)} characters`);
});

test('every command of the page is one', async () => {
  const lines = [...page.matchAll(/`toolang ([^`]+)`/g)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    const words = line.split(' ');
    const command = words[0] === 'service' ? words.slice(0, 2) : words.slice(0, 1);
    expect((await s.cli([...command, '--help'])).code, line).toBe(0);
  }
});
