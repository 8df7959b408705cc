/** Why a script gives no reply, in words: what was asked, and the entry to add. */
import { closest, didYouMean } from '../text/index.ts';
import { sampleValue, typeFromJsonSchema } from '../type/index.ts';
import { jsonEntry, textEntry } from './entry-text.ts';
import type { ModelCall, ModelError } from './model.ts';
import type { Script } from './script.ts';
import type { Take } from './take-reply.ts';

/** `id`: the command of the call; `names`: what it may be called, the most specific first. */
export function scriptProblem(
  take: Exclude<Take, { kind: 'reply' }>,
  script: Script,
  call: ModelCall,
  asker: { readonly id: string; readonly names: readonly string[] },
): ModelError {
  return { code: 'script', message: words(take, script, call, asker), retryable: false };
}

function words(
  take: Exclude<Take, { kind: 'reply' }>,
  script: Script,
  call: ModelCall,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): string {
  const [node = ''] = names;
  switch (take.kind) {
    case 'shared': {
      const both = `"${take.with}" and "${id}" are open at the same time, and both would take their replies from "for: ${take.list}"`;
      return `${both} of ${script.name}, where their order would be chance. Name them: write replies with "for: ${node}", and others for the other.`;
    }
    case 'used': {
      const all = take.length === 1 ? 'its only one is taken' : `all ${take.length} are taken`;
      return `no reply is left for "${take.list}" in ${script.name}: ${all}.\n${request(call)}\n${entry(call, take.list)}`;
    }
    default: {
      const said =
        names.length === 1
          ? ''
          : ` (it may also be called ${names
              .slice(1)
              .map((each) => `"${each}"`)
              .join(' or ')})`;
      const near = didYouMean(nearest(names, script));
      const has = script.lists.size === 0 ? 'It has no replies.' : `It has replies for ${known(script)}.${near}`;
      return `${script.name} has no reply for "${node}"${said}. ${has}\n${request(call)}\n${entry(call, node)}`;
    }
  }
}

function nearest(names: readonly string[], script: Script): string | undefined {
  for (const name of names) {
    const near = closest(name, script.lists.keys());
    if (near !== undefined) return near;
  }
  return undefined;
}

function known({ lists }: Script): string {
  const names = [...lists.keys()].map((name) => `"${name}"`);
  return names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`;
}

const longest = 2000;

function request({ messages }: ModelCall): string {
  const text = messages.map(({ role, content }) => `  ${role}: ${content.replaceAll('\n', '\n    ')}`).join('\n');
  const rest = text.length - longest;
  return `The request:\n${rest <= 0 ? text : `${text.slice(0, longest)}… (${rest} more characters)`}`;
}

function entry({ output }: ModelCall, list: string): string {
  if (output === undefined)
    return `Add to "replies", and count it in "replies[…]":\n${textEntry(list, 'what the model answers')}`;
  const { type, types } = typeFromJsonSchema(output);
  const value = sampleValue(type, new Map(Object.entries(types)), 'text');
  return `Add to "replies", and count it in "replies[…]":\n${jsonEntry(list, value)}`;
}
