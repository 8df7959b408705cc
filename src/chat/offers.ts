/** What a conversation has to offer for what is typed: its commands and prompts, its threads and models, files. */
import { chatCommands } from './commands.ts';
import { offersOf, type Wanted } from './completion.ts';
import type { Conversation } from './conversation.ts';

export async function offersFor(
  wanted: Wanted,
  conversation: Pick<Conversation, 'files' | 'prompts' | 'threads' | 'models'>,
): Promise<readonly string[]> {
  if (wanted.kind === 'file') return conversation.files(wanted.start);
  if (wanted.kind === 'command') {
    const own = chatCommands.map(({ name }) => name);
    const prompts = [...conversation.prompts.keys()].map((name) => (own.includes(name) ? `prompt:${name}` : name));
    return offersOf(wanted.start, [...own, ...prompts]);
  }
  switch (wanted.command) {
    case 'thread':
      return offersOf(
        wanted.start,
        conversation.threads().map(({ thread }) => thread),
      );
    case 'model': {
      const names = (await conversation.models()).map(({ name }) => name);
      return offersOf(wanted.start, ['usual', ...names]);
    }
    default:
      return [];
  }
}
