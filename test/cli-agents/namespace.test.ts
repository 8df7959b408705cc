import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeModel, startFakeModel } from '../fake-models/server.ts';
import { modelOrigin, type Namespace, noNamespace, openNamespace } from './namespace.ts';

const reason = noNamespace();

describe.skipIf(reason !== undefined)(`a network that has loopback only${reason ? ` (${reason})` : ''}`, () => {
  let fake: FakeModel;
  let net: Namespace;
  let cwd: string;
  const env = { PATH: process.env.PATH ?? '' };

  beforeEach(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'toolang-net-test-'));
    fake = await startFakeModel('anthropic');
    net = await openNamespace(fake.origin);
  });

  afterEach(async () => {
    await net.close();
    await fake.close();
    rmSync(cwd, { recursive: true, force: true });
  });

  const script = (code: string) => [process.execPath, '-e', code];
  const run = (code: string, input?: string) =>
    net.run(script(code), { cwd, env, ...(input === undefined ? {} : { input }) });

  it('leads its port to the fake model, and knows nothing else of this machine', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const ran = await run(`
      const asked = (url) => fetch(url).then((r) => r.status, (e) => e.cause?.code ?? e.message);
      Promise.all([asked('${modelOrigin}/v1/models'), asked('http://127.0.0.1:${port}/'), asked('http://192.0.2.1/')])
        .then((all) => console.log(JSON.stringify(all)), console.error)`);
    server.close();
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    // No key, so it is refused; the others are never reached.
    expect(JSON.parse(ran.stdout)).toEqual([401, 'ECONNREFUSED', 'ENETUNREACH']);
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/models']);
  });

  it('gives a program its input, its variables and nothing of the environment', async () => {
    const ran = await run(
      'process.stdin.on("data", (d) => process.stdout.write(d)).on("end", () => console.log(Object.keys(process.env).join()))',
      'tea ',
    );
    expect(ran).toEqual({ status: 0, signal: null, stdout: 'tea PATH\n', stderr: '' });
  });

  it('finds what runs in it, with what has left its parent, and ends all of it', async () => {
    const child = 'setInterval(() => {}, 1000)';
    const started = net.start(
      script(`const { spawn } = require('node:child_process');
        spawn(process.execPath, ['-e', '${child}'], { detached: true, stdio: 'ignore' }).unref(); console.log('up')`),
      { cwd, env },
    );
    expect((await started.ended).stdout).toBe('up\n');
    const [left, ...more] = net.processes();
    expect(left?.command).toContain(child);
    expect(more).toEqual([]);
    await net.close();
    expect(net.processes()).toEqual([]);
  });
});
