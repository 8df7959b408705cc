/**
 * What the rules of `[permissions]` say to a call.
 * 1. What a rule of `deny` fits is refused, whatever else fits.
 * 2. What rules of `allow` cover, each part of it, goes through.
 * 3. What a rule of `ask` fits is asked. So is a call that no rule fits where `allow` names other calls of the same set of tools:
 *    a list of what may be done is no list if the rest may be done too. And so is a call that cannot be read in full, where
 *    rules with patterns would have to be held against it.
 * 4. What no rule speaks of is allowed: the file that names the tool is the grant.
 */
import type { Tool, ToolArgs, ToolContext } from '../tool.ts';
import { namesSet, namesTool, parseRule, type Rule } from './rule.ts';
import { kindOf, readSubject, type Subject } from './subject.ts';

/** As `[permissions]` of the settings has them. */
export interface PermissionSettings {
  readonly deny: readonly string[];
  readonly allow: readonly string[];
  readonly ask: readonly string[];
}

export type Decision = Allowed | Asked | Denied;

export interface Allowed {
  readonly verdict: 'allow';
}

export interface Asked {
  readonly verdict: 'ask';
  /** The rule of `ask` that fits, if it is for one. */
  readonly rule?: string;
  /** Why a person is asked, for that person. */
  readonly message: string;
}

export interface Denied {
  readonly verdict: 'deny';
  readonly rule: string;
  /** For the model. */
  readonly message: string;
}

export interface Policy {
  readonly decide: (
    tool: Pick<Tool, 'name' | 'subjects'>,
    args: ToolArgs,
    context: Pick<ToolContext, 'workspace'>,
  ) => Decision;
  /** Of one subject that a call came upon: a file in a folder that is searched, an address that another leads to. */
  readonly permission: (tool: string, subject: string) => Decision['verdict'];
}

export function createPolicy(settings: PermissionSettings): Policy {
  const deny = settings.deny.map(parseRule);
  const allow = settings.allow.map(parseRule);
  const ask = settings.ask.map(parseRule);

  const decide: Policy['decide'] = ({ name, subjects }, args, context) => {
    const about = (rules: readonly Rule[]) => rules.filter((rule) => namesTool(rule, name));
    const [denying, allowing, asking] = [about(deny), about(allow), about(ask)];
    const isListed = allow.some((rule) => namesSet(rule, name));
    if (denying.length + asking.length === 0 && !isListed) return { verdict: 'allow' };
    const [kind, texts] = [kindOf(name), subjects(args, context)];
    const subject = readSubject(kind, texts);
    const refused = firstTouch(denying, subject);
    if (refused) return denied(name, refused);
    // Of ours only a call whose arguments do not fit is about nothing: it does nothing, so nobody is asked.
    if (kind !== 'text' && texts.length === 0) return { verdict: 'allow' };
    if (covers(allowing, subject)) return { verdict: 'allow' };
    const asked = firstTouch(asking, subject);
    if (asked) return { verdict: 'ask', rule: asked.text, message: `The rule "${asked.text}" asks about it.` };
    if (isListed) return { verdict: 'ask', message: notListed(name, subject) };
    const hasPatterns = [...denying, ...asking].some((rule) => rule.pattern !== undefined);
    if (subject.unclear !== undefined && hasPatterns) return { verdict: 'ask', message: unreadable(subject.unclear) };
    return { verdict: 'allow' };
  };

  return {
    decide,
    permission: (name, subject) => decide({ name, subjects: () => [subject] }, {}, { workspace: '' }).verdict,
  };
}

function firstTouch(rules: readonly Rule[], subject: Subject): Rule | undefined {
  return rules.find(({ pattern }) => pattern === undefined || subject.touches(pattern));
}

function covers(rules: readonly Rule[], subject: Subject): boolean {
  if (rules.some((rule) => rule.pattern === undefined)) return true;
  const fits = (unit: Subject['units'][number]) =>
    rules.some(({ pattern }) => pattern !== undefined && unit.fits(pattern));
  return subject.units.length > 0 && subject.units.every(fits);
}

function denied(name: string, rule: Rule): Denied {
  return {
    verdict: 'deny',
    rule: rule.text,
    message: `"${name}" may not do this: the rule "${rule.text}" in [permissions] deny refuses it. Nothing was done, and trying it in another way is not wanted either; go on without it, or say what you would need.`,
  };
}

function notListed(name: string, subject: Subject): string {
  return subject.unclear === undefined
    ? `[permissions] allow names other calls of the set of "${name}", not this one.`
    : `${unreadable(subject.unclear)} So no pattern in [permissions] allow fits it.`;
}

function unreadable(reason: string): string {
  return `The command cannot be read in full: ${reason}.`;
}
