/**
 * The program `toolang`: the only file that touches the process. It stays tiny, and it is loaded before anything that
 * an older Node could not read; all else comes by dynamic import.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`toolang: needs Node 20.19 or newer; this is Node ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const { main } = await import('./process.ts');
  await main();
}

export {};
