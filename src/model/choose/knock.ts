/** Asks for something of this machine only where somebody listens: to load what speaks HTTP takes longer than a whole run. */

/** As `fetch`, for addresses in text; it rejects at once where the port of this machine is closed. */
export const fetchIfOpen: typeof globalThis.fetch = async (url, init) => {
  const { hostname, port, protocol } = new URL(String(url));
  const isHere = hostname === '127.0.0.1' || hostname === '[::1]';
  if (isHere)
    await knock(hostname.replace(/[[\]]/g, ''), Number(port) || (protocol === 'https:' ? 443 : 80), init?.signal);
  return globalThis.fetch(url, init);
};

/** Those that are at it: some servers are asked several things at once. */
const knocks = new Map<string, Promise<void>>();

function knock(host: string, port: number, signal: AbortSignal | null | undefined): Promise<void> {
  const door = `${host} ${port}`;
  const known = knocks.get(door);
  if (known !== undefined) return known;
  const opened = open(host, port, signal).finally(() => knocks.delete(door));
  knocks.set(door, opened);
  return opened;
}

async function open(host: string, port: number, signal: AbortSignal | null | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { connect } = await import('node:net');
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port });
    const stop = () => socket.destroy(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    socket.once('error', reject);
    socket.once('close', () => signal?.removeEventListener('abort', stop));
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
