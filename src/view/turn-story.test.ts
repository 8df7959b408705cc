/** What is told of a turn. */
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../journal/index.ts';
import { createTurnStory, type TurnNote } from './turn-story.ts';

function story() {
  const made = createTurnStory();
  let at = 0;
  return {
    ...made,
    at(node: string | undefined, body: EventBody): readonly TurnNote[] {
      at += 100;
      return made.add([{ at, ...(node !== undefined && { node }), body }]);
    },
  };
}

const answered = (calls: readonly { id: string; tool: string; args: Record<string, string> }[]): EventBody => ({
  kind: 'model.answered',
  message: { text: 'So.', finish: 'calls', calls },
  usage: {},
});
const model: EventBody = { kind: 'model.asked', ref: 'openai/gpt-5', settings: {}, add: [] };

describe('a turn', () => {
  it('tells calls when they have come to something, with what they were given', () => {
    const s = story();
    s.at('chat#1/model#1', model);
    expect(s.model()).toEqual({ ref: 'openai/gpt-5', isAsked: true });
    expect(s.at('chat#1/model#1', answered([{ id: 'c1', tool: 'shell/run', args: { command: 'ls' } }]))).toEqual([
      { kind: 'said', id: 'chat#1/model#1', text: 'So.' },
    ]);
    expect(s.model()?.isAsked).toBe(false);
    expect(s.at('chat#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c1' })).toEqual([]);
    expect(s.running()).toMatchObject([{ tool: 'shell/run', args: { command: 'ls' }, status: 'running', within: [] }]);
    const [note] = s.at('chat#1/tool#1', { kind: 'tool.answered', result: { text: 'a\nb' } });
    expect(note).toMatchObject({
      kind: 'call',
      call: { status: 'done', result: 'a\nb', startedAt: 300, endedAt: 400 },
    });
    expect(s.running()).toEqual([]);
  });

  it('tells hands, and what they call within them', () => {
    const s = story();
    s.at('chat#1/model#1', answered([{ id: 'c1', tool: 'look', args: { what: 'a' } }]));
    s.at('chat#1/look[1]#1', { kind: 'child.started' });
    s.at('chat#1/look[1]#1/model#1', answered([{ id: 'c1', tool: 'filesystem/read', args: { path: 'a' } }]));
    s.at('chat#1/look[1]#1/tool#1', { kind: 'tool.asked', tool: 'filesystem/read', call: 'c1' });
    expect(s.running().map(({ tool, within }) => [tool, within])).toEqual([
      ['look', []],
      ['filesystem/read', ['look']],
    ]);
    const inner = s.at('chat#1/look[1]#1/tool#1', { kind: 'tool.answered', result: { text: 'no', isError: true } });
    expect(inner).toMatchObject([{ call: { status: 'failed', within: ['look'] } }]);
    const hand = s.at('chat#1/look[1]#1', { kind: 'child.ended', outcome: { ok: 'It is a.' } });
    expect(hand).toMatchObject([{ call: { tool: 'look', args: { what: 'a' }, status: 'done', result: '"It is a."' } }]);
    expect(s.model()).toBeUndefined();
  });

  it('tells what is asked, what it is about, and who answered', () => {
    const s = story();
    const request = { title: 'shell/run: ls', summary: 'command: ls', tool: 'shell/run', subjects: ['ls'] };
    s.at('chat#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c1' });
    expect(s.at('chat#1/tool#1', { kind: 'tool.answered', result: { ask: request } })).toEqual([]);
    expect(s.running()).toEqual([]);
    expect(s.at('chat#1/permit#1', { kind: 'approval.requested', request, hash: 'h', permission: true })).toEqual([
      {
        kind: 'asked',
        request: {
          node: 'chat#1/permit#1',
          kind: 'permission',
          title: 'shell/run: ls',
          summary: 'command: ls',
          hash: 'h',
        },
        about: '["shell/run",["ls"]]',
      },
    ]);
    expect(s.at('chat#1/permit#1', { kind: 'approval.decided', approved: true, by: 'ana', value: {} })).toEqual([
      { kind: 'answered', node: 'chat#1/permit#1', approved: true, by: 'ana' },
    ]);
    const limit = { title: 'More?', least: 2, unit: 'tokens' };
    expect(s.at('@limit#1', { kind: 'limit.reached', limit: 'tokens', request: limit, hash: 'h' })).toMatchObject([
      { kind: 'asked', request: { kind: 'limit', least: 2, unit: 'tokens' } },
    ]);
    const cancelled = { code: 'cancelled', message: 'it was cancelled', retryable: false };
    expect(s.at('@limit#1', { kind: 'node.cancelled', error: cancelled })).toMatchObject([
      { kind: 'answered', by: '' },
    ]);
  });

  it('tells handoffs, memories, repairs, models that were passed over, and what people said', () => {
    const s = story();
    const error = { code: 'auth', message: 'no key', retryable: false };
    const notes = [
      ...s.at('chat#1/tools#2', { kind: 'handoff', from: 'chat', to: 'other' }),
      ...s.at('chat#1/tool#1', { kind: 'memory.saved', id: 1, text: 'tea' }),
      ...s.at('chat#1/model#1', { kind: 'output.repaired', errors: ['wrong'] }),
      ...s.at('chat#1/model#1', { kind: 'model.skipped', ref: 'a/b', error }),
      ...s.at(undefined, { kind: 'run.steered', message: 'hurry', by: 'ana' }),
    ];
    expect(notes.map(({ kind }) => kind)).toEqual(['remark', 'remark', 'repair', 'passed', 'steered']);
  });
});
