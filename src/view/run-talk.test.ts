/** Conversations of steps and hands, from events written by hand. */
import { describe, expect, it } from 'vitest';
import type { EventBody, JournalEvent } from '../journal/index.ts';
import type { Json } from '../machine/index.ts';
import { painter } from '../text/index.ts';
import { runTalks, type TreeNode, talkText } from './index.ts';

type Told = readonly [string | undefined, EventBody];

const texts: Readonly<Record<string, Json>> = {
  s: { role: 'system', content: 'be brief' },
  u: { role: 'user', content: [{ type: 'text', text: 'is it good?' }] },
  h: { role: 'assistant', content: 'earlier' },
  a: { role: 'assistant', content: '' },
  t: { role: 'tool', call: 'c1', tool: 'filesystem/read', content: 'one\ntwo\nthree\nfour' },
};
const textOf = (hash: string) => (hash === 'broken' ? '{' : hash in texts ? JSON.stringify(texts[hash]) : undefined);

const starts = (id: string): Told => [id, { kind: 'node.started', key: '' }];
const asks = (id: string, ...add: string[]): Told[] => [
  starts(id),
  [id, { kind: 'model.asked', ref: 'openai/gpt-5', settings: {}, add }],
];
const says = (id: string, text: string, ...calls: readonly (readonly [string, string, Json])[]): Told => [
  id,
  {
    kind: 'model.answered',
    message: { text, finish: 'stop', calls: calls.map(([call, tool, args]) => ({ id: call, tool, args })) },
    usage: {},
  },
];

function talks(told: readonly Told[], ...names: string[]) {
  const events = told.map(
    ([node, body], i): JournalEvent => ({
      ...{ seq: i + 1, at: i, run: 'r', body },
      ...(node !== undefined && { node }),
    }),
  );
  return runTalks(events, names, textOf);
}

const hand = 'review#1/summarize[2]#1';
const whole: Told[] = [
  ['review#1', { kind: 'child.started', key: '' }],
  ...asks('review#1/model#1', 's', 'h', 'u', 'broken', 'missing'),
  says('review#1/model#1', 'I look', ['c1', 'filesystem/read', { path: 'a.ts' }], ['c2', 'summarize', { input: 'A' }]),
  starts('review#1/tool#1'),
  ['review#1/tool#1', { kind: 'tool.asked', tool: 'filesystem/read', call: 'c1' }],
  ['review#1/tool#1', { kind: 'tool.answered', result: { text: 'one\ntwo\nthree\nfour' } }],
  ['review#1/summarize[1]#1', { kind: 'child.started', key: '' }],
  ['review#1/summarize[1]#1', { kind: 'child.ended', outcome: { ok: { text: 'short' } } }],
  ...asks('review#1/model#2', 'a', 't'),
  says('review#1/model#2', '', ['c3', 'summarize', { input: 'B', words: 9 }]),
  [hand, { kind: 'child.started', key: '' }],
  ...asks(`${hand}/model#1`),
  says(`${hand}/model#1`, 'B in short'),
  [hand, { kind: 'child.ended', outcome: { ok: 'B in short' } }],
];

describe('a conversation', () => {
  it('is what was asked, what was answered, and what was called', () => {
    const { turns } = talks(whole, 'review').get('review') ?? { turns: [] };
    expect(turns).toEqual([
      { kind: 'message', role: 'system', text: 'be brief' },
      { kind: 'message', role: 'assistant', text: 'earlier' },
      { kind: 'message', role: 'user', text: 'is it good?' },
      { kind: 'answer', text: 'I look', model: 'openai/gpt-5' },
      {
        kind: 'call',
        tool: 'filesystem/read',
        args: { path: 'a.ts' },
        status: 'done',
        result: 'one\ntwo\nthree\nfour',
      },
      {
        ...{ kind: 'call', tool: 'summarize', args: { input: 'A' }, status: 'done', result: '{"text":"short"}' },
        hand: 'review/summarize[1]',
      },
      {
        ...{ kind: 'call', tool: 'summarize', args: { input: 'B', words: 9 }, status: 'done', result: 'B in short' },
        hand: 'review/summarize[2]',
      },
    ]);
  });

  it('of a hand begins with the arguments of its call', () => {
    expect(talks(whole, 'review/summarize[2]').get('review/summarize[2]')).toEqual({
      given: { input: 'B', words: 9 },
      turns: [{ kind: 'answer', text: 'B in short', model: 'openai/gpt-5' }],
    });
  });

  it('tells what was begun again once, and another attempt instead of the one before', () => {
    const twice: Told[] = [
      ...asks('a#1/model#1', 'u'),
      ...asks('a#1/model#1', 'u'),
      ['a#1/model#1', { kind: 'output.repaired', errors: ['no'] }],
      says('a#1/model#1', 'x'),
    ];
    expect(
      talks(twice, 'a')
        .get('a')
        ?.turns.map(({ kind }) => kind),
    ).toEqual(['message', 'repair', 'answer']);
    const error = { code: 'model', message: 'down', retryable: true };
    const again: Told[] = [...twice, ...asks('a#2/model#1', 'u'), ['a#2/model#1', { kind: 'model.failed', error }]];
    expect(talks(again, 'a').get('a')?.turns).toEqual([
      { kind: 'message', role: 'user', text: 'is it good?' },
      { kind: 'error', message: 'down' },
    ]);
  });

  it('of what was kept is that of the segment in which it was said', () => {
    const opened = { name: 'f', plan: '', source: '', input: {}, machine: 1, models: {} };
    const kept: Told[] = [
      ...whole,
      [undefined, { kind: 'segment.opened', why: 'edit', ...opened }],
      [hand, { kind: 'child.ended', outcome: { ok: 'B in short' }, from: 'kept', of: 3 }],
    ];
    expect(talks(kept, 'review/summarize[2]').get('review/summarize[2]')).toMatchObject({
      given: { words: 9 },
      turns: [{ text: 'B in short' }],
    });
    const [, first] = asks('a#1/model#1', 'u');
    const answered = says('a#1/model#1', 'x');
    const again: Told[] = [
      ...(first ? [first] : []),
      answered,
      [undefined, { kind: 'segment.opened', why: 'edit', ...opened }],
      ['a#1/model#1', { ...answered[1], from: 'kept', of: 2 } as EventBody],
    ];
    expect(
      talks(again, 'a')
        .get('a')
        ?.turns.map(({ kind }) => kind),
    ).toEqual(['message', 'answer']);
  });

  it('says who was not allowed to do something, and what is still open', () => {
    const told: Told[] = [
      ...asks('a#1/model#1'),
      says('a#1/model#1', '', ['c', 'shell/run', { command: 'git push' }], ['d', 'shell/run', { command: 'ls' }]),
      ['a#1/tool#1', { kind: 'tool.asked', tool: 'shell/run', call: 'c' }],
      ['a#1/tool#1', { kind: 'tool.answered', result: { ask: {} } }],
      ['a#1/permit#1', { kind: 'approval.decided', approved: false, by: 'ann', value: null }],
    ];
    expect(talks(told, 'a').get('a')?.turns).toMatchObject([{ status: 'denied' }, { status: 'running' }]);
  });

  it('is shown with the beginning of what tools came to, and nothing that a terminal would obey', () => {
    const node: TreeNode = {
      ...{ name: 'review', path: 'review', kind: 'step', title: 'review', status: 'done', output: 'ok', children: [] },
    };
    const talk = talks(whole, 'review').get('review') ?? { turns: [] };
    const given = { input: 'is\u001b[2J it' };
    const text = talkText(node, { given, ...talk }, { paint: painter(false), now: 0, columns: 60 });
    expect(text).toBe(
      [
        '✓ review  "ok"',
        '  asked',
        '    is␛[2J it',
        '  assistant',
        '    earlier',
        '  asked',
        '    is it good?',
        '  answered by openai/gpt-5',
        '    I look',
        '  ✓ filesystem/read a.ts',
        '      one',
        '      two',
        '      three',
        '      … 1 line more',
        '  ✓ summarize A',
        '      {"text":"short"}',
        '  ✓ summarize {"input":"B","words":9}',
        '      B in short',
        '',
      ].join('\n'),
    );
  });
});
