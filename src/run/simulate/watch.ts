/** Looks at the journal of a simulated run from outside, and throws where it breaks a rule. */
import { isFact, mostDeaths, type Store } from '../../journal/index.ts';
import type { End, Fact, StepCommand } from '../../machine/index.ts';
import { factOf, isAsk } from '../record.ts';

/** What the store holds, seen from outside, and what the rules say of it. */
export function watched(
  root: string,
  tell: (line: string) => void,
  hosts: number,
  limit: number | undefined,
  toolCalls = Number.POSITIVE_INFINITY,
) {
  let isCancelled = false;
  /** What the owner of today has begun that needs a place, and whether it was told to insist. */
  let begun = new Set<string>();
  let isInsisted = false;
  /** How often each was begun without an end. */
  const deaths = new Map<string, number>();
  let allowed = limit ?? Number.POSITIVE_INFINITY;
  let spent = 0;
  let called = 0;
  const started = new Set<string>();
  const facts = new Set<string>();
  const done = new Set<string>();
  /** What people and timers have said. */
  const answers = new Map<string, Fact>();
  let store: Store | undefined;
  let seen = 0;

  function look(): void {
    for (const event of store?.events(root, seen) ?? []) {
      const { seq, node, body } = event;
      seen = seq;
      tell(`  ${seq} ${body.kind} ${node ?? ''}`);
      if (body.kind === 'run.cancel') isCancelled = true;
      if (node === undefined) continue;
      if (body.kind === 'node.started') starts(node);
      if (body.kind === 'limit.answered') allowed += body.add ?? 0;
      // What a child and a late result have cost is told once more with facts.
      if ('usage' in body && isFact(body) && body.kind !== 'child.ended') spent += body.usage?.cost ?? 0;
      if (body.kind === 'tool.answered' && !isAsk({ ok: body.result })) called++;
      if (called > toolCalls) throw new Error(`${called} tools were called, and ${toolCalls} may be`);
      if (spent > allowed + 1e-6) throw new Error(`${spent} was spent, and ${allowed} was allowed`);
      if (!isFact(body)) continue;
      begun.delete(node);
      deaths.delete(node);
      if (facts.has(node)) throw new Error(`${node} has two facts`);
      facts.add(node);
      if (body.kind === 'node.done' || body.kind === 'model.answered' || body.kind === 'tool.answered') done.add(node);
      const fact = body.kind === 'approval.decided' || body.kind === 'timer.fired' ? factOf(event) : undefined;
      if (fact) answers.set(node, fact);
    }
  }

  function starts(node: string): void {
    started.add(node);
    const before = deaths.get(node) ?? 0;
    deaths.set(node, before + 1);
    if (before >= mostDeaths && !isInsisted) throw new Error(`${node} begins again by itself after ${before} deaths`);
    if (!/\/(?:model|tools?|granted|recall|turn)#/.test(node)) begun.add(node);
    if (begun.size > hosts) throw new Error(`${[...begun].join(', ')} are called begun, and there are ${hosts} hosts`);
  }

  return {
    owner(insists: boolean) {
      look();
      begun = new Set();
      isInsisted = insists;
    },
    held(nodes: readonly string[]) {
      const wrong = nodes.find((node) => (deaths.get(node) ?? 0) < mostDeaths);
      if (wrong !== undefined) throw new Error(`${wrong} is held back, and nobody died of it so often`);
    },
    watch(connection: Store) {
      store = connection;
    },
    look,
    begins({ id }: StepCommand): string | undefined {
      if (!started.has(id)) return `${id} begins before that is durable`;
      if (isCancelled) return `${id} begins, though the run was cancelled`;
      return facts.has(id) ? `${id} runs again, though its fact is durable` : undefined;
    },
    done,
    answers,
    openSteps: () => [...started].filter((id) => !facts.has(id)),
    close(end: End, connection: Store) {
      look();
      const open = [...started].filter((id) => !facts.has(id));
      if (open.length > 0) throw new Error(`the run has ended, and ${open.join(', ')} is open`);
      const row = connection.run(root);
      const status = 'err' in end ? 'failed' : 'cancelled' in end ? 'cancelled' : 'done';
      if (row?.status !== status) throw new Error(`the run is ${status}, and its row says ${row?.status}`);
      if (connection.lease(root)?.owner !== undefined)
        throw new Error('the run has ended, and somebody holds its lease');
      if (connection.inbox(root).length > 0) throw new Error('the run has ended, and its inbox holds something');
    },
  };
}
