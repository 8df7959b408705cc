/** Asks for something of this machine only where somebody listens: to load what speaks HTTP takes longer than a whole run. */

/** As `fetch`, for addresses in text; it rejects at once where the port of this machine is closed. */
export const fetchIfOpen: typeof globalThis.fetch = async (url, init) => {
  const { hostname, port, protocol } = new URL(String(url));
  const isHere = hostname === '127.0.0.1' || hostname === '[::1]';
  if (isHere)
    await knock(hostname.replace(/[[\]]/g, ''), Number(port) || (protocol === 'https:' ? 443 : 80), init?.signal);
  return globalThis.fetch(url, init);
};

async function knock(host: string, port: number, signal: AbortSignal | null | undefined): Promise<void> {
  const { connect } = await import('node:net');
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host, port, ...(signal && { signal }) });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}
