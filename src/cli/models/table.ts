/** The commands about models. */
import type { Command } from '../command.ts';

export const modelCommands: readonly Command[] = [
  {
    name: 'models',
    group: 'models',
    summary: 'Show which models can be used, and why others cannot',
    about:
      "Without words: the aliases of config.toml, one model of each provider, and what local servers have. A word is a\nmodel, which is shown in full, or a selector: 'openai/*', 'gpt-5*', '[provider:openrouter]', '[tools:native]qwen/*'.\nNo provider is asked anything, and no key is read: only whether its variable is set.",
    positionals: [
      { name: 'MODEL|SELECTOR', optional: true, many: true, doc: 'Models, aliases, providers or patterns' },
    ],
    flags: [
      { name: 'json', alias: 'j', type: 'switch', doc: 'Print the result as JSON' },
      { name: 'all', type: 'switch', doc: 'List all that is known of providers' },
      { name: 'usable', type: 'switch', doc: 'List only what can be used now' },
      { name: 'root', type: 'text', value: 'DIR', doc: 'The root, for TOOLANG_ROOT or ~/.toolang' },
      { name: 'home', type: 'text', value: 'DIR', doc: 'The home, for the one found from the current directory' },
    ],
    examples: [
      { run: 'toolang models', doc: 'what can be used now' },
      { run: 'toolang models anthropic/claude-sonnet-5', doc: 'one model in full' },
      { run: "toolang models 'openai/*' --usable", doc: 'those of a provider' },
      { run: "toolang models '[tools:text]' --json", doc: 'those that write their calls in their answers' },
    ],
    load: () => import('../commands/models.ts'),
  },
];
