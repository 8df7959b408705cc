/**
 * A chat on a terminal: a conversation above, a line that is typed below it, at all times.
 * 1. What is typed while the agent works is said to it; where it cannot hear it any more, it is what is said next.
 * 2. Esc and Ctrl-C stop an answer and keep the conversation. Where nothing is done, Ctrl-C takes what was typed away, and twice it
 *    ends the chat, as Ctrl-D does.
 * 3. What goes wrong with one input ends that one, and what was typed stands there again.
 * 4. All that is shown goes through `print` and the screen: one write for each change.
 */
import type { Json } from '../machine/index.ts';
import { type Painter, painter, printable } from '../text/index.ts';
import { shorten } from '../view/index.ts';
import { hear, helpLines, obey } from './commands.ts';
import type { Conversation, Problem } from './conversation.ts';
import { createEditor, type Editor } from './editor.ts';
import { fileWords } from './file-words.ts';
import { createHistory } from './history.ts';
import type { HistoryFile } from './history-file.ts';
import type { Key, KeyName } from './key.ts';
import { offersFor } from './offers.ts';
import { createScreen, type Screen } from './screen.ts';
import type { OpenTerminal, Terminal } from './terminal.ts';
import { createTurn, type RunningTurn, type TurnEnd } from './turn.ts';
import { echoLines, prompt, remarkLines, steerLines } from './turn-lines.ts';
import { createTyping } from './typing.ts';

export type ChatSignal = 'SIGHUP' | 'SIGINT' | 'SIGTERM';

export interface ChatOptions {
  readonly conversation: Conversation;
  readonly terminal: Terminal;
  readonly history: HistoryFile;
  readonly color: boolean;
  /** What stands above the first line. */
  readonly greeting: readonly string[];
  /** What others print while the chat goes on is told to this. */
  readonly printed?: (print: (text: string) => void) => void;
  readonly onSignal?: ((handler: (signal: ChatSignal) => void) => () => void) | undefined;
  /** An error that ends one input only: what is wrong, for people. */
  readonly problemOf: (error: unknown) => Problem | undefined;
}

export interface ChatEnd {
  /** How many turns were begun. */
  readonly turns: number;
  readonly last?: TurnEnd['kind'];
  readonly signal?: ChatSignal;
}

const tickMs = 100;
const keys = [
  'Esc stops an answer; what you type meanwhile is said to the agent.',
  'Alt-Enter or "\\" at the end of a line begins another; Tab completes /commands and @files.',
] as const;

export function runChat(options: ChatOptions): Promise<ChatEnd> {
  const { terminal } = options;
  const screen = createScreen(terminal.write, terminal.columns);
  return createChat(options, screen).run();
}

function createChat(options: ChatOptions, screen: Screen) {
  const { conversation, terminal, history } = options;
  const paint: Painter = painter(options.color);
  const typing = createTyping(pressAll);
  const allowed = new Set<string>();
  const editor: Editor = createEditor({
    history: createHistory(history.entries),
    offers: (wanted) => offersFor(wanted, conversation),
    changed,
  });
  const queue: string[] = [];
  let opened: OpenTerminal | undefined;
  let printed: string[] = [];
  let isDue = false;
  let isOver = false;
  /** From Enter to the end of the answer. */
  let isBusy = false;
  let turn: RunningTurn | undefined;
  let stopsAtOnce = false;
  let putBack: (() => void) | undefined;
  let hint = '';
  let turns = 0;
  let last: TurnEnd['kind'] | undefined;
  let signal: ChatSignal | undefined;
  let tick: NodeJS.Timeout | undefined;
  let kept: Promise<void> = Promise.resolve();
  let settle: (end: ChatEnd) => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;

  const width = () => Math.max(10, terminal.columns() - 1);

  function print(lines: readonly string[]): void {
    printed.push(...lines);
    changed();
  }

  /** Drawn once, however much changes in the same moment. */
  function changed(): void {
    if (isDue || isOver) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      if (!isOver) draw();
    });
  }

  function draw(): void {
    const room = Math.max(3, terminal.rows() - 1);
    const mark = turn?.isAsking() ? '? ' : prompt;
    const line = editor.draw(width(), Math.max(1, Math.floor(room / 2)), mark, paint);
    const above = turn ? turn.live(room - line.rows.length) : isBusy ? [paint.dim('  …')] : [];
    const below = hint === '' ? [] : [paint.dim(`  ${shorten(hint, width() - 2)}`)];
    const rows = [...above, ...line.rows, ...below].slice(0, room);
    const lines = printed;
    printed = [];
    screen.update(lines, { rows, row: above.length + line.row, column: line.column });
  }

  function tell(problems: readonly Problem[]): void {
    for (const { message, help } of problems) {
      print(remarkLines(message, { width: width() }).map((row, i) => (i === 0 ? paint.red(row) : row)));
      if (help !== undefined) print(remarkLines(help, { width: width() }, '    '));
    }
  }

  function sent(text: string): void {
    if (turn?.isAsking()) {
      if (!turn.answer(text)) print(remarkLines('answer with y or n', { width: width() }, '    '));
      return;
    }
    if (text.trim() === '') return;
    keep(text);
    if (isBusy) {
      meanwhile(text);
      return;
    }
    work(() => next(text));
  }

  /** One after the other, and all before the chat is over: the next one may begin at once. */
  function keep(text: string): void {
    kept = kept
      .then(() => history.add(text))
      .then((problem) => {
        if (problem !== undefined) print(remarkLines(printable(problem), { width: width() }));
      })
      .catch((error: unknown) => fail(error));
  }

  /** What is typed while the agent works. */
  function meanwhile(text: string): void {
    const heard = hear(text, conversation.prompts);
    if (heard.kind === 'problem') {
      tell([heard.problem]);
      editor.put(text);
    } else if (heard.kind === 'command') {
      if (heard.name === 'help') print(helpLines(conversation.prompts, keys, width()));
      else if (heard.name === 'quit') {
        queue.length = 0;
        queue.push('/quit');
        stopTurn();
      } else {
        tell([{ message: `/${heard.name} is for between two answers.`, help: 'Esc stops this one.' }]);
        editor.put(text);
      }
    } else {
      const said = heard.expand(heard.text);
      // Files ride on inputs only.
      const isHeard = fileWords(heard.text).files.length === 0 && turn?.steer(said) === true;
      print(steerLines(text, isHeard ? 'said while it works' : 'said next', { width: width(), paint }));
      if (!isHeard) queue.push(text);
    }
  }

  /** One thing at a time; what goes wrong with it is told. */
  function work(job: () => Promise<void>): void {
    isBusy = true;
    tick = setInterval(changed, tickMs);
    job()
      .catch((error: unknown) => {
        const problem = options.problemOf(error);
        if (problem === undefined) throw error;
        tell([problem]);
      })
      .then(() => {
        clearInterval(tick);
        isBusy = false;
        stopsAtOnce = false;
        if (signal !== undefined) finish();
        const text = queue.shift();
        if (text !== undefined && !isOver) work(() => next(text));
        changed();
      })
      .catch(fail);
  }

  async function next(text: string): Promise<void> {
    hint = '';
    print(echoLines(text, { width: width(), paint }));
    const heard = hear(text, conversation.prompts);
    if (heard.kind === 'problem') {
      tell([heard.problem]);
      editor.put(text);
    } else if (heard.kind === 'command') await command(heard.name, heard.rest);
    else await say(heard.text, heard.expand);
  }

  async function command(name: string, rest: string): Promise<void> {
    if (name === 'quit') finish();
    else if (name === 'help') print([...helpLines(conversation.prompts, keys, width()), '']);
    else {
      const done = await obey(name, rest, conversation, width());
      if ('lines' in done) print([...done.lines.map((line) => `  ${line}`.trimEnd()), '']);
      else tell(done.problems);
    }
  }

  async function say(text: string, expand: (words: string) => string): Promise<void> {
    const read = await conversation.read(text, expand);
    if (!read.ok) return refused(text, read.problems);
    for (const note of read.notes) print(remarkLines(note, { width: width() }));
    const begun = await conversation.begin(read.input);
    if (!begun.ok) return refused(text, begun.problems);
    for (const note of begun.notes) print(remarkLines(note, { width: width() }));
    turns++;
    await answer(begun.turn, read.input);
  }

  function refused(text: string, problems: readonly Problem[]): void {
    tell(problems);
    if (editor.text() === '') editor.put(text);
  }

  async function answer(begun: Parameters<typeof createTurn>[0]['turn'], input: Json): Promise<void> {
    turn = createTurn({ conversation, turn: begun, paint, width, print, changed: follow, allowed });
    if (stopsAtOnce) turn.cancel();
    if (signal !== undefined) turn.stop();
    try {
      const end = await turn.drive();
      last = end.kind;
      if (end.kind === 'cancelled') {
        const problem = conversation.keepStopped(begun, input, end.said);
        if (problem !== undefined) print(remarkLines(printable(problem), { width: width() }));
      }
      print(['']);
    } finally {
      turn = undefined;
      follow();
    }
  }

  /** While something is asked the line is for the answer. */
  function follow(): void {
    const isAsking = turn?.isAsking() === true;
    if (isAsking && putBack === undefined) putBack = editor.aside();
    else if (!isAsking && putBack !== undefined) {
      putBack();
      putBack = undefined;
    }
    changed();
  }

  function stopTurn(): void {
    if (turn) turn.cancel();
    else stopsAtOnce = true;
  }

  function press(key: Key): void {
    const wasHinting = hint !== '';
    hint = '';
    const pressed = editor.press(key);
    changed();
    if (pressed === undefined) return;
    if ('sent' in pressed) sent(pressed.sent);
    else pressKey(pressed.key, wasHinting);
    follow();
  }

  function pressKey(name: KeyName, wasHinting: boolean): void {
    switch (name) {
      case 'interrupt':
        if (isBusy) stopTurn();
        else if (editor.text() !== '') editor.put('');
        else if (wasHinting) finish();
        else hint = 'Ctrl-C again ends the chat';
        return;
      case 'escape':
        if (isBusy) stopTurn();
        return;
      case 'end-of-input':
        if (isBusy) hint = 'an answer is on its way: Esc stops it';
        else finish();
        return;
      case 'redraw':
        screen.wipe();
        return;
      case 'suspend':
        screen.leave('clear');
        opened?.suspend(changed);
        return;
      default:
    }
  }

  function pressAll(all: readonly Key[]): void {
    for (const key of all) {
      if (isOver) return;
      try {
        press(key);
      } catch (error) {
        // Such as a store that cannot be written: what was typed last was not done.
        const problem = options.problemOf(error);
        if (problem === undefined) fail(error);
        else tell([problem]);
      }
    }
  }

  /** What is done for an answer is left; the chat ends behind it. */
  function leave(by: ChatSignal): void {
    signal = by;
    if (turn) turn.stop();
    else if (!isBusy) finish();
  }

  function finish(): void {
    if (isOver) return;
    // What was printed last is shown, the line that is typed is not.
    const lines = printed;
    printed = [];
    screen.update(lines, { rows: [], row: 0, column: 0 });
    isOver = true;
    clearInterval(tick);
    settle({ turns, ...(last && { last }), ...(signal && { signal }) });
  }

  return {
    async run(): Promise<ChatEnd> {
      const forget = options.onSignal?.(leave);
      options.printed?.((text) => print(text.replace(/\n$/, '').split('\n')));
      const ended = new Promise<ChatEnd>((resolve, reject) => {
        settle = resolve;
        fail = reject;
      });
      try {
        opened = terminal.open({
          bytes: typing.bytes,
          resized() {
            screen.resized();
            changed();
          },
          gone: () => leave('SIGHUP'),
        });
        print(options.greeting);
        if (history.problem !== undefined) print(remarkLines(printable(history.problem), { width: width() }));
        const end = await ended;
        await kept;
        return end;
      } finally {
        isOver = true;
        clearInterval(tick);
        opened?.close();
        forget?.();
      }
    },
  };
}
