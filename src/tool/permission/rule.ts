/** One rule of `[permissions]`: `shell`, `filesystem/write(src/**)`, `github/*`. */
import { fitsPattern } from '../../text/index.ts';

export interface Rule {
  /** As it is written. */
  readonly text: string;
  readonly set: string;
  /** Undefined: all tools of the set. */
  readonly tool?: string;
  /** Undefined: all calls. */
  readonly pattern?: string;
}

const ruleText = /^([A-Za-z0-9_.*-]+)(?:\/([A-Za-z0-9_.*-]+))?(?:\((.*)\))?$/s;

/** Throws a `TypeError` for a text that the configuration would not have taken. */
export function parseRule(text: string): Rule {
  const parts = ruleText.exec(text);
  const [, set, tool, pattern] = parts ?? [];
  if (set === undefined || pattern?.trim() === '') {
    throw new TypeError(
      `"${text}" is no rule. Write a tool, such as "shell", or a tool and a pattern: "shell(git *)".`,
    );
  }
  return {
    text,
    set,
    ...(tool !== undefined && { tool }),
    ...(pattern !== undefined && { pattern: pattern.trim() }),
  };
}

/** `name` is `set/tool`. */
export function namesTool(rule: Rule, name: string): boolean {
  const [set, tool] = nameParts(name);
  return fitsPattern(rule.set, set) && (rule.tool === undefined || fitsPattern(rule.tool, tool));
}

/** Whether it is about some tool of this one's set. */
export function namesSet(rule: Rule, name: string): boolean {
  return fitsPattern(rule.set, nameParts(name)[0]);
}

export function nameParts(name: string): readonly [set: string, tool: string] {
  const slash = name.indexOf('/');
  return slash === -1 ? [name, name] : [name.slice(0, slash), name.slice(slash + 1)];
}
