/** Prompts as commands in what people type: `/rewrite tone=short text…`. A word that names no prompt stays what it is. */
import { capBody, expandSlash, type SlashPrompt, slashNames } from '../../agent/index.ts';
import type { SyncedCap } from '../../caps/index.ts';
import type { Activation, Json } from '../../plan/index.ts';
import { isRecord } from '../../type/index.ts';
import { UsageError } from '../command.ts';
import { capsFor, writtenText } from './agent-image.ts';
import type { OpenAgent } from './open-agent.ts';

/** The prompts that an agent sees, by their names. */
export function promptsOf(agent: OpenAgent, activation: Activation): ReadonlyMap<string, SlashPrompt> {
  const prompts = capsFor(agent, activation).caps.filter(({ kind }) => kind === 'prompt');
  return new Map(prompts.map((cap) => [cap.name, promptOf(cap, writtenText(agent, cap))]));
}

function promptOf(cap: SyncedCap, written: string | undefined): SlashPrompt {
  const description = cap.facts.kind === 'prompt' ? cap.facts.description : undefined;
  return {
    // Read when it is used.
    get text() {
      return capBody(cap, written);
    },
    ...(description !== undefined && { description }),
  };
}

/** Of the word that begins an input: the names behind it that are the command's own, none where it is no command. */
export function commandNames(agent: OpenAgent, activation: Activation): (word: string) => ReadonlySet<string> {
  return (word) => {
    const prompt = word.startsWith('/') ? promptsOf(agent, activation).get(word.slice(1)) : undefined;
    return prompt === undefined ? new Set() : slashNames(prompt);
  };
}

/** The arguments with the prompt that their input names, written out; what is attached stays. Throws where that cannot be done. */
export function withPrompts(args: Readonly<Record<string, unknown>>, agent: OpenAgent, activation: Activation): Json {
  const given = args as Readonly<Record<string, Json>>;
  const { input } = given;
  const said = typeof input === 'string' ? input : wordsOf(input);
  if (said === undefined || !said.startsWith('/')) return given;
  const slash = expandSlash(said, promptsOf(agent, activation));
  if (slash.kind === 'wrong') throw new UsageError(slash.message);
  if (slash.kind === 'unknown') return given;
  const { text } = slash;
  return { ...given, input: typeof input === 'string' ? text : withWords(input, text) };
}

/** What was typed before the files of a message. */
function wordsOf(input: Json | undefined): string | undefined {
  const [first] = partsOf(input);
  return isRecord(first) && first.type === 'text' && typeof first.text === 'string' ? first.text : undefined;
}

function withWords(input: Json | undefined, text: string): Json {
  const [, ...files] = partsOf(input);
  return { role: 'user', content: [{ type: 'text', text }, ...files] };
}

function partsOf(input: Json | undefined): readonly Json[] {
  return isRecord(input) && input.role === 'user' && Array.isArray(input.content) ? (input.content as Json[]) : [];
}
