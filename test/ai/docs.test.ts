/** The sample of docs/ai-sdk.md runs as printed, against a server on this machine. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startChatServer } from './chat-server.ts';
import { end, M } from './given.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('docs/ai-sdk.md: a model without function calling uses a tool', async () => {
  const page = readFileSync(join(root, 'docs/ai-sdk.md'), 'utf8');
  const sample = /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  const server = await startChatServer([
    { pieces: [`Let me see.\n${M}[weather Paris]\n${end}`] },
    { pieces: ['It is warm in Paris: 21 degrees.'] },
  ]);
  // Below the repository, where its packages are found.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, '.cache/docs-'));
  try {
    const file = join(dir, 'sample.ts');
    const code = sample
      .replace("'toolang/ai'", `'${join(root, 'src/api/ai.ts')}'`)
      .replace('http://127.0.0.1:8080/v1', server.url);
    writeFileSync(file, `${code}\nexport { text };\n`);
    const { text } = await import(/* @vite-ignore */ file);
    expect(text).toBe('It is warm in Paris: 21 degrees.');
    expect(JSON.stringify(server.requests[1]?.messages)).toContain('21 degrees in Paris');
    expect(server.requests[0]).not.toHaveProperty('tools');
  } finally {
    rmSync(dir, { recursive: true, force: true });
    await server.close();
  }
});
