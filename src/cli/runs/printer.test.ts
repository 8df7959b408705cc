/** Progress on a terminal and elsewhere. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EventBody, EventDraft } from '../../journal/index.ts';
import { createRunProgress } from '../../view/index.ts';
import { memoryContext } from '../memory-context.ts';
import { createPrinter, liveLine } from './printer.ts';

const start: EventBody = { kind: 'node.started', key: '' };
const event = (node: string, body: EventBody, at = 0): EventDraft => ({ at, run: 'r', node, body });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean, term = 'xterm') {
  const context = memoryContext({ env: { TERM: term }, columns: 60 });
  return { ...context, stderr: { ...context.stderr, isTTY, columns: 60 } };
}

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
    printer.line('  stopping');
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

  it('fits into the line', () => {
    const progress = createRunProgress();
    progress.add(Array.from({ length: 50 }, (_, i) => event(`step-${i}#1`, start)));
    const line = liveLine(progress.running(), 1000, 50);
    expect(line).toMatch(/^step-0 1\.0s · step-1 1\.0s · .*and \d+ more$/);
    expect(line.length).toBeLessThanOrEqual(50);
  });
});
