/** `toolang fmt`: writes, checks, pipes; leaves alone what is broken or right already. */
import { chmodSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const ugly = 'thunk  :\n    user:   hi\n';
const neat = 'thunk:\n  user: hi\n';
const broken = 'thunk:\n    hi there\n';
const old = new Date(1_000_000_000_000);

describe('toolang fmt', () => {
  it('writes files in the usual layout and names them', async () => {
    s.write('a.too', ugly);
    s.write('b.too', neat);
    utimesSync(s.at('b.too'), old, old);
    expect(await s.cli(['fmt'])).toEqual({ code: 0, out: 'a.too\n', err: '1 file formatted\n' });
    expect(s.read('a.too')).toBe(neat);
    expect(statSync(s.at('b.too')).mtimeMs).toBe(old.getTime());
    expect(await s.cli(['fmt'])).toEqual({ code: 0, out: '', err: 'nothing to change in 2 files\n' });
  });

  it('keeps line ends, byte order mark, mode and links', async () => {
    s.write('real.too', '\ufeffthunk  :\r\n    user:   hi\r\n');
    chmodSync(s.at('real.too'), 0o600);
    symlinkSync('real.too', s.at('link.too'));
    expect((await s.cli(['fmt', 'link.too'])).code).toBe(0);
    expect(s.read('real.too')).toBe('\ufeffthunk:\r\n  user: hi\r\n');
    expect(statSync(s.at('real.too')).mode & 0o777).toBe(0o600);
    expect(readdirSync(s.dir).sort()).toEqual(['link.too', 'real.too']);
  });

  it('changes nothing with --check, and ends with 2 if something would change', async () => {
    s.write('a.too', ugly);
    expect(await s.cli(['fmt', '--check'])).toEqual({ code: 2, out: 'a.too\n', err: '1 file would change\n' });
    expect(s.read('a.too')).toBe(ugly);
    s.write('a.too', neat);
    expect((await s.cli(['fmt', '--check'])).code).toBe(0);
  });

  it('leaves a file with syntax errors untouched, says why, and does the others', async () => {
    s.write('a.too', broken);
    s.write('b.too', ugly);
    utimesSync(s.at('a.too'), old, old);
    const { code, out, err } = await s.cli(['fmt']);
    expect({ code, out }).toEqual({ code: 2, out: 'b.too\n' });
    expect(err).toMatch(/^a\.too:2:5 {2}error TOO1607/);
    expect(err).toContain('1 file left as written: mend the errors first\n');
    expect(s.read('a.too')).toBe(broken);
    expect(statSync(s.at('a.too')).mtimeMs).toBe(old.getTime());
  });

  it('formats a program that is wrong but can be read', async () => {
    s.write('a.too', 'thunk:\n    hands =  nobody\n    user: {{nobody}}\n');
    expect((await s.cli(['fmt'])).code).toBe(0);
    expect(s.read('a.too')).toBe('thunk:\n  hands = nobody\n  user: {{nobody}}\n');
  });

  it('reads standard input for "-" and prints the result alone', async () => {
    expect(await s.cli(['fmt', '-'], { stdin: ugly })).toEqual({ code: 0, out: neat, err: '' });
    expect(await s.cli(['fmt', '-'], { stdin: neat })).toEqual({ code: 0, out: neat, err: '' });
    expect(await s.cli(['fmt', '-'], { stdin: '' })).toEqual({ code: 0, out: '', err: '' });
    const failed = await s.cli(['fmt', '-', '--stdin-name', 'src/a.too'], { stdin: broken });
    expect(failed).toMatchObject({ code: 2, out: '' });
    expect(failed.err).toMatch(/^src\/a\.too:2:5 {2}error/);
    const checked = await s.cli(['fmt', '-', '--check', '--stdin-name=a.too'], { stdin: ugly });
    expect(checked).toEqual({ code: 2, out: 'a.too\n', err: '1 file would change\n' });
  });

  it('refuses a name for standard input that nobody reads', async () => {
    s.write('a.too', ugly);
    const { code, err } = await s.cli(['fmt', 'a.too', '--stdin-name', 'b.too']);
    expect(code).toBe(2);
    expect(err).toContain('Write "-" as well');
    expect(s.read('a.too')).toBe(ugly);
  });

  it('tells all of it with --json', async () => {
    s.write('a.too', ugly);
    s.write('b.too', broken);
    const { code, out, err } = await s.cli(['fmt', '--json', 'a.too', 'b.too', 'c.too', '-'], { stdin: ugly });
    expect({ code, err }).toEqual({ code: 2, err: '' });
    const { files, problems } = JSON.parse(out);
    expect(files).toMatchObject([
      { file: 'a.too', status: 'changed', diagnostics: [] },
      { file: 'b.too', status: 'error', diagnostics: [{ code: 'TOO1607' }] },
      { file: '<stdin>', status: 'changed', text: neat, diagnostics: [] },
    ]);
    expect(problems).toMatchObject([{ code: 'TOO5001' }]);
  });
});
