import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { command, stdioFile } from '../../../test/fake-services/kit.ts';
import { type FakeOAuth, fakeOAuth } from '../../../test/fake-services/oauth.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
let server: FakeOAuth;
beforeEach(async () => {
  s = scratch();
  server = await fakeOAuth();
  service('diary', ['transport: http', `target: ${server.url}`]);
});
afterEach(async () => {
  await server.close();
  s.remove();
});

function service(name: string, lines: string[]): void {
  s.write(
    `.toolang/services/${name}.md`,
    ['---', 'description: Used in tests.', ...lines, '---', 'Text.', ''].join('\n'),
  );
}

/** A program that opens what it is given, as a browser would, and follows where it is sent. */
function browser(): Record<string, string> {
  const script = s.write('browser.mjs', 'await (await fetch(process.argv[2])).text();\n');
  const file = s.write('browser', `#!/bin/sh\nexec '${process.execPath}' '${script}' "$1"\n`);
  chmodSync(file, 0o755);
  return { BROWSER: file.replace(/[^\w/.:@-]/g, '\\$&'), PATH: process.env.PATH ?? '' };
}

describe('service login', () => {
  test('opens a browser, waits, and keeps the token where nobody sees it', async () => {
    const env = browser();
    const before = await s.cli(['service', 'list'], { env });
    expect(before.out).toMatch(/diary .* active$/m);
    const { code, out, err } = await s.cli(['service', 'login', 'diary'], { env });
    expect({ code, out }).toEqual({ code: 0, out: 'logged in to "diary"\n' });
    expect(err).toContain(`Open this address to log in to "diary":\n\n  ${new URL(server.url).origin}/authorize?`);
    const directory = join(s.home, '.toolang', 'credentials');
    expect(readdirSync(directory)).toHaveLength(1);

    const listed = await s.cli(['service', 'list'], { env });
    expect(listed.out).toMatch(/diary .* active, logged in$/m);
    const shown = await s.cli(['service', 'list', '--json'], { env });
    expect(JSON.parse(shown.out).caps[0]).toMatchObject({ name: 'diary', login: true });
    const doctor = await s.cli(['doctor', '--connect'], { env });
    expect(doctor.out).toMatch(/^ok {4}service diary +answers, 1\d tools$/m);
    expect((await s.cli(['doctor'], { env })).out).toMatch(/service diary .*, logged in$/m);
    for (const token of server.given) {
      for (const text of [out, err, listed.out, shown.out, doctor.out]) expect(text).not.toContain(token);
    }

    expect(await s.cli(['service', 'logout', 'diary'])).toMatchObject({ code: 0, out: 'logged out of "diary"\n' });
    expect(readdirSync(directory)).toEqual([]);
    const again = await s.cli(['service', 'logout', 'diary']);
    expect(again.code).toBe(2);
    expect(again.err).toContain('nobody is logged in to "diary"');
    const gone = await s.cli(['doctor', '--connect'], { env });
    expect(gone.code).toBe(1);
    expect(gone.out).toContain('run "toolang service login diary"');
  });

  test('without a browser it prints the address, and gives up after a while', async () => {
    const { code, err } = await s.cli(['service', 'login', 'diary', '--no-browser', '--timeout', '1']);
    expect(code).toBe(1);
    expect(err).toContain('/authorize?');
    expect(err).toContain('nobody has logged in within 1 s.');
  });

  test('where no browser can be opened it says so', async () => {
    const { err } = await s.cli(['service', 'login', 'diary', '--timeout', '1'], {
      env: { BROWSER: 'no-such-browser' },
    });
    expect(err).toContain('no browser could be opened: open the address yourself');
  });

  test('Ctrl-C ends it', async () => {
    let stop: (signal: 'SIGINT') => void = () => undefined;
    const login = s.cli(['service', 'login', 'diary', '--no-browser'], {
      onSignal: (handler) => {
        stop = handler;
        return () => undefined;
      },
    });
    await expect.poll(() => server.counts.registered).toBe(1);
    stop('SIGINT');
    expect(await login).toMatchObject({ code: 130 });
    expect(existsSync(join(s.home, '.toolang', 'credentials'))).toBe(false);
  });

  test('what cannot be logged in to is told', async () => {
    const { argv } = command('tool', [stdioFile]);
    service('tool', ['transport: stdio', `target: ${argv.join(' ')}`]);
    const stdio = await s.cli(['service', 'login', 'tool']);
    expect(stdio).toMatchObject({ code: 2 });
    expect(stdio.err).toContain('the service "tool" is a command: there is nothing to log in to.');
    const unknown = await s.cli(['service', 'login', 'dairy']);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.err).toContain('there is no service "dairy" here. Did you mean "diary"?');
    server.set.deny = true;
    const denied = await s.cli(['service', 'login', 'diary'], { env: browser() });
    expect(denied).toMatchObject({ code: 1 });
    expect(denied.err).toContain('the login to "diary" failed: the login was refused: access_denied');
  });
});
