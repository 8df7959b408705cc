// Stands in a network of its own that has nothing but loopback, holds it open, and leads one port of it to a socket of the
// file system, where the fake model listens outside: `node holder.mjs PORT SOCKET`. When its input ends, as it does when whoever
// started it is gone, it ends all that run in this network, and leaves.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
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
process.stdin.resume().on('end', leave);

function leave() {
  const left = others();
  for (const pid of left) end(pid);
  if (left.length === 0) process.exit(0);
  setTimeout(leave, 5);
}

/** Those that run; what has ended and is not yet waited for has no command line. */
function others() {
  const net = readlinkSync('/proc/self/ns/net');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .map(Number)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/ns/net`) === net && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
      } catch {
        return false;
      }
    });
}

/** @param {number} pid */
function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
