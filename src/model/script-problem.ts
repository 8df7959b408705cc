/** Why a script gives no reply, in words: what was asked, and the entry to add. */
import { closest, didYouMean } from '../text/index.ts';
import { type JsonSchema, sampleValue, typeFromJsonSchema } from '../type/index.ts';
import { callEntry, jsonEntry, textEntry } from './entry-text.ts';
import { contentText, type ModelCall, type ModelError, type ModelMessage } from './model.ts';
import type { Script } from './script.ts';
import type { Take } from './take-reply.ts';

/** `names`: what the call may be called, the most specific first. */
export function scriptProblem(
  take: Exclude<Take, { kind: 'reply' }>,
  script: Script,
  call: ModelCall,
  names: readonly string[],
): ModelError {
  return { code: 'script', message: words(take, script, call, names), retryable: false };
}

function words(
  take: Exclude<Take, { kind: 'reply' }>,
  script: Script,
  call: ModelCall,
  names: readonly string[],
): string {
  const [node = ''] = names;
  switch (take.kind) {
    case 'shared': {
      const other = nodeOf(take.with);
      const both = `"${other}" and "${node}" are open at the same time, and both would take their replies from "for: ${take.list}"`;
      return `${both} of ${script.name}, where their order would be chance. Name them: write some replies with "for: ${other}", and others with "for: ${node}".`;
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

/** `polish[2]/review#1/model#1` → `polish[2]/review`. */
function nodeOf(command: string): string {
  return command.replace(/\/model#\d+$/, '').replaceAll(/#\d+(?=\/|$)/g, '');
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
  const text = messages.map(messageLine).join('\n');
  const rest = text.length - longest;
  return `The request:\n${rest <= 0 ? text : `${text.slice(0, longest)}… (${rest} more characters)`}`;
}

function messageLine(message: ModelMessage): string {
  const who = message.role === 'tool' ? `tool ${message.tool}` : message.role;
  const calls = message.role === 'assistant' ? (message.calls ?? []) : [];
  const lines = [
    contentText(message.content),
    ...calls.map(({ tool, args }) => `calls ${tool} ${JSON.stringify(args)}`),
  ];
  const said = lines.filter((line, at) => line !== '' || (at === 0 && calls.length === 0));
  return `  ${who}: ${said.join('\n').replaceAll('\n', '\n    ')}`;
}

function entry({ output, tools = [], toolChoice }: ModelCall, list: string): string {
  const add = 'Add to "replies", and count it in "replies[…]":';
  const answer = output === undefined ? textEntry(list, 'what the model answers') : jsonEntry(list, sample(output));
  const [tool] = toolChoice === 'none' ? [] : tools;
  if (tool === undefined) return `${add}\n${answer}`;
  const call = callEntry(list, tool.name, sample(tool.parameters));
  return toolChoice === 'required' ? `${add}\n${call}` : `${add}\n${answer}\nOr let it call a tool:\n${call}`;
}

function sample(schema: JsonSchema): unknown {
  const { type, types } = typeFromJsonSchema(schema);
  return sampleValue(type, new Map(Object.entries(types)), 'text');
}
