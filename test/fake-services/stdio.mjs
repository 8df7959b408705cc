/** A fake service as a command: `node stdio.mjs [both|old]`. */
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { fakeServer } from './tools.mjs';

if (process.argv[2] === 'old') await fakeServer().connect(new StdioServerTransport());
else serveStdio(() => fakeServer());
