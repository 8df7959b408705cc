import { it } from 'vitest';
import { memoryContext } from '../memory-context.ts';
import { runCli } from '../run.ts';

it('trial', async () => {
  const context = memoryContext({ cwd: process.cwd(), env: { ...process.env, HOME: '/tmp/h/nohome' } });
  const code = await runCli(['test', ...(process.env.TRIAL ?? 'examples --coverage').split(' ')], context);
  console.log(code, `\n${context.out()}\n---\n${context.err()}`);
});
