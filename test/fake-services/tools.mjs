/** The tools of the fake services, for servers of every kind: real ones, made with the official SDK. */
import { spawn } from 'node:child_process';
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

/**
 * @param {{ crash?: () => void, changed?: () => void, more?: number, state?: { extra: boolean, begun: string[], cancelled: string[] } }} [options]
 */
export function fakeServer(options = {}) {
  const state = options.state ?? { extra: false, begun: [], cancelled: [] };
  const server = new McpServer(
    { name: 'fake', version: '1.0.0' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  /** @param {string} value */
  const text = (value) => ({ content: [{ type: /** @type {const} */ ('text'), text: value }] });

  server.registerTool(
    'echo',
    { description: 'Says it again.', inputSchema: z.object({ text: z.string() }), annotations: { readOnlyHint: true } },
    async (args) => text(args.text),
  );
  const add = server.registerTool(
    'add',
    {
      description: 'Adds two numbers.',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    async ({ a, b }) => {
      const output = { sum: a + b };
      return { ...text(JSON.stringify(output)), structuredContent: output };
    },
  );
  server.registerTool('fail', { description: 'Fails.', inputSchema: z.object({}) }, async () => ({
    ...text('the cat is on the keyboard'),
    isError: true,
  }));
  server.registerTool('throw', { description: 'Throws.', inputSchema: z.object({}) }, async () => {
    throw new Error('thrown inside of the tool');
  });
  server.registerTool(
    'slow',
    { description: 'Waits until it is cancelled.', inputSchema: z.object({ id: z.string() }) },
    async ({ id }, ctx) => {
      state.begun.push(id);
      await new Promise((resolve) => ctx.mcpReq.signal.addEventListener('abort', resolve, { once: true }));
      state.cancelled.push(id);
      return text('never heard');
    },
  );
  server.registerTool('slept', { description: 'Which were slow.', inputSchema: z.object({}) }, async () =>
    text(JSON.stringify({ begun: state.begun, cancelled: state.cancelled })),
  );
  server.registerTool(
    'steps',
    { description: 'Tells its progress.', inputSchema: z.object({ steps: z.number(), ms: z.number() }) },
    async ({ steps, ms }, ctx) => {
      const token = ctx.mcpReq._meta?.progressToken;
      for (let step = 1; step <= steps; step++) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (token !== undefined) {
          await ctx.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken: token, progress: step, total: steps },
          });
        }
      }
      return text(`${steps} steps`);
    },
  );
  server.registerTool(
    'huge',
    { description: 'Gives so many bytes.', inputSchema: z.object({ bytes: z.number() }) },
    async ({ bytes }) => text('x'.repeat(bytes)),
  );
  server.registerTool('die', { description: 'Ends the server.', inputSchema: z.object({}) }, async () => {
    process.stderr.write('a stack of plates falls\n');
    if (options.crash) options.crash();
    else process.exit(3);
    return text('unheard');
  });
  server.registerTool('media', { description: 'Not only text.', inputSchema: z.object({}) }, async () => ({
    content: [
      { type: 'text', text: 'look:' },
      { type: 'image', data: Buffer.alloc(12_000).toString('base64'), mimeType: 'image/png' },
      { type: 'audio', data: Buffer.alloc(10).toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'memo://1', mimeType: 'text/plain', text: 'a memo' } },
      { type: 'resource', resource: { uri: 'memo://2', blob: Buffer.alloc(5).toString('base64') } },
      { type: 'resource_link', uri: 'memo://3', name: 'third' },
    ],
  }));
  server.registerTool('env', { description: 'Its environment.', inputSchema: z.object({}) }, async () =>
    text(JSON.stringify(process.env)),
  );
  server.registerTool('where', { description: 'Its folder and process.', inputSchema: z.object({}) }, async () =>
    text(JSON.stringify({ cwd: process.cwd(), pid: process.pid, argv: process.argv.slice(2) })),
  );
  server.registerTool(
    'child',
    { description: 'Starts a process.', inputSchema: z.object({ leaves: z.boolean().optional() }) },
    async ({ leaves }) => {
      // One that leaves leads a session of its own.
      const options = { stdio: /** @type {const} */ ('ignore'), detached: leaves === true };
      return text(String(spawn(process.execPath, ['-e', 'setInterval(() => 0, 1000)'], options).pid));
    },
  );
  server.registerTool('caller', { description: 'Who calls.', inputSchema: z.object({}) }, async (_, ctx) => {
    /** @type {Readonly<Record<string, unknown>>} */
    const envelope = ctx.mcpReq.envelope ?? {};
    return text(JSON.stringify(envelope['io.modelcontextprotocol/clientInfo'] ?? server.server.getClientVersion()));
  });
  server.registerTool('ask', { description: 'Asks a person.', inputSchema: z.object({}) }, async () =>
    inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({ message: 'Sure?', requestedSchema: z.object({ sure: z.boolean() }) }),
      },
    }),
  );
  const late = () =>
    server.registerTool('late', { description: 'Comes later.', inputSchema: z.object({}) }, async () => text('here'));
  server.registerTool('grow', { description: 'Adds a tool.', inputSchema: z.object({}) }, async () => {
    state.extra = true;
    if (options.changed) options.changed();
    else {
      late();
      server.sendToolListChanged();
    }
    return text('grown');
  });
  server.registerTool('lose', { description: 'Loses "add".', inputSchema: z.object({}) }, async () => {
    add.remove();
    return text('lost');
  });
  for (let nth = 1; nth <= (options.more ?? 0); nth++) {
    server.registerTool(`more_${nth}`, { description: 'One of many.', inputSchema: z.object({}) }, async () =>
      text(`number ${nth}`),
    );
  }
  if (state.extra) late();
  return server;
}
