/** What is typed in a chat: commands, prompts, files, and what Tab offers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hear, helpLines } from './commands.ts';
import { begun, commonStart, offersOf, wantedAt, written } from './completion.ts';
import { fileMark, fileWords } from './file-words.ts';

const prompts = new Map([
  ['rewrite', { text: 'In a {{tone}} tone: {{input}}', description: 'Says it otherwise.' }],
  ['new', { text: 'News about {{input}}' }],
]);

describe('what is heard', () => {
  it('is a command of the chat, a prompt, or something to say', () => {
    expect(hear('/quit', prompts)).toEqual({ kind: 'command', name: 'quit', rest: '' });
    expect(hear('/exit ', prompts)).toMatchObject({ name: 'quit' });
    expect(hear('/thread  monday ', prompts)).toEqual({ kind: 'command', name: 'thread', rest: 'monday' });
    expect(hear('/new', prompts)).toMatchObject({ kind: 'command' });
    const said = (text: string) => {
      const heard = hear(text, prompts);
      return heard.kind === 'say' ? heard.expand(heard.text) : heard;
    };
    expect(said('/rewrite tone=short hello')).toBe('In a short tone: hello');
    expect(said('/prompt:new tea')).toBe('News about tea');
    expect(said('//quit')).toBe('/quit');
    expect(said('/quit\nis what I typed')).toMatchObject({ kind: 'problem' });
    expect(said('a /quit')).toBe('a /quit');
  });

  it('is a mistake where it is none of them, told with the closest', () => {
    const wrong = (text: string) => {
      const heard = hear(text, prompts);
      return heard.kind === 'problem' ? heard.problem.message : heard;
    };
    expect(wrong('/rewrit x')).toBe('there is no prompt "/rewrit". Did you mean "/rewrite"?');
    expect(wrong('/modle')).toContain('Did you mean "/model"?');
    expect(wrong('/threads now')).toContain('/threads takes nothing');
    expect(wrong('/thread')).toBe('write /thread NAME.');
    expect(wrong('/rewrite')).toContain('/rewrite needs tone and text');
  });

  it('is listed, with prompts that commands hide by their other name', () => {
    const lines = helpLines(prompts, ['a key'], 60);
    expect(lines[0]).toMatch(/^ {2}\/rewrite tone=… text… {2}Says it otherwise\.$/);
    expect(lines[1]).toMatch(/^ {2}\/prompt:new text…/);
    expect(lines.at(-1)).toBe('  a key');
    for (const line of helpLines(prompts, ['a key'], 30)) expect(line.length).toBeLessThanOrEqual(44);
  });
});

describe('files', () => {
  const of = (text: string) => {
    const words = fileWords(text);
    return [words.files.map(({ name }) => name), words.without(() => true)] as const;
  };

  it('stand behind @ at the beginning of a word', () => {
    expect(of('see @a.ts, (@b/c.md) and @"my notes.md".')).toEqual([
      ['a.ts', 'b/c.md', 'my notes.md'],
      'see a.ts, (b/c.md) and my notes.md.',
    ]);
    expect(of('ana@example.org and @@ana and @ alone')).toEqual([[], 'ana@example.org and @ana and @ alone']);
    expect(fileWords('@Override me').without(() => false)).toBe('@Override me');
  });

  it('are named so that they are found again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w äé漢./,-]{0,10}\w$/u), (name) => {
        fc.pre(name.trim() === name && !name.startsWith('@'));
        expect(of(`see ${fileMark(name)} now`)[0]).toEqual([name]);
      }),
    );
  });
});

describe('what Tab completes', () => {
  it('is known from what stands before', () => {
    expect(wantedAt('/re', 3)).toEqual({ kind: 'command', from: 0, start: 're' });
    expect(wantedAt('/thread mo', 10)).toEqual({ kind: 'argument', from: 8, start: 'mo', command: 'thread' });
    expect(wantedAt('see @sr', 7)).toEqual({ kind: 'file', from: 4, start: 'sr' });
    expect(wantedAt('see @"my no', 11)).toEqual({ kind: 'file', from: 4, start: 'my no' });
    expect(wantedAt('/rewrite @sr', 12)).toMatchObject({ kind: 'file', start: 'sr' });
    expect(wantedAt('a@b', 3)).toBeUndefined();
    expect(wantedAt('say /re', 7)).toBeUndefined();
    expect(wantedAt('', 0)).toBeUndefined();
  });

  it('begins with what all have in common', () => {
    expect(commonStart(['thread', 'threads'])).toBe('thread');
    expect(commonStart(['😀a', '😁b'])).toBe('');
    expect(commonStart([])).toBe('');
    expect(offersOf('Th', ['threads', 'thread', 'help', 'thread'])).toEqual(['thread', 'threads']);
    const file = { kind: 'file', from: 0, start: '' } as const;
    expect(written(file, 'a.ts')).toBe('@a.ts ');
    expect(written(file, 'src/')).toBe('@src/');
    expect(written(file, 'my docs/')).toBe('@"my docs/');
    expect(begun(file, 'my d')).toBe('@"my d');
  });
});
