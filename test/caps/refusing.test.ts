/**
 * Hosts that refuse, over the real protocol: git asks a server on this machine by https, which answers as hosts do for what is
 * private, absent or out of order. The key and the certificate in `tls/` are for this test alone.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveAll } from '../../src/caps/index.ts';
import { createHub, type Hub } from '../hub.ts';

const tls = join(import.meta.dirname, 'tls');
const certificate = join(tls, 'certificate.pem');
const asked: string[] = [];
let server: Server;
let hub: Hub;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  hub = createHub();
  server = createServer(
    { key: readFileSync(join(tls, 'key.pem')), cert: readFileSync(certificate) },
    (request, response) => {
      const { url = '' } = request;
      asked.push(`${url.split('?', 1)[0]}${request.headers.authorization === undefined ? '' : ' with a password'}`);
      const owner = url.split('/')[1];
      if (owner === 'private') response.writeHead(401, { 'www-authenticate': 'Basic realm="hub"' }).end('no');
      else if (owner === 'banned') response.writeHead(403).end('no');
      else if (owner === 'broken') response.writeHead(503).end('later');
      else response.writeHead(404).end('nothing');
    },
  );
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  env = {
    ...hub.env,
    GIT_SSL_CAINFO: certificate,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.https://127.0.0.1:${port}/.insteadOf`,
    GIT_CONFIG_VALUE_0: 'https://github.com/',
  };
});
afterAll(async () => {
  hub.close();
  await new Promise((done) => server.close(done));
});

async function problemOf(ref: string): Promise<{ code: string; message: string }> {
  const found = (await resolveAll([{ key: 'x', kind: 'skill', ref }], { cache: hub.cache, env })).get('x');
  if (!found || found.ok) throw new Error(`${ref} was found`);
  return found.problem;
}

test('a private repository that refuses is told as one, and nobody is asked for a password', async () => {
  const { code, message } = await problemOf('github://private/skills/skills/review@main');
  expect(code).toBe('TOO5311');
  expect(message).toContain('github.com/private/skills');
  expect(message).toContain('private');
  expect(asked).toContain('/private/skills/info/refs');
  expect(asked.filter((each) => each.includes('password'))).toEqual([]);
});

test('while a shorthand is looked for, what refuses is passed over, and each place is named', async () => {
  const { code, message } = await problemOf('private/review');
  expect(code).toBe('TOO5316');
  for (const repo of ['agent-skills', 'skills', 'agents']) expect(message).toContain(`github.com/private/${repo}`);
  expect((await problemOf('banned/review')).message).toContain('it refuses');
  expect((await problemOf('absent/review')).code).toBe('TOO5316');
});

test('a host that is out of order stops the search', async () => {
  const { code, message } = await problemOf('broken/review');
  expect(code).toBe('TOO5312');
  expect(message).toContain('github.com/broken/agent-skills');
  expect(asked).not.toContain('/broken/skills/info/refs');
});
