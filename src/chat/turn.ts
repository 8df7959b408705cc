/**
 * One turn of a conversation: a run that is driven here, what it says and does as it comes, what it asks, and how it ends.
 * 1. What is said is shown once: as it comes, and where it did not come word by word, when it is whole.
 * 2. A question stays until somebody has answered it, here or elsewhere. What was allowed for good is allowed again, and that is told.
 * 3. To cancel it ends the run, and nothing else; to stop leaves it, so that it can be resumed.
 */
import type { DriveMessage, RunEnd } from '../run/index.ts';
import { type Painter, printable } from '../text/index.ts';
import {
  answerCommands,
  createTurnStory,
  elapsedText,
  failureText,
  heldText,
  type RunRequest,
  shorten,
  type TurnNote,
  usageText,
} from '../view/index.ts';
import type { BegunTurn, Conversation } from './conversation.ts';
import { createFlow } from './flow.ts';
import { callLine, type LineStyle, noteLines, questionLines, remarkLines } from './turn-lines.ts';

export interface TurnOptions {
  readonly conversation: Conversation;
  readonly turn: BegunTurn;
  readonly paint: Painter;
  readonly width: () => number;
  readonly print: (lines: readonly string[]) => void;
  readonly changed: () => void;
  /** What was allowed for the whole chat. */
  readonly allowed: Set<string>;
}

export interface RunningTurn {
  /** What is shown of it at the moment, at most so many rows. */
  readonly live: (most: number) => readonly string[];
  readonly isAsking: () => boolean;
  /** What was typed as an answer; false where it is none. */
  readonly answer: (word: string) => boolean;
  /** False where nobody hears it any more. */
  readonly steer: (text: string) => boolean;
  readonly cancel: () => void;
  /** At once, and it can be resumed. */
  readonly stop: () => void;
  readonly drive: () => Promise<TurnEnd>;
}

export interface TurnEnd {
  readonly kind: 'done' | 'failed' | 'cancelled' | 'left';
  /** All that the thunk itself has said. */
  readonly said: string;
}

type Question = Extract<TurnNote, { kind: 'asked' }>;

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const frameMs = 100;
const mostCalls = 4;
const mostPending = 6;
/** `chat#1/model#2`, and not that of a hand, which is further down. */
const ownCall = /^[^/]+\/model#\d+$/;

export function createTurn(options: TurnOptions): RunningTurn {
  const { conversation, turn, paint, width, changed, allowed } = options;
  const { engine, person } = conversation;
  const { clock } = engine;
  const story = createTurnStory();
  const flow = createFlow(width);
  const soft = new AbortController();
  const hard = new AbortController();
  const startedAt = clock.now();
  const questions: Question[] = [];
  /** By calls of the thunk's own model: what was shown of each. */
  let call = '';
  let shown = '';
  const said: string[] = [];
  let isCancelled = false;

  const style = (): LineStyle => ({ paint, width: width(), now: clock.now() });
  const print = (lines: readonly string[]) => {
    const rows = flow.end();
    if (rows.length + lines.length > 0) options.print([...rows, ...lines]);
  };

  function say(id: string, text: string): void {
    if (id !== call) {
      print([]);
      call = id;
      shown = '';
    }
    // Blank lines before the first word say nothing.
    const words = shown.trim() === '' ? text.replace(/^\s*\n/, '') : text;
    shown += words;
    const rows = flow.add(words);
    if (rows.length > 0) options.print(rows);
    changed();
  }

  function tell(message: DriveMessage): void {
    if (message.kind === 'events') for (const note of story.add(message.events)) take(note);
    else if (message.kind === 'stored') print(remarkLines('the store can be written again', style()));
    else print(remarkLines(`nothing new begins: ${printable(message.message)}; tried again every second`, style()));
    changed();
  }

  function take(note: TurnNote): void {
    switch (note.kind) {
      case 'said':
        if (turn.isText) finish(note.id, note.text);
        return;
      case 'asked':
        ask(note);
        return;
      case 'answered': {
        const at = questions.findIndex(({ request }) => request.node === note.node);
        if (at === -1) return;
        questions.splice(at, 1);
        if (note.by !== '' && note.by !== person)
          print(remarkLines(`${note.approved ? 'allowed' : 'denied'} by ${printable(note.by)}`, style(), '    '));
        return;
      }
      default: {
        const lines = noteLines(note, style());
        if (lines.length > 0) print(lines);
      }
    }
  }

  /** What did not come word by word is told when it is whole. */
  function finish(id: string, text: string): void {
    const before = id === call ? shown : '';
    const rest = text.trimStart().startsWith(before.trimStart())
      ? text.trimStart().slice(before.trimStart().length)
      : '';
    if (rest !== '') say(id, rest);
    else if (before === '' && text.trim() !== '') say(id, text);
    if (text.trim() !== '') said.push(text.trim());
    print([]);
  }

  function ask(question: Question): void {
    const { request, about } = question;
    print(questionLines(request, style()));
    if (about !== undefined && allowed.has(about)) {
      options.print(remarkLines('allowed, as before in this chat', style(), '    '));
      decide(request, true);
      return;
    }
    questions.push(question);
  }

  function decide(request: RunRequest, approved: boolean): void {
    const { node, hash, kind } = request;
    const add = kind === 'limit' && approved ? amountOf(request) : undefined;
    const refusal = engine.post(turn.id, {
      by: person,
      message:
        kind === 'limit'
          ? { kind: 'answer', node, hash, approved, ...(add !== undefined && { add }) }
          : { kind: 'decide', node, hash, approved },
    });
    if (refusal === undefined) return;
    const who = refusal.kind === 'decided' ? ` by ${printable(refusal.by)}` : '';
    options.print(remarkLines(`that came too late: it was answered${who} before`, style(), '    '));
  }

  function tellEnd(end: RunEnd): TurnEnd {
    const all = said.join('\n\n');
    const row = engine.store.run(turn.id);
    const isOver = end.kind === 'ended' || end.kind === 'over';
    if (!isOver || row === undefined) {
      print(remarkLines(leftText(end), style()));
      return { kind: 'left', said: all };
    }
    const spent = usageText(row);
    const took = elapsedText((row.endedAt ?? row.updatedAt) - row.startedAt);
    const tail = `run ${turn.short} · ${took}${spent === '' ? '' : ` · ${spent}`}`;
    switch (row.status) {
      case 'done':
        if (row.output !== undefined && row.output !== null) showOutput(row.output);
        print([`  ${paint.dim(shorten(tail, width() - 2))}`]);
        return { kind: 'done', said: all };
      case 'cancelled': {
        // What was said of an answer that did not come to its end counts too.
        const partial = call !== '' && !said.includes(shown.trim()) ? shown.trim() : '';
        print([`  ${paint.yellow('stopped')}  ${paint.dim(shorten(tail, width() - 11))}`]);
        return { kind: 'cancelled', said: [all, partial].filter((each) => each !== '').join('\n\n') };
      }
      default:
        print([
          `  ${paint.red('failed')}  ${paint.dim(shorten(tail, width() - 10))}`,
          ...(row.error ? failureText(row.error, paint, width()).trimEnd().split('\n') : []),
          ...remarkLines(conversation.command('show', turn.short), style(), '      '),
        ]);
        return { kind: 'failed', said: all };
    }
  }

  /** Of a text all was said; a handoff or a hook may have made another of it. */
  function showOutput(output: unknown): void {
    if (typeof output === 'string' && said.at(-1) === output.trim()) return;
    const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
    options.print([...flow.add(text), ...flow.end()]);
  }

  function leftText(end: RunEnd): string {
    const again = conversation.command('resume', turn.short);
    switch (end.kind) {
      case 'stopped':
        return end.unsaved === undefined
          ? `left. What is done is kept; to go on: ${again}`
          : `left, and what was done last is not kept: ${printable(end.unsaved)}. To go on: ${again}`;
      case 'lost':
      case 'held':
        return `the run ${turn.short} is driven elsewhere now: ${conversation.command('watch', turn.short)}`;
      case 'deadly':
        return `${heldText(end.nodes)} To try once more: ${again} --again`;
      default:
        return `the run ${turn.short} waits: ${conversation.command('show', turn.short)}`;
    }
  }

  function status(): string {
    const elapsed = clock.now() - startedAt;
    const frame = frames[Math.floor(elapsed / frameMs) % frames.length] ?? '';
    const model = story.model();
    const what = isCancelled ? 'stopping' : model?.isAsked === false ? 'working' : (model?.ref ?? 'beginning');
    const keys = isCancelled ? '' : '   Esc stops it';
    return `  ${paint.cyan(frame)} ${shorten(`${what} ${elapsedText(elapsed)}${keys}`, width() - 4)}`;
  }

  return {
    live(most) {
      const [question] = questions;
      const calls = story.running();
      const rows = [
        ...flow.pending().slice(-mostPending),
        ...calls.slice(-mostCalls).map((each) => callLine(each, style())),
        ...(calls.length > mostCalls ? [paint.dim(`  and ${calls.length - mostCalls} more`)] : []),
        ...(question ? [`  ${paint.yellow(shorten(choices(question), width() - 2))}`] : [status()]),
      ];
      return rows.slice(-Math.max(1, most));
    },
    isAsking: () => questions.length > 0,
    answer(word) {
      const [question] = questions;
      if (question === undefined) return true;
      const meant = answers.get(word.trim().toLowerCase());
      if (meant === undefined || (meant === 'always' && question.about === undefined)) return false;
      if (meant === 'always' && question.about !== undefined) allowed.add(question.about);
      questions.shift();
      const words = meant === 'no' ? 'no' : meant === 'always' ? 'yes, always in this chat' : 'yes';
      options.print([`    ${paint.dim(words)}`]);
      decide(question.request, meant !== 'no');
      return true;
    },
    steer(text) {
      const refusal = engine.post(turn.id, { by: person, message: { kind: 'steer', message: text } });
      return refusal === undefined;
    },
    cancel() {
      if (isCancelled) {
        hard.abort();
        return;
      }
      isCancelled = true;
      const message = { kind: 'cancel', reason: 'stopped in the chat' } as const;
      // It has ended in this very moment: then there is nothing to cancel.
      void engine.post(turn.id, { by: person, message });
      changed();
    },
    stop() {
      soft.abort();
      hard.abort();
    },
    async drive() {
      const deafen = conversation.listen((id, text, run) => {
        if (run === turn.id && turn.isText && ownCall.test(id)) say(id, text);
      });
      try {
        const drive = { epoch: turn.epoch, wait: true, soft: soft.signal, hard: hard.signal, tell };
        return tellEnd(await engine.drive(turn.id, drive));
      } finally {
        deafen();
      }
    },
  };
}

const answers: ReadonlyMap<string, 'yes' | 'no' | 'always'> = new Map([
  ['y', 'yes'],
  ['yes', 'yes'],
  ['n', 'no'],
  ['no', 'no'],
  ['a', 'always'],
  ['always', 'always'],
]);

function choices({ request, about }: Question): string {
  if (request.kind === 'limit') {
    const add = amountOf(request);
    const amount = request.unit === 'tokens' ? `${add} tokens` : `$${add.toFixed(2)}`;
    return `more? [y]es adds ${amount}, [n]o`;
  }
  const always = about === undefined ? '' : ', [a]lways in this chat';
  return `${request.kind === 'approval' ? 'approve' : 'allow'} it? [y]es, [n]o${always}`;
}

/** As the command that is printed elsewhere adds. */
function amountOf({ node, kind, least, unit }: RunRequest): number {
  const question = { node, kind, ...(least !== undefined && { least }), ...(unit && { unit }) };
  return Number(answerCommands([question])[0]?.[0]?.[2] ?? 0);
}
