/** A service that tells how often it was called: `node counting.mjs FOLDER`. Each call is a line of `marks.txt` there. */
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const folder = process.argv[2] ?? '.';

serveStdio(() => {
  const server = new McpServer({ name: 'counting', version: '1.0.0' });
  server.registerTool(
    'mark',
    {
      description: 'Writes a line; waits for a file, if one is named.',
      inputSchema: z.object({ text: z.string(), until: z.string().optional() }),
    },
    async ({ text, until }) => {
      appendFileSync(join(folder, 'marks.txt'), `${text}\n`);
      while (until !== undefined && !existsSync(join(folder, until))) await new Promise((done) => setTimeout(done, 10));
      return { content: [{ type: /** @type {const} */ ('text'), text: `marked ${text}` }] };
    },
  );
  return server;
});
