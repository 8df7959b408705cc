/** A fake service as a command: `node stdio.mjs [both|old] [how many tools more]`. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { fakeServer } from './tools.mjs';

const more = Number(process.argv[3] ?? 0);

if (process.argv[2] === 'old') await fakeServer({ more }).connect(new StdioServerTransport());
else serveStdio(() => fakeServer({ more }));
