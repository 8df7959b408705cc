/** The built program and the files of a real system: rights, links, odd names, and nothing half-written. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainUser, type Workplace, workplace } from './program.ts';

const good = 'thunk:\n  user: hi\n';
const bad = 'thunk:\n  tool = shell\n  user: hi\n';
const ugly = 'thunk :\n    tools =  shell\n    user: hi\n';

let w: Workplace;
beforeEach(() => {
  w = workplace();
});
afterEach(() => w.remove());

describe('the usual way', () => {
  it('makes an agent, checks, formats and explains it', () => {
    expect(w.run(['new', 'hello']).status).toBe(0);
    expect(w.run(['check', 'hello'])).toEqual({ status: 0, stdout: '', stderr: 'no problems in 2 files\n' });
    expect(w.run(['fmt', '--check', 'hello']).status).toBe(0);
    expect(w.run(['explain', 'hello/hello.too']).stdout).toContain('thunk default(');
    expect(w.run(['parse', 'hello/hello.too']).stdout).toMatch(/^program\n/);
    expect(w.run(['explain', 'TOO1601']).stdout).toMatch(/^# TOO1601 /);
  });

  it('mends with --fix once, and then leaves the file alone', () => {
    w.write('a.too', bad);
    expect(w.run(['check', '--fix', 'a.too'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'mended 1 problem in a.too\nno problems in 1 file\n',
    });
    const old = new Date(1_000_000_000_000);
    utimesSync(w.at('a.too'), old, old);
    expect(w.run(['check', '--fix', 'a.too'])).toMatchObject({ status: 0, stderr: 'no problems in 1 file\n' });
    expect(w.run(['fmt', 'a.too']).status).toBe(0);
    expect(statSync(w.at('a.too')).mtimeMs).toBe(old.getTime());
  });

  it('reads the root that TOOLANG_ROOT names', () => {
    w.write('root/skills/search/SKILL.md', '---\ndescription: d\n---\nx\n');
    w.write('a.too', 'thunk:\n  skills = search\n  user: hi\n');
    expect(w.run(['check', 'a.too']).status).toBe(2);
    expect(w.run(['check', 'a.too'], { env: { TOOLANG_ROOT: w.at('root') } }).status).toBe(0);
  });
});

describe('rights', () => {
  /** Files of somebody who is not the superuser. */
  const asOther = (names: readonly string[]) => {
    const user = plainUser(w);
    if (user?.uid !== undefined) for (const name of names) chownSync(w.at(name), user.uid, user.gid ?? 0);
    return user;
  };

  it('to read a file may be missing', ({ skip }) => {
    w.write('secret.too', good);
    w.write('closed/a.too', good);
    const user = asOther(['secret.too', 'closed']);
    if (!user) return skip('no other user can run the program');
    chmodSync(w.at('secret.too'), 0o000);
    chmodSync(w.at('closed'), 0o000);
    for (const command of ['check', 'fmt', 'parse', 'explain']) {
      expect(w.run([command, 'secret.too'], user)).toEqual({
        status: 2,
        stdout: '',
        stderr:
          'toolang: "secret.too" may not be read: permission denied. (TOO5003)\n  Check the permissions of the file and of its directories.\n',
      });
    }
    expect(w.run(['check', 'closed'], user)).toMatchObject({ status: 2, stdout: '' });
    expect(w.run(['check', 'closed'], user).stderr).toMatch(
      /^toolang: "closed" may not be read: .* \(TOO5003\)\n {2}\S.*\n$/,
    );
    chmodSync(w.at('closed'), 0o755);
  });

  it('to write may be missing: the file stays as it was, and nothing is left beside it', ({ skip }) => {
    w.write('shut/a.too', bad);
    w.write('shut/b.too', ugly);
    w.write('fixed.too', bad);
    const user = asOther(['shut', 'shut/a.too', 'shut/b.too', 'fixed.too']);
    if (!user) return skip('no other user can run the program');
    chmodSync(w.at('shut'), 0o555);
    chmodSync(w.at('fixed.too'), 0o444);
    const fix = w.run(['check', '--fix', 'shut/a.too'], user);
    expect(fix.status).toBe(2);
    expect(fix.stderr).toContain(
      'toolang: "shut/a.too" cannot be written: permission denied.\n  The file is as it was.\n',
    );
    expect(fix.stderr).not.toContain('mended');
    const formatted = w.run(['fmt', 'shut/b.too'], user);
    expect(formatted).toMatchObject({ status: 2, stdout: '' });
    expect(formatted.stderr).toContain('toolang: "shut/b.too" cannot be written: permission denied.');
    expect(w.run(['check', '--fix', 'fixed.too'], user).stderr).toContain('"fixed.too" cannot be written');
    expect(w.run(['fmt', '--json', 'shut/b.too'], user).stdout).toContain('"status": "error"');
    chmodSync(w.at('shut'), 0o755);
    expect(readdirSync(w.at('shut')).sort()).toEqual(['a.too', 'b.too']);
    expect(readFileSync(w.at('shut/a.too'), 'utf8')).toBe(bad);
    expect(readFileSync(w.at('shut/b.too'), 'utf8')).toBe(ugly);
  });

  it('to look into a cap folder may be missing', ({ skip }) => {
    w.write('a.too', good);
    w.write('.toolang/skills/x/SKILL.md', 'x');
    const user = asOther(['.toolang', '.toolang/skills']);
    if (!user) return skip('no other user can run the program');
    chmodSync(w.at('.toolang/skills'), 0o000);
    const { status, stdout, stderr } = w.run(['check', 'a.too'], user);
    expect({ status, stderr }).toEqual({ status: 2, stderr: '1 error in 2 files\n' });
    expect(stdout).toContain('skills:1:1  error TOO5003  this may not be read: permission denied.');
    chmodSync(w.at('.toolang/skills'), 0o755);
  });

  it('to read a cap may be missing, or to look into a folder of a skill: the others are read', ({ skip }) => {
    w.write('a.too', 'thunk:\n  skills = review, secret\n  user: hi\n');
    w.write('.toolang/skills/review/SKILL.md', '---\ndescription: d\n---\nx\n');
    w.write('.toolang/skills/review/assets/x', 'x');
    w.write('.toolang/skills/secret/SKILL.md', 'x');
    w.write('.toolang/skills/wrong/SKILL.md', 'x');
    const user = asOther(['.toolang']);
    if (!user) return skip('no other user can run the program');
    chmodSync(w.at('.toolang/skills/review/assets'), 0o000);
    chmodSync(w.at('.toolang/skills/secret/SKILL.md'), 0o000);
    const { stdout } = w.run(['check', 'a.too'], user);
    expect(stdout.match(/^\S+ {2}error \w+/gm)).toEqual([
      '.toolang/skills/review/assets:1:1  error TOO5003',
      '.toolang/skills/secret/SKILL.md:1:1  error TOO5003',
      '.toolang/skills/wrong/SKILL.md:1:1  error TOO5209',
    ]);
    chmodSync(w.at('.toolang/skills/review/assets'), 0o755);
  });
});

it('works in a folder with an odd name, on files with odd names', () => {
  const odd = 'a b\n\x1b[31m ünï';
  mkdirSync(w.at(odd));
  w.write(`${odd}/x y.too`, bad);
  w.write(`${odd}/ugly.too`, ugly);
  const { status, stdout, stderr } = w.run(['check', 'x y.too'], { cwd: w.at(odd) });
  expect(status).toBe(2);
  expect(stdout).toMatch(/^x y\.too:2:3 /);
  for (const args of [
    ['check', odd],
    ['check', '--fix', odd],
    ['fmt', odd],
    ['check', `${odd}/nothing.too`],
  ]) {
    const ran = w.run(args);
    expect(ran.stdout + ran.stderr + stderr).not.toContain('\x1b');
    expect(ran.stdout + ran.stderr).toContain('ünï');
  }
});
