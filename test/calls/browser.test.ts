/** `toolang/calls` in a browser: no part of Node is in it, and Chromium runs it, where there is one. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { built } from '../built.ts';

const browser = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

/** The entry and what it imports. */
function files(): Map<string, string> {
  const all = new Map<string, string>();
  const todo = ['calls.js'];
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (all.has(name)) continue;
    const text = readFileSync(join(built(), name), 'utf8');
    all.set(name, text);
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)) todo.push(join(name, '..', path));
  }
  return all;
}

it('the entry imports its own files only, and uses nothing that only Node has', () => {
  const all = files();
  expect(all.size).toBeLessThanOrEqual(2);
  for (const text of all.values()) expect(text).not.toMatch(/\bnode:|\brequire\(|\bprocess\b\.|\bBuffer\b\.|__dirname/);
});

const page = `<!doctype html><meta charset="utf-8"><pre id="out">not run</pre><script type="module">
  import { callStream, createCollector, mapCall, parse, planTool, START, END, writeCall } from './calls.js';
  const plan = planTool({ name: 'write', parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } }, required: ['path', 'content'] } });
  const text = 'Grüße ' + writeCall({ path: 'a b', content: 'é ' + END }, plan) + ' bye';
  const bytes = new TextEncoder().encode(text);
  const source = new ReadableStream({ start(c) { for (const byte of bytes) c.enqueue(Uint8Array.of(byte)); c.close(); } });
  const collector = createCollector();
  const reader = source.pipeThrough(callStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) collector.add(next.value);
  const { calls, segments } = collector.result();
  const same = JSON.stringify(segments) === JSON.stringify(parse(text).segments);
  document.getElementById('out').textContent = JSON.stringify({ same, args: mapCall(calls[0], plan).args });
</script>`;

describe.skipIf(browser === undefined)('Chromium', () => {
  let server: Server;
  let url = '';
  const profile = mkdtempSync(join(tmpdir(), 'toolang-browser-'));
  beforeAll(async () => {
    const all = files();
    server = createServer((request, response) => {
      const name = (request.url ?? '').slice(1);
      const script = all.get(name);
      if (name !== '' && script === undefined) response.writeHead(404).end();
      else
        response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript').end(script ?? page);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.close();
    rmSync(profile, { recursive: true, force: true });
  });

  it('writes, streams and maps a call', async () => {
    const args = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
    args.push('--disable-component-update', '--no-first-run', `--user-data-dir=${profile}`);
    const chromium = spawn(browser ?? '', [...args, '--virtual-time-budget=5000', '--dump-dom', url]);
    let out = '';
    chromium.stdout.on('data', (chunk) => {
      out += chunk;
    });
    await new Promise((done) => chromium.on('close', done));
    const shown = /<pre id="out">(.*?)<\/pre>/s.exec(out)?.[1] ?? out;
    expect(JSON.parse(shown)).toEqual({ same: true, args: { path: 'a b', content: 'é 🛠️[/end]' } });
  });
});
