/**
 * Where a browser comes back to after a login: a server on this machine that hears one answer.
 * 1. It listens on the loopback address alone, and only for as long as the login takes.
 * 2. An answer with another `state` is not ours: it is refused, and the right one still awaited.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { orAborted } from '../or-aborted.ts';
import { trouble } from '../trouble.ts';

export interface Redirect {
  readonly url: string;
  /** What the server of logins sent along. Rejects where it says no, and with the reason of the signal. */
  readonly answer: Promise<RedirectAnswer>;
  close(): Promise<void>;
}

export interface RedirectAnswer {
  readonly code: string;
  readonly iss?: string;
}

const path = '/callback';

export async function awaitRedirect(options: {
  readonly state: string;
  readonly signal: AbortSignal;
  /** A free one if left out. */
  readonly port?: number | undefined;
}): Promise<Redirect> {
  const { state, signal, port = 0 } = options;
  let hear: (answer: RedirectAnswer) => void = () => undefined;
  let refuse: (error: Error) => void = () => undefined;
  const heard = new Promise<RedirectAnswer>((resolve, reject) => {
    hear = resolve;
    refuse = reject;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method !== 'GET' || url.pathname !== path) return page(response, 404, 'There is nothing here.');
    const query = url.searchParams;
    if (query.get('state') !== state) {
      return page(response, 400, 'This answer belongs to another login. Go back to the terminal.');
    }
    const error = query.get('error');
    const code = query.get('code');
    if (error !== null || code === null || code === '') {
      const why = error === null ? 'no code came back' : [error, query.get('error_description') ?? ''].join(' ').trim();
      page(response, 200, `The login was refused: ${why}`);
      refuse(trouble('denied', `the login was refused: ${why.slice(0, 300)}`, { final: true }));
      return;
    }
    page(response, 200, 'You are logged in. This window can be closed.');
    const iss = query.get('iss');
    hear({ code, ...(iss !== null && { iss }) });
  });
  await listen(server, port);
  // Whoever stops listening before an answer came is told by the signal.
  const answer = orAborted(heard, signal);
  answer.catch(() => undefined);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        // A browser may hold its connection open.
        setTimeout(() => server.closeAllConnections(), 200).unref();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(trouble('failed', `the port ${port} cannot be listened on: ${error.message}`, { cause: error }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

function page(response: ServerResponse, status: number, text: string): void {
  const shown = text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Toolang</title><p>${shown}</p>\n`);
}
