import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isAlive, rudeFile } from '../../../test/fake-services/kit.ts';

const services = fileURLToPath(new URL('services.ts', import.meta.url));

test.skipIf(process.platform === 'win32')(
  'a process that ends without closing its services leaves none behind',
  async () => {
    const definition = {
      name: 'stubborn',
      transport: 'stdio',
      target: '',
      argv: [process.execPath, rudeFile, 'stubborn'],
      env: [],
    };
    const script = `
    import { createJiti } from 'jiti';
    const { openServices } = await createJiti(import.meta.url).import(${JSON.stringify(services)});
    const options = { workspace: process.cwd(), env: process.env, spawned: (pid) => process.stdout.write(String(pid)) };
    const opened = openServices([${JSON.stringify(definition)}], options);
    await opened.tools('stubborn', new AbortController().signal);
    process.exit(5);
  `;
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(5);
    const pid = Number(out);
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);
