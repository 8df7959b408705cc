/** Progress on a terminal and elsewhere. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventBody, EventDraft } from '../../journal/index.ts';
import { createRunProgress } from '../../view/index.ts';
import { memoryContext } from '../memory-context.ts';
import { createPrinter, liveLine } from './printer.ts';
import { shownOn } from './shown.ts';

const start: EventBody = { kind: 'node.started', key: '' };
const event = (node: string, body: EventBody, at = 0): EventDraft => ({ at, run: 'r', node, body });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean, term = 'xterm') {
  const context = memoryContext({ env: { TERM: term }, columns: 60 });
  return { ...context, stderr: { ...context.stderr, isTTY, columns: 60 } };
}

const asked = (title: string): EventBody => ({ kind: 'approval.requested', request: { title }, hash: title });

describe('progress', () => {
  it('is plain lines where there is no terminal', () => {
    for (const context of [terminal(false), terminal(true, 'dumb')]) {
      const printer = createPrinter(context, ['draft'], () => 1000);
      printer.tell([event('draft#1', start)]);
      vi.advanceTimersByTime(500);
      printer.tell([event('draft#1', { kind: 'node.done', output: 'x' }, 400)]);
      printer.pause();
      expect(context.err()).toMatch(/^ {2}✓ draft +"x" +0\.4s\n$/);
    }
  });

  it('shows on a terminal what is running, and takes it away again', () => {
    const context = terminal(true);
    let now = 0;
    const printer = createPrinter(context, [], () => now);
    printer.tell([event('draft#1', start)]);
    expect(context.err()).toBe('  ⠋ draft 0.0s');
    now = 1200;
    vi.advanceTimersByTime(100);
    expect(context.err()).toBe('  ⠋ draft 0.0s\r\x1b[K  ⠙ draft 1.2s');
    printer.remark('stopping');
    printer.tell([event('draft#1', { kind: 'node.done', output: 'x' }, 1200)]);
    const shown = context.err();
    expect(shown).toMatch(/\r\x1b\[K {2}stopping\n {2}⠹ draft 1\.2s\r\x1b\[K {2}✓ draft .*\n$/);
    vi.advanceTimersByTime(1000);
    expect(context.err()).toBe(shown);
  });

  it('says until when a step waits for its next attempt', () => {
    const context = terminal(true);
    const printer = createPrinter(context, [], () => 1000);
    const error = { code: 'code', message: 'no', retryable: true };
    printer.tell([event('a#1', start), event('a#1', { kind: 'node.failed', error })]);
    printer.tell([event('a#1.wait', { kind: 'timer.set', until: 6000 })]);
    expect(context.err()).toMatch(/ {2}⠋ a again in 5\.0s$/);
    expect(printer.running()).toEqual([]);
    printer.pause();
  });

  it('says so too of a wait that began before it was there, when nothing else happens', () => {
    const error = { code: 'code', message: 'no', retryable: true };
    const before = [
      event('a#1', start),
      event('a#1', { kind: 'node.failed', error }),
      event('a#1.wait', { kind: 'timer.set', until: 6000 }),
    ];
    for (const context of [terminal(false), terminal(true)]) {
      const printer = createPrinter(context, [], () => 1000);
      printer.know(before);
      expect(context.err()).toBe('');
      vi.advanceTimersByTime(100);
      expect(context.err()).toMatch(/^ {2}↻ a +again in 5\.0s: no +1\.0s\n/);
      printer.pause();
    }
    // A command that has ended says nothing more.
    const context = terminal(false);
    const printer = createPrinter(context, [], () => 1000);
    printer.know(before);
    printer.pause();
    vi.advanceTimersByTime(500);
    expect(context.err()).toBe('');
  });

  it('has the commands that answer below a question, with the step where several ask', () => {
    const context = { ...terminal(false), places: ['--store', 'x.db'] };
    const printer = createPrinter(context, [], () => 0, '7f3a');
    printer.tell([event('ok', asked('Go?'))]);
    expect(context.err()).toMatch(
      /⏸ ok +Go\? +waiting for you\n {6}toolang approve 7f3a --store x\.db {5}toolang deny 7f3a --store x\.db\n$/,
    );
    expect([...shownOn(context.stderr)]).toEqual([['ok', true]]);
    printer.tell([event('l[1]/no', asked('Stop?'))]);
    expect(context.err()).toMatch(
      / {6}toolang approve 7f3a 'l\[1\]\/no' --store x\.db\n {6}toolang deny 7f3a 'l\[1\]\/no' --store x\.db\n$/,
    );
    printer.remark('stopping');
    expect(shownOn(context.stderr).size).toBe(0);
  });

  it('asks what a tool may do, of a hand too, where nobody else will: once for each question', () => {
    const permit = (title: string): EventBody => ({ ...asked(title), permission: true }) as EventBody;
    const told = [
      event('a#1', { kind: 'child.started', key: '' }),
      event('a#1/h[2]#1', { kind: 'child.started', key: '' }),
      event('a#1/h[2]#1/permit#1', permit('shell/run: ls')),
    ];
    for (const stays of [true, false]) {
      const context = terminal(false);
      const printer = createPrinter(context, [], () => 0, '7f3a', undefined, { stays });
      printer.tell(told);
      expect(context.err()).toMatch(
        stays
          ? /^ {2}⏸ a › h\[2\] +shell\/run: ls +waiting for you\n {6}toolang approve 7f3a 'a#1\/h\[2\]#1\/permit#1'\n.*deny.*\n$/
          : /^$/,
      );
      const before = context.err();
      printer.tell([
        event('a#1/h[2]#1/permit#1', { kind: 'approval.decided', approved: true, by: 'ana', value: null }),
      ]);
      expect(context.err()).toBe(before);
      printer.tell([event('a#1/h[2]#1/permit#2', permit('shell/run: rm'))]);
      expect(context.err().slice(before.length)).toMatch(stays ? /⏸ a › h\[2\] +shell\/run: rm/ : /^$/);
    }
  });

  it('asks whoever stays what was asked before, less what is being answered', () => {
    for (const context of [terminal(false), terminal(true)]) {
      const printer = createPrinter(context, [], () => 0, '7f3a', undefined, { stays: true });
      printer.know([event('a', asked('A?')), event('b', asked('B?')), event('c', asked('C?'))], 'a');
      printer.tell([event('b', { kind: 'approval.decided', approved: true, by: 'ana', value: null })]);
      vi.advanceTimersByTime(100);
      expect(context.err()).toMatch(/^.*✓ b .*\n {2}⏸ c +C\? +waiting for you\n.*toolang approve 7f3a c .*\n$/);
    }
  });

  it('says once of a wait that begins as soon as it is there', () => {
    const context = terminal(false);
    const printer = createPrinter(context, [], () => 1000);
    const error = { code: 'code', message: 'no', retryable: true };
    printer.know([event('a#1', start)]);
    printer.tell([event('a#1', { kind: 'node.failed', error }), event('a#1.wait', { kind: 'timer.set', until: 6000 })]);
    vi.advanceTimersByTime(1000);
    printer.pause();
    expect(context.err()).toMatch(/^ {2}↻ a .*\n$/);
  });

  it('leaves the commands to the end where it does not know what the run is called', () => {
    const context = terminal(false);
    createPrinter(context, [], () => 0).tell([event('ok', asked('Go?'))]);
    expect(context.err()).not.toContain('toolang');
    expect([...shownOn(context.stderr)]).toEqual([['ok', false]]);
  });

  it('shows live what was spent so far', () => {
    const context = terminal(true);
    const printer = createPrinter(context, [], () => 0);
    const usage = { inputTokens: 90, outputTokens: 4, cost: 0.02 };
    printer.tell([event('a#1', start), event('a#1', { kind: 'node.done', output: 'x', usage }), event('b#1', start)]);
    expect(context.err()).toMatch(/ {2}⠋ b 0\.0s {3}94 tokens, \$0\.02$/);
    printer.pause();
    // Where there is no room for both, what runs matters more.
    expect(liveLine(createRunProgress().running(), 0, 50, '94 tokens')).toBe('');
    const progress = createRunProgress();
    progress.add([event('b#1', start)]);
    expect(liveLine(progress.running(), 0, 38, '94 tokens, $0.02')).toBe('b 0.0s');
  });

  it('is taken away whole when the terminal was made narrower meanwhile', () => {
    const base = terminal(true);
    const size = { columns: 60 };
    const stderr = {
      ...base.stderr,
      get columns() {
        return size.columns;
      },
    };
    const printer = createPrinter({ ...base, stderr }, [], () => 0);
    printer.tell(['first', 'second', 'third'].map((name) => event(`${name}#1`, start)));
    const wide = base.err();
    size.columns = 20;
    vi.advanceTimersByTime(100);
    expect(base.err().slice(wide.length)).toMatch(/^\x1b\[2A\r\x1b\[J {2}⠙ /);
    printer.pause();
  });

  it('has a line for a hand that has ended, dim and below its step, and names what is innermost', () => {
    const base = memoryContext({ env: { TERM: 'xterm' }, columns: 70 });
    const context = { ...base, stderr: { ...base.stderr, isTTY: true, color: true, columns: 70 } };
    const printer = createPrinter(context, [], () => 1000);
    printer.tell([
      event('review#1', { kind: 'child.started', key: '' }),
      event('review#1/summarize[2]#1', { kind: 'child.started', key: '' }),
      event('review#1/summarize[2]#1/model#1', start),
    ]);
    expect(context.err()).toMatch(/ review › summarize\[2\] 1\.0s$/);
    printer.tell([event('review#1/summarize[2]#1', { kind: 'child.ended', outcome: { ok: 'x' } }, 400)]);
    expect(context.err()).toMatch(/\n? {4}\x1b\[32m✓\x1b\[39m\x1b\[2m review › summarize\[2\] +"x" +0\.4s\x1b\[22m\n$/);
    printer.tell([event('review#1/tools#2', { kind: 'handoff', from: 'review', to: 'billing' })]);
    expect(context.err()).toMatch(/ {4}\x1b\[2m→ review handed over to billing\x1b\[22m\n/);
    printer.pause();
  });

  it('stays calm where a step calls very often', () => {
    const context = terminal(false);
    const printer = createPrinter(context, [], () => 0, '7f3a');
    for (let i = 1; i <= 200; i++) {
      const id = `review#1/summarize[${i}]#1`;
      printer.tell([
        event(id, { kind: 'child.started', key: '' }),
        event(id, { kind: 'child.ended', outcome: { ok: i } }),
      ]);
    }
    printer.tell([event('review#1', { kind: 'child.ended', outcome: { ok: 'x' } })]);
    const lines = context.err().trimEnd().split('\n');
    expect(lines).toHaveLength(14);
    expect(lines.at(-2)).toBe('    … review goes on: toolang show 7f3a');
    expect(lines.at(-1)).toMatch(/^ {2}✓ review /);
  });

  it('fits into the line', () => {
    const progress = createRunProgress();
    progress.add(Array.from({ length: 50 }, (_, i) => event(`step-${i}#1`, start)));
    const line = liveLine(progress.running(), 1000, 50);
    expect(line).toMatch(/^step-0 1\.0s · step-1 1\.0s · .*and \d+ more$/);
    expect(line.length).toBeLessThanOrEqual(50);
  });
});
