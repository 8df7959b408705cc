/**
 * What users' code sees of our environment: all of it but the keys of models. Those are the engine's own; a step that is
 * given one could print it, and what a step prints and returns is kept.
 */

const keys = new RegExp(
  `^(?:${[
    '(?:ANTHROPIC|OPENAI|AZURE_OPENAI|GEMINI|GOOGLE|GOOGLE_GENERATIVE_AI|MISTRAL|GROQ|XAI|DEEPSEEK|OPENROUTER|COHERE|CO)_API_KEY',
    '(?:TOGETHER|TOGETHER_AI|FIREWORKS|PERPLEXITY|CEREBRAS|MOONSHOT|KIMI|DASHSCOPE|ZAI|AI_GATEWAY|VOYAGE)_API_KEY',
    'ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN|AWS_BEARER_TOKEN_BEDROCK',
  ].join('|')})$`,
  'i',
);

/** `hidden`: more names that are taken out, as `key_env` of the configuration. */
export function stepEnvironment(
  env: NodeJS.ProcessEnv,
  hidden: readonly string[] = [],
): Readonly<Record<string, string>> {
  const out: Record<string, string> = {};
  const isHidden = new Set(hidden.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !keys.test(name) && !isHidden.has(name.toUpperCase())) out[name] = value;
  }
  return out;
}
