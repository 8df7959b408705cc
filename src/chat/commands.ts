/**
 * What is typed in a chat, before anything is sent: commands of the chat, prompts of the agent, or something to say.
 * 1. The chat's own commands come first: no agent, wherever it comes from, changes what `/quit` does. A prompt of the same name is
 *    called as `/prompt:NAME`.
 * 2. A `/word` that is neither is a mistake, told with the closest; `//word` is the text `/word`.
 */
import { expandSlash, type SlashPrompt, slashUsage } from '../agent/index.ts';
import { closest, didYouMean, printable, wrap } from '../text/index.ts';
import { shorten, whenText } from '../view/index.ts';
import type { Conversation, Problem } from './conversation.ts';

export interface ChatCommand {
  readonly name: string;
  /** What stands behind it. */
  readonly takes?: string;
  readonly about: string;
}

export const chatCommands: readonly ChatCommand[] = [
  { name: 'help', about: 'what there is' },
  { name: 'model', takes: '[NAME]', about: 'who answers from now on; "/model usual" as before' },
  { name: 'threads', about: 'the conversations with this agent' },
  { name: 'thread', takes: 'NAME', about: 'go on with one of them' },
  { name: 'new', takes: '[NAME]', about: 'begin another conversation' },
  { name: 'quit', about: 'end the chat, as Ctrl-D does' },
];

const names = new Map<string, string>([...chatCommands.map(({ name }) => [name, name] as const), ['exit', 'quit']]);

export type Heard =
  /** `expand`: the prompt that it calls, if any; it throws nothing for what was heard. */
  | { readonly kind: 'say'; readonly text: string; readonly expand: (words: string) => string }
  | { readonly kind: 'command'; readonly name: string; readonly rest: string }
  | { readonly kind: 'problem'; readonly problem: Problem };

const commandLine = /^\/([a-z]+)(?:[ \t]+([^\n]*?))?[ \t]*$/;
const promptLine = /^\/prompt:(?=[A-Za-z])/;

export function hear(text: string, prompts: ReadonlyMap<string, SlashPrompt>): Heard {
  const [, word = '', rest = ''] = commandLine.exec(text) ?? [];
  const command = names.get(word);
  if (command !== undefined) {
    const { takes } = chatCommands.find(({ name }) => name === command) ?? {};
    if (takes === undefined && rest !== '')
      return problem(`/${command} takes nothing, but "${rest}" stands behind it.`);
    if (takes !== undefined && !takes.startsWith('[') && rest === '') return problem(`write /${command} ${takes}.`);
    return { kind: 'command', name: command, rest };
  }
  const said = text.replace(promptLine, '/');
  const slash = expandSlash(said, prompts);
  switch (slash.kind) {
    case 'wrong':
      return problem(slash.message);
    case 'unknown': {
      const near = closest(slash.name, [...prompts.keys(), ...names.keys()]);
      const meant = didYouMean(near === undefined ? undefined : `/${near}`);
      return problem(
        `there is no prompt "/${slash.name}".${meant}`,
        `/help lists them; a text that begins with "/" is written "//${slash.name} …"`,
      );
    }
    default:
      return {
        kind: 'say',
        text: said,
        expand(words) {
          const again = expandSlash(words, prompts);
          return 'text' in again ? again.text : words;
        },
      };
  }

  function problem(message: string, help?: string): Heard {
    return { kind: 'problem', problem: { message: printable(message), ...(help && { help: printable(help) }) } };
  }
}

/** What a command comes to: lines to show, or what is wrong. `quit` and `help` are for whoever listens. */
export async function obey(
  name: string,
  rest: string,
  conversation: Conversation,
  width: number,
): Promise<{ readonly lines: readonly string[] } | { readonly problems: readonly Problem[] }> {
  switch (name) {
    case 'model':
      return rest === '' ? listModels(conversation, width) : chooseModel(rest, conversation);
    case 'threads':
      return { lines: threadLines(conversation, conversation.engine.clock.now(), width) };
    case 'thread': {
      const known = conversation.threads().map(({ thread }) => thread);
      if (!known.includes(rest)) {
        const near = didYouMean(closest(rest, known));
        const message = printable(`there is no conversation "${rest}".${near}`);
        return { problems: [{ message, help: `/threads lists them; to begin it: /new ${printable(rest)}` }] };
      }
      conversation.goTo(rest);
      return { lines: [`thread ${printable(rest)}`, ...pastLines(conversation, width)] };
    }
    case 'new': {
      if (rest !== '' && conversation.threads().some(({ thread }) => thread === rest)) {
        const message = `there is a conversation "${printable(rest)}" already.`;
        return { problems: [{ message, help: `To go on with it: /thread ${printable(rest)}` }] };
      }
      conversation.goTo(rest === '' ? undefined : rest);
      return { lines: [`thread ${printable(conversation.thread())}: nothing was said in it yet`] };
    }
    default:
      throw new Error(`the chat has no command "${name}"`);
  }
}

async function chooseModel(name: string, conversation: Conversation) {
  const problems = await conversation.choose(name === 'usual' ? undefined : name);
  return problems.length > 0 ? { problems } : { lines: [conversation.about()] };
}

async function listModels(conversation: Conversation, width: number) {
  const offers = await conversation.models();
  const rows = offers.slice(0, mostListed).map(({ name, about = '' }) => [printable(name), about] as const);
  const more = offers.length > mostListed ? [`  and ${offers.length - mostListed} more`] : [];
  return { lines: [conversation.about(), ...columns(rows, width), ...more] };
}

const mostListed = 20;

/** For `/threads`, and for lists of the command line. */
export function threadLines(
  conversation: Pick<Conversation, 'threads' | 'thread'>,
  now: number,
  width: number,
): readonly string[] {
  const threads = conversation.threads();
  if (threads.length === 0) return ['there is no conversation yet'];
  const current = conversation.thread();
  const shown = threads.slice(0, mostListed);
  const most = Math.max(...shown.map(({ thread }) => Math.min(24, thread.length)));
  const lines = shown.map(({ thread, turns, at, last }) => {
    const mark = thread === current ? '*' : ' ';
    const count = `${turns} turn${turns === 1 ? '' : 's'}`;
    const head = `${mark} ${shorten(thread, 24).padEnd(most)}  ${count.padEnd(9)} ${whenText(at, now).padEnd(8)}  `;
    return (head + shorten(last, Math.max(10, width - head.length))).trimEnd();
  });
  const more = threads.length - shown.length;
  return more > 0 ? [...lines, `  and ${more} more`] : lines;
}

/** How a conversation that is gone on with has ended: what was said last. */
export function pastLines(conversation: Pick<Conversation, 'past'>, width: number): readonly string[] {
  const turns = conversation.past(mostPast);
  return turns.flatMap(({ said, answer }) => [
    `> ${shorten(said, Math.max(10, width - 2))}`,
    `  ${shorten(answer, Math.max(10, width - 2))}`,
  ]);
}

const mostPast = 3;

/** `/rewrite tone=… text…  Says it otherwise.`: first the agent's prompts. */
export function helpLines(
  prompts: ReadonlyMap<string, SlashPrompt>,
  keys: readonly string[],
  width: number,
): readonly string[] {
  const rows = [
    ...Array.from(prompts, ([name, prompt]): readonly [string, string] => {
      const usage = slashUsage(name, prompt);
      return [names.has(name) ? usage.replace('/', '/prompt:') : usage, prompt.description ?? ''];
    }),
    ...chatCommands.map(
      ({ name, takes, about }) => [takes === undefined ? `/${name}` : `/${name} ${takes}`, about] as const,
    ),
  ];
  return [
    ...columns(rows, width),
    ...keys.flatMap((line) => wrap(line, Math.max(10, width - 2))).map((line) => `  ${line}`),
  ];
}

function columns(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const most = Math.min(Math.max(12, Math.floor(width / 2) - 4), Math.max(0, ...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) => {
    const head = `  ${printable(left).padEnd(most)}  `;
    return (head + shorten(right, Math.max(10, width - head.length))).trimEnd();
  });
}
