/** A step or a hand of a run in full, for a terminal: its line, and its conversation below. */
import type { Json } from '../machine/index.ts';
import { type Painter, printable, wrap } from '../text/index.ts';
import { nodeLine } from './run-line.ts';
import { remarkWords } from './run-remark.ts';
import type { RunTalk, TalkCall, TalkTurn } from './run-talk.ts';
import { toolMarks, toolText } from './run-tools.ts';
import { count } from './short-value.ts';
import { shorten } from './shorten.ts';
import type { TreeNode } from './tree-node.ts';

export interface TalkTextOptions {
  readonly paint: Painter;
  readonly now: number;
  readonly columns: number;
}

/** Of what a tool came to, the beginning. */
const mostResult = 3;

export function talkText(node: TreeNode, { given, turns }: RunTalk, { paint, now, columns }: TalkTextOptions): string {
  const width = Math.min(node.name.length, Math.max(10, Math.floor(columns / 2)));
  const lines = [nodeLine(node.name, node, { paint, now, columns, width })];
  if (given !== undefined) block('asked', valueText(given));
  for (const turn of turns) tell(turn);
  if (node.error) block('failed', node.error.message);
  return `${lines.join('\n')}\n`;

  function tell(turn: TalkTurn): void {
    switch (turn.kind) {
      case 'message':
        // Instructions are the agent's own, and long.
        if (turn.role !== 'system') block(turn.role === 'user' ? 'asked' : turn.role, turn.text);
        return;
      case 'answer':
        block(turn.model === undefined ? 'answered' : `answered by ${turn.model}`, turn.text);
        return;
      case 'call':
        tellCall(turn);
        return;
      case 'repair':
        block('sent back', turn.errors.join('\n'));
        return;
      case 'error':
        block('no answer', turn.message);
        return;
      default:
        lines.push(`  ${paint.cyan('→')} ${shorten(remarkWords(turn), columns - 4)}`);
    }
  }

  function tellCall(call: TalkCall): void {
    const [mark, color] = toolMarks[call.status];
    lines.push(`  ${paint[color](mark)} ${shorten(toolText(call), columns - 4)}`);
    const result = (call.result ?? '').trimEnd();
    if (result === '') return;
    const all = result.split('\n');
    for (const line of all.slice(0, mostResult)) lines.push(`      ${paint.dim(shorten(line, columns - 6))}`.trimEnd());
    if (all.length > mostResult) lines.push(`      ${paint.dim(`… ${count(all.length - mostResult, 'line')} more`)}`);
  }

  function block(word: string, text: string): void {
    lines.push(`  ${paint.bold(printable(word))}`);
    for (const line of text.trimEnd().split('\n')) {
      for (const part of wrap(printable(line), columns - 4)) lines.push(`    ${part}`.trimEnd());
    }
  }
}

/** `path: a.ts`, a line for each argument. */
function valueText(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value as { readonly [name: string]: Json });
  const [only] = fields;
  if (fields.length === 1 && only?.[0] === 'input' && typeof only[1] === 'string') return only[1];
  return fields.map(([name, each]) => `${name}: ${typeof each === 'string' ? each : JSON.stringify(each)}`).join('\n');
}
