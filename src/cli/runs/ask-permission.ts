/**
 * Asks the person at the keyboard what a tool may do, while its run is driven here. Where nobody is, or nobody answers, the
 * run waits, as for an approval: `toolang approve` answers from anywhere, whenever.
 */
import { displayWidth, painter, printable } from '../../text/index.ts';
import { questionName, requestWords, shorten, summaryLines } from '../../view/index.ts';
import type { Context } from '../context.ts';
import { personName } from './person.ts';
import { lineColumns } from './shown.ts';
import type { OpenRuns } from './stores.ts';

export interface AskOptions {
  readonly runs: OpenRuns;
  readonly root: string;
  readonly context: Context;
  readonly json: boolean;
  /** Of Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whether something was answered, so that the run can go on. */
export async function askPermissions(options: AskOptions): Promise<boolean> {
  const { runs, root, context, json, signal } = options;
  const { stdin, stderr } = context;
  if (json || !stdin.isTTY || !stderr.isTTY) return false;
  const { store } = runs.engine;
  let isAnswered = false;
  for (const { node, kind, hash = '' } of store.run(root)?.waiting ?? []) {
    if (kind !== 'permission') continue;
    tell(node, options);
    const answer = await read(context, signal);
    if (answer === undefined) return isAnswered;
    const message = { kind: 'decide', node, hash, approved: answer } as const;
    const refusal = runs.engine.post(root, { by: personName(context), message });
    isAnswered = true;
    if (refusal === undefined) continue;
    // Somebody else was faster: that counts, and the run goes on with it.
    const who = refusal.kind === 'decided' ? ` by ${printable(refusal.by)}` : '';
    stderr.write(`    that came too late: it was answered${who} before\n`);
  }
  return isAnswered;
}

/** What will be done, in full: nobody is to allow something else than what was read. */
function tell(node: string, { runs, root, context: { stderr } }: AskOptions): void {
  const paint = painter(stderr.color);
  const columns = lineColumns(stderr);
  const request = requestOf(runs, root, node);
  const { title, summary = '' } = requestWords(request);
  const name = questionName(node);
  const question = shorten(title, Math.max(20, columns - displayWidth(name) - 6));
  const lines = [`${paint.yellow('?')} ${paint.bold(name)}  ${question}`];
  for (const line of summaryLines(summary, columns - 6)) lines.push(`    ${line}`);
  stderr.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
}

function requestOf({ engine }: OpenRuns, root: string, node: string) {
  let found: Parameters<typeof requestWords>[0] = null;
  for (const event of engine.store.events(root)) {
    if (event.node === node && event.body.kind === 'approval.requested') found = event.body.request;
  }
  return found;
}

/** Undefined where nobody says yes or no: an empty line, the end of the input, Ctrl-C. */
async function read({ stdin, stderr }: Context, signal: AbortSignal): Promise<boolean | undefined> {
  for (;;) {
    stderr.write('    allow it? [y]es, [n]o, or Enter to decide later: ');
    let text = '';
    try {
      for await (const chunk of stdin.chunks(signal)) {
        text += Buffer.from(chunk).toString('utf8');
        if (text.includes('\n')) break;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    // What was not sent off is no answer: who types "y" and then Ctrl-C has not said yes.
    if (!text.includes('\n')) {
      stderr.write('\n');
      return undefined;
    }
    const word = text.split('\n', 1).join('').trim().toLowerCase();
    if (word === 'y' || word === 'yes') return true;
    if (word === 'n' || word === 'no') return false;
    if (word === '' || signal.aborted) return undefined;
  }
}
