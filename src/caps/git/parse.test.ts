/** What git prints, and what is made of it. */
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gitEnvironment } from './environment.ts';
import { createGate } from './gate.ts';
import { objectId, readBlobs, readHeads } from './objects.ts';
import { readRefs } from './refs.ts';
import { findRevision, splitAddress } from './revision.ts';
import { entriesBelow, readTree } from './tree.ts';
import { plainWords, readTrouble, withoutSecrets } from './trouble.ts';

const id = (digit: string) => digit.repeat(40);
const anId = fc.stringMatching(/^[0-9a-f]{40}$/);
const aName = fc.stringMatching(/^[\p{L}\d_-][\p{L}\d_./-]{0,8}[\p{L}\d]$/u);

describe('refs', () => {
  test('tags stand for their commits; the default branch is told', () => {
    const refs = readRefs(
      [
        'ref: refs/heads/trunk\tHEAD',
        `${id('1')}\tHEAD`,
        `${id('1')}\trefs/heads/trunk`,
        `${id('2')}\trefs/tags/v1`,
        `${id('3')}\trefs/tags/v1^{}`,
        `${id('4')}\trefs/pull/1/head`,
        'a note of somebody',
        'x\trefs/heads/bad',
        '',
      ].join('\n'),
    );
    expect(refs).toMatchObject({ head: id('1'), headName: 'trunk' });
    expect([...refs.branches]).toEqual([['trunk', id('1')]]);
    expect([...refs.tags]).toEqual([['v1', id('3')]]);
    expect([...refs.commits].sort()).toEqual([id('1'), id('3'), id('4')]);
  });

  test('whatever is advertised is found by its name, its full name and its commit', () => {
    const names = fc.uniqueArray(fc.tuple(aName, anId), { selector: ([name]) => name, maxLength: 8 });
    fc.assert(
      fc.property(names, names, (branches, tags) => {
        const lines = [
          ...branches.map(([name, commit]) => `${commit}\trefs/heads/${name}`),
          ...tags.flatMap(([name, commit]) => [`${id('f')}\trefs/tags/${name}`, `${commit}\trefs/tags/${name}^{}`]),
        ];
        const refs = readRefs(lines.join('\n'));
        for (const [name, commit] of branches) {
          expect(findRevision(refs, `refs/heads/${name}`, 'x')).toEqual({ ok: true, commit });
          const other = refs.tags.get(name);
          const short = findRevision(refs, name, 'x');
          if (other !== undefined && other !== commit) expect(short).toMatchObject({ ok: false, code: 'TOO5314' });
          else expect(short).toEqual({ ok: true, commit });
          const split = splitAddress(refs, `refs/heads/${name}/a.md`, 'x');
          expect(split.revision.ok).toBe(true);
          expect(`refs/heads/${name}/a.md`.endsWith(split.path)).toBe(true);
        }
        for (const [name, commit] of tags)
          expect(findRevision(refs, `refs/tags/${name}`, 'x')).toEqual({ ok: true, commit });
      }),
    );
  });

  test('any text is read', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readRefs(text)));
  });

  test('a short commit is taken where it is the beginning of one', () => {
    const refs = readRefs(`abc1${'0'.repeat(36)}\trefs/heads/a\nabc2${'0'.repeat(36)}\trefs/heads/b\n`);
    expect(findRevision(refs, 'abc1', 'x')).toMatchObject({ ok: true });
    expect(findRevision(refs, 'abcd', 'x')).toMatchObject({ ok: false, code: 'TOO5313' });
    const close = readRefs(`abcd1${'0'.repeat(35)}\trefs/heads/a\nabcd2${'0'.repeat(35)}\trefs/heads/b\n`);
    expect(findRevision(close, 'abcd', 'x')).toMatchObject({ ok: false, code: 'TOO5314' });
  });

  test('a default branch that is not there is told with those that are', () => {
    const refs = readRefs(`ref: refs/heads/main\tHEAD\n${id('1')}\trefs/heads/trunk\n`);
    expect(findRevision(refs, undefined, 'x')).toMatchObject({ ok: false, help: expect.stringContaining('"trunk"') });
  });

  test('an address takes the longest that fits', () => {
    const refs = readRefs(`${id('1')}\trefs/tags/a\n${id('2')}\trefs/heads/a/b\n`);
    expect(splitAddress(refs, 'a/b/c.md', 'x')).toEqual({ revision: { ok: true, commit: id('2') }, path: 'c.md' });
    expect(splitAddress(refs, 'a/c.md', 'x')).toEqual({ revision: { ok: true, commit: id('1') }, path: 'c.md' });
    expect(splitAddress(refs, 'refs/tags/a/b/c.md', 'x').path).toBe('b/c.md');
    expect(splitAddress(refs, 'q/c.md', 'x')).toMatchObject({ revision: { ok: false }, path: 'c.md' });
  });
});

describe('trees and contents', () => {
  test('every listing is read as it was made', () => {
    const entry = fc.tuple(fc.constantFrom('100644 blob', '100755 blob', '120000 blob', '160000 commit'), anId, aName);
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const text = entries.map(([kind, object, name]) => `${kind} ${object}\t${name}\0`).join('');
        const tree = readTree(Buffer.from(text));
        expect(tree?.entries.map((each) => [each.id, each.path])).toEqual(
          entries.map(([, object, name]) => [object, name]),
        );
      }),
    );
  });

  test('what is no listing is refused, and nothing throws', () => {
    fc.assert(fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), (bytes) => void readTree(bytes)));
    expect(readTree(Buffer.from(`100644 blob ${id('1')}\ta.md`))).toBeUndefined();
    expect(readTree(Buffer.from('100644 blob 12\ta.md\0'))).toBeUndefined();
  });

  test('what is below a directory, and not beside it', () => {
    const lines = [`040000 tree ${id('1')}\ta`, `100644 blob ${id('2')}\ta/x`, `100644 blob ${id('3')}\ta.md`];
    const tree = readTree(Buffer.from(lines.map((line) => `${line}\0`).join('')));
    if (!tree) throw new Error('it was not read');
    expect(entriesBelow(tree, 'a').map(({ path }) => path)).toEqual(['a/x']);
    expect(entriesBelow(tree, 'b')).toEqual([]);
  });

  test('contents come back as they are; what is cut off or changed is not taken', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), fc.nat(), (contents, cut) => {
        const parts = contents.map((bytes) => {
          const head = `${objectId('blob', bytes, 40)} blob ${bytes.length}\n`;
          return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\n')]);
        });
        const whole = Buffer.concat(parts);
        const found = readBlobs(whole);
        for (const bytes of contents) expect(found?.get(objectId('blob', bytes, 40))).toEqual(Buffer.from(bytes));
        const at = whole.length === 0 ? 0 : cut % whole.length;
        const less = readBlobs(whole.subarray(0, at));
        for (const [object, bytes] of less ?? []) expect(objectId('blob', bytes, 40)).toBe(object);
      }),
    );
    const changed = `${objectId('blob', Buffer.from('a'), 40)} blob 1\nb\n`;
    expect(readBlobs(Buffer.from(changed))).toBeUndefined();
  });

  test('ids are those of git', () => {
    expect(objectId('blob', Buffer.from('hi\n'), 40)).toBe('45b983be36b73c0788dc9cbcb76cbb80fc7bb057');
  });

  test('what is missing is told in its place', () => {
    expect(readHeads(`${id('1')} missing\n${id('2')} blob 7\n`, 2)).toEqual([
      undefined,
      { id: id('2'), type: 'blob', size: 7 },
    ]);
    expect(readHeads(`${id('1')} missing\n`, 2)).toBeUndefined();
    fc.assert(fc.property(fc.string(), fc.nat(3), (text, count) => void readHeads(text, count)));
  });
});

describe('what git says when it fails', () => {
  const access =
    'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.\n';
  test.each<[string, string]>([
    ["remote: Repository not found.\nfatal: repository 'https://github.com/a/b/' not found\n", 'absent'],
    ["fatal: could not read Username for 'https://github.com': terminal prompts disabled\n", 'absent'],
    ["fatal: could not read Password for 'https://me@github.com': No such device or address\n", 'absent'],
    ["remote: Invalid username or password.\nfatal: Authentication failed for 'https://github.com/a/b/'\n", 'absent'],
    ["fatal: unable to access 'https://github.com/a/b/': The requested URL returned error: 403\n", 'absent'],
    ["fatal: unable to access 'https://github.com/a/b/': The requested URL returned error: 404\n", 'absent'],
    [`ERROR: Repository not found.\n${access}`, 'absent'],
    [`git@github.com: Permission denied (publickey).\n${access}`, 'absent'],
    [`fatal: '/x/y' does not appear to be a git repository\n${access}`, 'absent'],
    ["fatal: unable to access 'https://github.com/a/b/': Could not resolve host: github.com\n", 'unreachable'],
    [`ssh: Could not resolve hostname github.com: Temporary failure in name resolution\n${access}`, 'unreachable'],
    ["fatal: unable to access 'https://x/': Failed to connect to x port 443: Connection refused\n", 'unreachable'],
    [
      "fatal: unable to access 'https://x/': Failed to connect to x port 443 after 3 ms: Couldn't connect to server\n",
      'unreachable',
    ],
    ["fatal: unable to access 'https://x/': Operation timed out after 1 ms\n", 'unreachable'],
    [`ssh: connect to host x port 22: Connection timed out\n${access}`, 'unreachable'],
    ["fatal: unable to access 'https://x/': SSL certificate problem: self signed certificate\n", 'unreachable'],
    ["fatal: unable to access 'https://x/': The requested URL returned error: 503\n", 'unreachable'],
    ["fatal: unable to access 'https://x/': The requested URL returned error: 429\n", 'unreachable'],
    ["fatal: unable to access 'https://x/': Received HTTP code 407 from proxy after CONNECT\n", 'unreachable'],
    [`Host key verification failed.\n${access}`, 'unreachable'],
    ["fatal: transport 'ext' not allowed\n", 'unreachable'],
    ['fatal: the remote end hung up unexpectedly\nfatal: early EOF\n', 'unreachable'],
    ['remote: error: access denied, permission denied\nfatal: early EOF\n', 'unreachable'],
    ['', 'unreachable'],
    ['error: unable to create temporary file: Permission denied\nfatal: index-pack failed\n', 'local'],
    ['fatal: write error: No space left on device\n', 'local'],
    ["fatal: repository '/x/y' does not exist\n", 'absent'],
    ['error: something does not exist\n', 'unreachable'],
    [`fatal: remote error: upload-pack: not our ref ${id('1')}\n`, 'no-object'],
    [`error: Server does not allow request for unadvertised object ${id('1')}\n`, 'no-object'],
  ])('%j: %s', (err, kind) => {
    const trouble = readTrouble(err);
    expect(trouble.kind).toBe(kind);
    expect(trouble.why).not.toBe('');
  });

  test('late is late', () => {
    expect(readTrouble('remote: Repository not found.', true).kind).toBe('unreachable');
  });

  test('nothing secret is printed', () => {
    const err = "fatal: unable to access 'https://ann:s3cret@x.y/a?token=s3cret': strange\n";
    expect(plainWords(err)).toBe("unable to access 'https://x.y/a': strange");
    expect(withoutSecrets('ssh://s3cret@h/x https://s3cret@h')).toBe('ssh://h/x https://h');
    fc.assert(
      fc.property(fc.string(), fc.webUrl({ withQueryParameters: false }), (around, url) => {
        const secret = url.replace('://', '://ann:S3CRET@');
        expect(plainWords(`${around.replace(/\S$/, ' ')} ${secret} `)).not.toContain('S3CRET');
      }),
    );
  });
});

describe('the environment of git', () => {
  test('keeps what is the user’s, and nothing that points elsewhere', () => {
    const env = gitEnvironment({
      HOME: '/h',
      HTTPS_PROXY: 'p',
      SSH_AUTH_SOCK: 's',
      GIT_DIR: '/x',
      GIT_WORK_TREE: '/x',
      GIT_OBJECT_DIRECTORY: '/x',
      GIT_TRACE: '1',
      GIT_ASKPASS: 'ask',
      SSH_ASKPASS: 'ask',
      GIT_CONFIG_PARAMETERS: "'a=b'",
      GIT_CONFIG_GLOBAL: '/g',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'a.b',
      GIT_CONFIG_VALUE_0: 'c',
      LANG: 'de_DE',
    });
    expect(env).toEqual({
      HOME: '/h',
      HTTPS_PROXY: 'p',
      SSH_AUTH_SOCK: 's',
      GIT_CONFIG_GLOBAL: '/g',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'a.b',
      GIT_CONFIG_VALUE_0: 'c',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '',
      SSH_ASKPASS_REQUIRE: 'never',
      GCM_INTERACTIVE: 'never',
      GIT_ALLOW_PROTOCOL: 'https:ssh:file',
      GIT_LFS_SKIP_SMUDGE: '1',
      GIT_NO_LAZY_FETCH: '1',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    });
  });

  test('protocols are narrowed, never widened', () => {
    const allowed = (own: string) => gitEnvironment({ GIT_ALLOW_PROTOCOL: own }).GIT_ALLOW_PROTOCOL;
    expect(allowed('https:ext')).toBe('https');
    expect(allowed('ext')).toBe('none');
    expect(allowed('')).toBe('none');
  });

  test('an ssh of the user’s own stays', () => {
    expect(gitEnvironment({ GIT_SSH_COMMAND: 'my-ssh' }).GIT_SSH_COMMAND).toBe('my-ssh');
    expect(gitEnvironment({ GIT_SSH: 'my-ssh' }).GIT_SSH_COMMAND).toBeUndefined();
    expect(gitEnvironment({}, 'of the configuration').GIT_SSH_COMMAND).toBeUndefined();
  });
});

test('a gate lets so many in, in turn, and goes on after failures', async () => {
  const gate = createGate(2);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const work = (n: number) =>
    gate(async () => {
      inside++;
      most = Math.max(most, inside);
      order.push(n);
      await Promise.resolve();
      inside--;
      if (n === 1) throw new Error('no');
    });
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map(work));
  expect(ends.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  expect(most).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4]);
});
