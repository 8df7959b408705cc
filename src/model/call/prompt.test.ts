/** Messages as the packages of providers take them. */
import { expect, test } from 'vitest';
import type { ModelMessage } from '../model.ts';
import { createWireNames } from '../wire-name.ts';
import { promptOf } from './prompt.ts';

const names = createWireNames(['a/b', 'c']);

function prompt(messages: readonly ModelMessage[], metaKey?: string) {
  return promptOf(messages, { ref: 'ollama/m', names, metaKey });
}

const calls = [
  { id: '1', tool: 'a/b', args: { x: 1 } },
  { id: '2', tool: 'c', args: {} },
];

test('results stand in one message, in the order of their calls', () => {
  expect(
    prompt([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '', calls },
      { role: 'tool', call: '2', tool: 'c', content: 'two', isError: true },
      { role: 'tool', call: '1', tool: 'a/b', content: 'one' },
      { role: 'user', content: 'On.' },
    ]),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: '1', toolName: 'a__b', input: { x: 1 } },
        { type: 'tool-call', toolCallId: '2', toolName: 'c', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: '1', toolName: 'a__b', output: { type: 'text', value: 'one' } },
        { type: 'tool-result', toolCallId: '2', toolName: 'c', output: { type: 'error-text', value: 'two' } },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'On.' }] },
  ]);
});

test('what says nothing is left out: some services refuse empty texts', () => {
  expect(
    prompt([
      { role: 'system', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: '' },
          { type: 'text', text: 'a' },
        ],
      },
      { role: 'assistant', content: '' },
      { role: 'user', content: 'b' },
    ]),
  ).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'a' }] },
    { role: 'user', content: [{ type: 'text', text: 'b' }] },
  ]);
});

test('reasoning goes back to whoever marked it, and plain reasoning to the model that had it, as long as calls go on', () => {
  const reasoning = [
    { text: 'ours', meta: { p: { signature: 's' } } },
    { text: 'plain', meta: { toolang: { thoughtBy: 'ollama/m' } } },
    { text: 'unmarked' },
    { text: 'of another', meta: { toolang: { thoughtBy: 'ollama/n' } } },
    { text: 'theirs', meta: { q: { s: 1 } } },
  ];
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: 'old', reasoning },
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: 'new', reasoning, calls },
  ];
  const sent = (metaKey?: string) =>
    prompt(messages, metaKey).map(({ content }) =>
      typeof content === 'string' ? [] : content.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])),
    );
  expect(sent('p')).toEqual([[], ['ours'], [], ['ours']]);
  expect(sent('q')).toEqual([[], ['theirs'], [], ['theirs']]);
  expect(sent()).toEqual([[], [], [], ['plain']]);
});

test('a result of a call that is in no message stands last', () => {
  const [, , tool] = prompt([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: '', calls: calls.slice(0, 1) },
    { role: 'tool', call: '?', tool: 'c', content: 'lost' },
    { role: 'tool', call: '1', tool: 'a/b', content: 'one' },
  ]);
  expect(tool?.role === 'tool' && tool.content.map((part) => 'toolCallId' in part && part.toolCallId)).toEqual([
    '1',
    expect.stringMatching(/^call_[0-9a-f]{32}$/),
  ]);
});
