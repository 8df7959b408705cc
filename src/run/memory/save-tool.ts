/** `memory_save`: how an agent remembers something from one run to the next. */
import { StoreFailure } from '../../journal/index.ts';
import { defineTool, type OwnTool, ToolFailure } from '../../tool/index.ts';
import { textType } from '../../type/index.ts';
import type { Clean } from '../clean.ts';
import { type Memory, memoryProblem } from './memory.ts';

/** As models and journals call it. */
export const memorySaveName = 'memory_save';

export interface MemorySaveOptions {
  readonly memory: Memory;
  readonly agent: string;
  /** Who saves it, and in which run: what is found later says where it came from. */
  readonly thunk: string;
  readonly run: string;
  /** Takes secrets out of what is kept. */
  readonly clean: Clean;
}

export function memorySaveTool({ memory, agent, thunk, run, clean }: MemorySaveOptions): OwnTool {
  return defineTool<{ readonly text: string }>({
    name: memorySaveName,
    description:
      'Remembers a text for later runs: a fact, a decision, a preference that will matter again. One thing at a time, in words that say by themselves what is meant. Texts are found again by their words. No secrets.',
    parameters: [{ name: 'text', type: textType, doc: 'What to remember.' }],
    readOnly: false,
    subjects: () => [],
    async run({ text: given }, { clock, idempotencyKey: key, saved }) {
      const text = clean(given).trim();
      const problem = memoryProblem(text);
      if (problem !== undefined) throw new ToolFailure(text === '' ? 'arguments' : 'too-large', problem);
      const { id, isNew } = saving(() => memory.save({ agent, text, at: clock.now(), run, thunk, key }));
      if (!isNew) return `This was remembered already, as memory ${id}.`;
      saved?.({ id, text });
      return `Remembered, as memory ${id}.`;
    },
  });
}

function saving<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StoreFailure) throw new ToolFailure('unavailable', error.message);
    throw error;
  }
}
