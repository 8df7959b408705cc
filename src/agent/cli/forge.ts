/** Forge: the prompt on its standard input; all that it prints is the answer. */
import type { CliAgent } from './cli-agent.ts';
import { explainWith } from './explain.ts';
import { probeOf } from './probe.ts';
import { wholePrompt } from './whole-prompt.ts';

const program = 'forge';
const install = 'npm install -g forgecode';
const login = 'Log in with "forge provider login", or set the key of its provider.';

export const forge: CliAgent = {
  type: 'forge',
  program,
  install,
  login,
  prints: 'text',
  sessions: 'none',
  tells: { tokens: false, cost: false },
  asksNobody: true,
  env: ['FORGE_*', 'ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_API_KEY', 'GEMINI_*', 'GOOGLE_*', 'XAI_API_KEY', 'AWS_*'],
  command(request) {
    const { model } = request;
    return { argv: model === undefined ? [] : ['--model', model], stdin: wholePrompt(request, true) };
  },
  // It prints no lines of its own: its words are looked at as a whole.
  read: () => undefined,
  explain: (end) => explainWith({ program, login }, end),
  probe: probeOf(program, install),
};
