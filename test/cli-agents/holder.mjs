// Stands in a network of its own that has nothing but loopback, holds it open, and leads one port of it to a socket of the
// file system, where the fake model listens outside: `node holder.mjs PORT SOCKET`. It leaves when its input ends.
import { spawnSync } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { argv } from 'node:process';

const [port, socket] = argv.slice(2);
if (port === undefined || socket === undefined) throw new Error('holder.mjs PORT SOCKET');
const up = spawnSync('ip', ['link', 'set', 'lo', 'up'], { encoding: 'utf8' });
if (up.status !== 0) {
  console.error(`loopback is not up: ${up.error?.message ?? up.stderr.trim()}`);
  process.exit(1);
}
const server = createServer({ allowHalfOpen: true }, (client) => {
  const model = connect({ path: socket, allowHalfOpen: true });
  client.pipe(model).pipe(client);
  for (const [one, other] of [
    [client, model],
    [model, client],
  ]) {
    // Either side may leave in the middle, and then the other is to know.
    one?.on('error', () => other?.destroy());
    one?.on('close', () => other?.destroy());
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
process.stdin.resume().on('end', () => process.exit(0));
