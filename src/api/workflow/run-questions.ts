/**
 * What a run asks, given to the program as soon as it is kept, while other steps go on.
 * 1. A question is asked once in a process; what the program does not answer stays open for others.
 * 2. Whoever answers first has decided: an answer that comes later changes nothing.
 * 3. What is no answer decides nothing: the program is told, and the question stays open.
 */
import type { EventDraft, InboxItem, WaitingRow } from '../../journal/index.ts';
import type { Engine } from '../../run/index.ts';
import { requestWords } from '../../view/index.ts';
import { type Answer, checkAnswer, type RunOptions, type RunQuestion } from './run-options.ts';

export interface Questions {
  readonly told: (events: readonly EventDraft[]) => void;
  /** When one more answer is there. False: nobody thinks about one, and the run waits for others. */
  readonly answered: (waiting: readonly WaitingRow[], signal: AbortSignal) => Promise<boolean>;
  /** Those that are open. */
  readonly open: (waiting: readonly WaitingRow[]) => readonly RunQuestion[];
}

/** `failed`: the program could not answer. */
export function createQuestions(
  engine: Engine,
  root: string,
  approve: RunOptions['approve'],
  failed: (error: unknown) => void,
): Questions {
  const asked = new Set<string>();
  const thinking = new Set<Promise<void>>();
  let posted = 0;
  let seen = 0;

  function ask(question: RunQuestion, hash: string): void {
    const id = `${question.node} ${hash}`;
    if (approve === undefined || asked.has(id)) return;
    asked.add(id);
    const thought = decide(approve, question, hash)
      .catch(failed)
      .finally(() => thinking.delete(thought));
    thinking.add(thought);
  }

  async function decide(answerTo: NonNullable<RunOptions['approve']>, question: RunQuestion, hash: string) {
    // Not within the round in which it was asked.
    await new Promise((next) => setImmediate(next));
    const answer: unknown = await answerTo(question);
    checkAnswer(answer, question.node);
    if (answer === undefined) return;
    const { by = 'the program' } = typeof answer === 'boolean' ? {} : answer;
    // Refused where somebody else was faster.
    if (engine.post(root, { by, message: messageOf(question, hash, answer) }) === undefined) posted++;
  }

  /** The words of what waits, as the journal has them. */
  function open(waiting: readonly WaitingRow[]): { readonly question: RunQuestion; readonly hash: string }[] {
    const found = new Map<string, { readonly question: RunQuestion; readonly hash: string }>();
    const wanted = new Set(waiting.map(({ node, hash }) => `${node} ${hash}`));
    for (const event of engine.store.events(root)) {
      const one = questionIn(event);
      if (one && wanted.has(`${one.question.node} ${one.hash}`)) found.set(one.question.node, one);
    }
    return [...found.values()];
  }

  return {
    told(events) {
      if (approve === undefined) return;
      for (const event of events) {
        const one = questionIn(event);
        if (one) ask(one.question, one.hash);
      }
    },
    async answered(waiting, signal) {
      if (approve !== undefined) for (const { question, hash } of open(waiting)) ask(question, hash);
      const aborted = abortOf(signal);
      while (posted === seen && thinking.size > 0 && !signal.aborted) await Promise.race([...thinking, aborted]);
      const isMore = posted > seen;
      seen = posted;
      return isMore;
    },
    open: (waiting) => open(waiting).map(({ question }) => question),
  };
}

function questionIn({ node, body }: EventDraft): { question: RunQuestion; hash: string } | undefined {
  if (node === undefined || (body.kind !== 'approval.requested' && body.kind !== 'limit.reached')) return undefined;
  const kind = body.kind === 'limit.reached' ? 'limit' : 'approval';
  return { question: { node, kind, ...requestWords(body.request) }, hash: body.hash };
}

function messageOf({ node, kind, least }: RunQuestion, hash: string, answer: Answer): InboxItem['message'] {
  const { approved, note, add = least } = typeof answer === 'boolean' ? { approved: answer } : answer;
  if (kind === 'limit') {
    return { kind: 'answer', node, hash, approved, ...(approved && add !== undefined && { add }) };
  }
  return { kind: 'decide', node, hash, approved, ...(note !== undefined && { note }) };
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}
