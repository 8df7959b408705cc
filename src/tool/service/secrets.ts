/**
 * The variables of a service: which must be set, what headers come to, and what must never be told.
 * 1. Values are read when they are used, and kept nowhere.
 * 2. Every value that goes to the server is taken out of what comes back, but for those of common variables (`child-env.ts`).
 */
import type { Secret } from '../../sys/index.ts';
import { type Env, isCommonVariable, variable } from '../child-env.ts';
import type { ServiceDefinition } from './definition.ts';
import { trouble } from './trouble.ts';

const names = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})/g;
/** Headers whose value is a secret though it stands in the file. */
const sensitive = /auth|cookie|key|token|secret|password|credential/i;

/** Those of its `env` and of its headers, each once. */
export function variablesOf(definition: ServiceDefinition): string[] {
  return [...new Set([...definition.env, ...headerVariables(definition)])];
}

/** Those that are not set; in a header an empty one is of no use either. */
export function missingVariables(definition: ServiceDefinition, env: Env): string[] {
  const inHeaders = new Set(headerVariables(definition));
  return variablesOf(definition).filter((name) => {
    const value = variable(env, name);
    return value === undefined || (value === '' && inHeaders.has(name));
  });
}

/** Throws where one is missing, with its name. */
export function requireVariables(definition: ServiceDefinition, env: Env): void {
  const missing = missingVariables(definition, env);
  if (missing.length === 0) return;
  const [are, them] = missing.length === 1 ? ['variable', 'is not set'] : ['variables', 'are not set'];
  throw trouble('unavailable', `the environment ${are} ${missing.join(', ')} ${them}`, { final: true });
}

/** The headers as they are sent. Throws where a value cannot stand in one, with the name of its variable. */
export function expandHeaders(definition: ServiceDefinition, env: Env): Record<string, string> {
  if (definition.transport !== 'http') return {};
  requireVariables(definition, env);
  const sent: Record<string, string> = {};
  for (const [header, written] of Object.entries(definition.headers)) {
    sent[header] = written.replace(names, (_whole, plain?: string, braced?: string) => {
      const name = plain ?? braced ?? '';
      const value = variable(env, name) ?? '';
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) {
        const what = /[\r\n]/.test(value) ? 'a line end' : 'a character';
        const message = `the environment variable ${name} holds ${what} that the header "${header}" cannot`;
        throw trouble('unavailable', message, { final: true });
      }
      return value;
    });
  }
  return sent;
}

export function secretsOf(definition: ServiceDefinition, env: Env): Secret[] {
  const secrets: Secret[] = [];
  for (const name of variablesOf(definition)) {
    const value = variable(env, name);
    if (value !== undefined && !isCommonVariable(name)) secrets.push({ name, value });
  }
  if (definition.transport !== 'http') return secrets;
  for (const [header, written] of Object.entries(definition.headers)) {
    if (written.match(names) || !sensitive.test(header)) continue;
    // `Bearer abc` is also known as `abc`.
    for (const value of [written, written.slice(written.indexOf(' ') + 1)]) secrets.push({ name: header, value });
  }
  return secrets;
}

function headerVariables(definition: ServiceDefinition): string[] {
  if (definition.transport !== 'http') return [];
  return Object.values(definition.headers).flatMap((value) =>
    [...value.matchAll(names)].map((found) => found[1] ?? found[2] ?? ''),
  );
}
