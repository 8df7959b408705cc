/** The types of agents that a workflow may declare, and the fields of each. */
import { arrayOf, booleanType, type FieldType, field, literalOf, numberType, textType } from '../type/index.ts';

export interface AgentType {
  readonly name: string;
  /** Without `type` itself. */
  readonly fields: readonly FieldType[];
  /** Whether anything else may be written too: a plugin's own. */
  readonly isOpen?: boolean;
}

const optional = { optional: true };
const model = field('model', textType);
const anyModel = field('model', textType, optional);

/** What every agent may have. */
const shared: readonly FieldType[] = [
  field('instructions', textType, optional),
  field('tools', arrayOf(textType), optional),
  field('timeoutMs', numberType, optional),
  field('idleTimeoutMs', numberType, optional),
];

const cli = (name: string, ...own: readonly FieldType[]): AgentType => ({
  name,
  fields: [anyModel, ...shared, ...own],
});

/** Who may serve the model of an agent of type `api`: those that `src/model` knows, which a test compares. */
export const apiProviders = [
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'deepseek',
  'groq',
  'mistral',
  'xai',
  'ollama',
  'llamacpp',
  'lmstudio',
] as const;

/** Those of the language, in the order in which the documentation has them. */
export const agentTypes: ReadonlyMap<string, AgentType> = new Map(
  [
    cli(
      'claude-code',
      field('subscription', booleanType, optional),
      field(
        'permissionMode',
        literalOf('default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'manual', 'bypassPermissions'),
        optional,
      ),
    ),
    cli(
      'codex',
      field('fullAuto', booleanType, optional),
      field('sandbox', literalOf('read-only', 'workspace-write', 'danger-full-access'), optional),
      field('skipGitRepoCheck', booleanType, optional),
    ),
    cli(
      'gemini',
      field('sandbox', booleanType, optional),
      field('approvalMode', literalOf('default', 'auto_edit', 'yolo', 'plan'), optional),
      field('skipTrust', booleanType, optional),
    ),
    cli('pi'),
    cli('kimi'),
    cli('forge'),
    { name: 'anthropic', fields: [model, ...shared] },
    { name: 'openai', fields: [model, ...shared] },
    { name: 'api', fields: [field('provider', literalOf(...apiProviders)), model, ...shared] },
    { name: 'too', fields: [field('use', textType), ...shared.slice(2)] },
    { name: 'scripted', fields: [anyModel, ...shared, field('script', textType, optional)] },
  ].map((type) => [type.name, type]),
);

/** Those that are programs of others; `src/agent/cli` has one file for each, which a test compares. */
export const cliTypes: ReadonlySet<string> = new Set(['claude-code', 'codex', 'gemini', 'pi', 'kimi', 'forge']);

/** Those whose tools are ours to do; what runs by itself has its own. */
export const agentsWithTools: ReadonlySet<string> = new Set(['anthropic', 'openai', 'api', 'scripted']);
