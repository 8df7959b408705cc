/** Servers of this machine are asked where they listen, and nobody is asked where nobody does. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { closedPort } from '../../../test/closed-port.ts';
import { fetchIfOpen } from './knock.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

async function listening(host: string): Promise<number> {
  server = createServer((_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server?.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

it('asks who listens', async () => {
  const port = await listening('127.0.0.1');
  const response = await fetchIfOpen(`http://127.0.0.1:${port}/x`);
  expect(await response.text()).toBe('here');
});

it('rejects where the port is closed', async () => {
  await expect(fetchIfOpen(`http://127.0.0.1:${closedPort}/x`)).rejects.toThrow('ECONNREFUSED');
});

it('is ended by its signal', async () => {
  const port = await listening('127.0.0.1');
  await expect(fetchIfOpen(`http://127.0.0.1:${port}/x`, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
});
