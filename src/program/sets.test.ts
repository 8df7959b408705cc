import { expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { checkSource } from './check.ts';
import type { Host } from './host.ts';
import { effectiveSets, type SetKey } from './sets.ts';

const host: Host = {
  caps: [
    { kind: 'psyche', name: 'calm', scope: 'home' },
    { kind: 'psyche', name: 'calm', scope: 'root' },
    { kind: 'psyche', name: 'wise', scope: 'root' },
  ],
  defaults: { tools: ['filesystem'] },
};

function setOf(key: SetKey, body: string, before = '', on = host): Record<'items' | 'removed', string[]> {
  const { program } = checkSource(createSource('a.too', `${before}thunk:\n${body}`), on);
  const thunk = program.thunks.get('default');
  if (!thunk) throw new Error('no thunk');
  const { items, removed } = effectiveSets(program, thunk, on)[key];
  const print = ({ name, why }: { name: string; why: string }) => `${name}: ${why}`;
  return { items: items.map(print), removed: removed.map(print) };
}

it('starts from every visible cap, nearest first, and names what is shadowed', () => {
  const before = 'use psyche x/calm\npsyche calm:\n  x\n';
  expect(setOf('psyches', '', before).items).toEqual([
    'calm: default: inline, shadows use x/calm, shadows home, shadows root',
    'wise: default: root',
  ]);
});

it('starts from no hands and no handoffs, and from the default tools', () => {
  expect(setOf('hands', '').items).toEqual([]);
  expect(setOf('handoffs', '').items).toEqual([]);
  expect(setOf('tools', '').items).toEqual(['filesystem: default']);
});

it('applies directives in order: = sets, += adds, -= removes', () => {
  expect(setOf('tools', '  tools += shell\n  tools -= filesystem\n')).toEqual({
    items: ['shell: "tools += …" at line 2'],
    removed: ['filesystem: removed by "tools -= …" at line 3'],
  });
  expect(setOf('tools', '  tools = web\n')).toEqual({
    items: ['web: "tools = …" at line 2'],
    removed: ['filesystem: left out by "tools = …" at line 2'],
  });
  expect(setOf('tools', '  tools -= filesystem\n  tools += filesystem\n')).toEqual({
    items: ['filesystem: "tools += …" at line 3'],
    removed: [],
  });
});

it.each([
  ['tools += files/read\n  tools -= files/read', ['files/list: default, as part of files']],
  ['tools = files, files/read\n  tools -= files/list', ['files/read: "tools = …" at line 2']],
  ['tools = files, files/read\n  tools -= files', []],
  ['tools = files/read, files\n  tools -= files/read, files/list', []],
])('takes away what is there twice, by itself and with its set: %s', (lines, expected) => {
  const tools = new Map([['files', ['read', 'list']]]);
  expect(setOf('tools', `  ${lines}\n`, '', { ...host, tools, defaults: { tools: ['files'] } }).items).toEqual(
    expected,
  );
});
