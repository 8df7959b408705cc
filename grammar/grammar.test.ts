/** The built grammar: up to date with its sources, right about the corpus and about every character, usable by the queries. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Language, type Node, Parser, Query } from 'web-tree-sitter';
import { readCorpus } from './corpus.ts';
import { leafKinds, loadGrammar, loadLanguage, type Sexp, type WasmTree } from './wasm-tree.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = ['tree-sitter', join(here, '..', '.cache', 'tree-sitter-cli', 'tree-sitter')].find(
  (path) => spawnSync(path, ['--version']).status === 0,
);

let language: Language;
let parse: (text: string) => WasmTree;

beforeAll(async () => {
  language = await loadLanguage();
  parse = await loadGrammar();
});

describe('the built files', () => {
  const hashes: Record<string, string> = JSON.parse(read('hashes.json'));

  it.each(Object.keys(hashes))('%s is the one of the last build', (name) => {
    const hash = createHash('sha256')
      .update(readFileSync(join(here, name)))
      .digest('hex');
    expect(hash, `${name} has changed since the grammar was built: run npm run grammar`).toBe(hashes[name]);
  });

  it.skipIf(cli === undefined)('the tree-sitter CLI, where there is one, generates the same parser', () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolang-grammar-'));
    try {
      for (const name of ['grammar.js', 'tree-sitter.json', 'package.json'])
        copyFileSync(join(here, name), join(folder, name));
      const done = spawnSync(cli ?? '', ['generate', '--abi', '15'], { cwd: folder, encoding: 'utf8' });
      expect(done.stderr).toBe('');
      expect(readFileSync(join(folder, 'src/parser.c'), 'utf8') === read('src/parser.c'), 'run npm run grammar').toBe(
        true,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('every kind of node that is only text is known as one', () => {
    const types: { type: string; named: boolean; fields?: object; children?: object }[] = JSON.parse(
      read('src/node-types.json'),
    );
    const inner = new Set(['context_block', 'instruct_block', 'context', 'instruct', 'params', 'program', 'thunk']);
    const leaves = types.filter(
      (type) => type.named && type.children === undefined && Object.keys(type.fields ?? {}).length === 0,
    );
    expect(
      leaves
        .map((type) => type.type)
        .filter((kind) => !inner.has(kind))
        .sort(),
    ).toEqual([...leafKinds].sort());
  });
});

describe('the corpus', () => {
  for (const file of readdirSync(join(here, 'test/corpus')).sort()) {
    describe(file, () => {
      it.each(readCorpus(read(`test/corpus/${file}`)))('$name', ({ text, tree, refused }) => {
        for (const version of [text, `${text}\n`, `${text}\n\n \n`, `\ufeff${text}`, text.replaceAll('\n', '\r\n')]) {
          if (refused) expect(parse(version).ok).toBe(false);
          else expect(shapeOf(version)).toBe(tree);
        }
      });
    });
  }
});

describe('characters', () => {
  const places = {
    'between items': 'use skill a\n@\nuse skill b',
    'in a header': 'thunk a@:\n',
    'after a token': 'use skill a@\n',
    'in a uri': 'use skill a://b@c\n',
    'in a comment': '# a@b\n',
    'in a comment after a token': 'use skill a # b@\n',
    'in the indent of a field': 'struct A:\n @ a: B\n',
    'in a property': 'skill a:\n  k = v@w\n',
    'in raw text': 'context:\n  a\n  b@c\n  d\n',
    'at the start of raw text': 'context:\n  @\n',
    'in a blank line of raw text': 'context:\n  a\n  @\n  b\n',
    'in inline text': 'thunk:\n  user: a@b\n',
    'after inline text': 'thunk:\n  user: a @\n',
    'in a fence': 'context: ```\na\n@b\n```\n',
    'in frontmatter': 'skill a: ```\n---\na: b@\n---\n```\n',
    'after the opening fence': 'context: ```@\n```\n',
    'after the closing fence': 'context: ```\n```@\n',
    'on the last line': 'use skill a\n@',
  };
  const refused = [0, 1, 7, 8, 0x0b, 0x0d, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9f];

  it.each(Object.entries(places))('control characters are refused %s', (_, text) => {
    expect(parse(text.replace('@', '')).ok).toBe(true);
    const passed = refused.filter((code) => parse(text.replace('@', `${String.fromCharCode(code)}`)).ok);
    // CR is a line end before LF, which follows it in some of these.
    expect(passed.filter((code) => code !== 0x0d || !text.includes('@\n'))).toEqual([]);
  });

  it('a lone CR is no line end', () => {
    for (const text of ['use skill a\r', 'use skill a\ruse skill b', '\r', '\r\r\n', 'context: ```\n```\r'])
      expect(parse(text).ok).toBe(false);
    expect(parse('use skill a\r\n\r\nuse skill b\r\n').ok).toBe(true);
  });

  it('other characters are text', () => {
    const odd = '\u00a0\u00ad\u2028\u2029\ufeff\ud800\u{10ffff}é🙂';
    for (const text of [
      '# @',
      'context:\n  @',
      'thunk:\n  user: @',
      'skill a:\n  k = @',
      'context: ```\n@\n```',
      'use skill a://@',
    ]) {
      expect(parse(text.replace('@', odd)).ok, text).toBe(true);
    }
  });

  it('one byte order mark is skipped, and counts in offsets', () => {
    expect(parse('\ufeffuse skill a').tree).toEqual([
      'program',
      ['use', ['cap_kind', 5, 10], ['cap_shorthand', 11, 12]],
    ]);
    expect(parse('\ufeff\ufeffuse skill a').ok).toBe(false);
    expect(parse('\ufeff').ok).toBe(true);
  });

  it('a form feed is a blank without width', () => {
    expect(parse('struct A:\n\f a: B\n').ok).toBe(true);
    expect(parse('struct A:\n\fa: B\n').ok).toBe(false);
    expect(parse('\fuse skill a').ok).toBe(false);
    expect(parse('thunk:\n  user:\n\f  \ftext\n').ok).toBe(false);
  });
});

describe('offsets', () => {
  it('raw text starts in column 0 of its first line and ends with its last', () => {
    const text = 'context:\n\n   \n\t one \n\n  two  \n\n  \nuse skill a';
    expect(leavesOf(text)).toContainEqual(['raw_text', '\t one \n\n  two  ']);
  });

  it('frontmatter and content are whole lines, fences are backticks', () => {
    const text = 'skill a: ```` md # c\n --- \na: b\n--- \n\n x \n \n  ````` \n';
    expect(leavesOf(text)).toEqual([
      ['value_name', 'a'],
      ['fence_open', '````'],
      ['language', 'md'],
      ['frontmatter', ' --- \na: b\n--- '],
      ['fence_content', '\n x \n '],
      ['fence_close', '`````'],
    ]);
    expect(parse(text).comments).toEqual([[17, 20]]);
  });

  it('a fence around one empty line has content without a character, a fence around none has no content', () => {
    expect(shapeOf('context: ```\n\n```')).toContain('fence_content');
    expect(shapeOf('context: ```\n```')).not.toContain('fence_content');
    expect(leavesOf('context: ```\n\n```').map(([kind]) => kind)).toEqual(['fence_open', 'fence_close']);
  });

  it('inline text and values go without blanks and comments around them', () => {
    const text = 'skill a:\n  k =  v w \t # c\nthunk:\n  context:\tname # c\n  user:  C# is `a` \n';
    expect(leavesOf(text).slice(1)).toEqual([
      ['property_key', 'k'],
      ['property_value', 'v w'],
      ['block_name', 'name'],
      ['message_kind', 'user'],
      ['inline_text', 'C# is `a`'],
    ]);
  });
});

describe('files that are wrong in thousands of places', () => {
  it.each([
    ['unclosed fences', 'skill a: ```\n'],
    ['fences of another length each', 'skill a: ````\n```\n'],
    ['unclosed frontmatter', 'skill a: ```\n---\n```\n'],
    ['control characters', 'context:\n  a\u0001b\n'],
    ['lines that are no items', 'Some prose, as in a Markdown file.\n'],
    ['indented lines', '  some prose\n'],
    ['deeper lines', 'thunk:\n  user: a\n    b\n'],
  ])('are read in the end: %s', (_, line) => {
    expect(parse(line.repeat(20_000)).ok).toBe(false);
  });
});

describe('after an error', () => {
  it('the next lines and items are read', () => {
    const { tree } = parse(
      'struct A:\n  a: %\n  b: C\n\nuse skill\n\nthunk x:\n  tools = a b\n  user: ```js\n  c\n  ```\nuse skill b\n',
    );
    const kinds = JSON.stringify(tree);
    for (const kind of ['"use"', '"thunk"', '"directive"', '"message_block"', '"fence"']) expect(kinds).toContain(kind);
  });
});

describe('queries', () => {
  it.each(readdirSync(join(here, 'queries')))('%s names only what the grammar has, and matches', (name) => {
    const parser = new Parser();
    parser.setLanguage(language);
    const tree = parser.parse(
      'struct A:\n  a: Text\nskill b: ```\n---\nc: d\n---\ne\n```\nthunk f:\n  hands = g\n  context: h\n  user:\n    i\n',
    );
    const query = new Query(language, read(`queries/${name}`));
    try {
      expect(tree === null ? 0 : query.matches(tree.rootNode).length).toBeGreaterThan(0);
    } finally {
      query.delete();
      tree?.delete();
      parser.delete();
    }
  });
});

function read(name: string): string {
  return readFileSync(join(here, name), 'utf8');
}

/** The tree with its comments, as the corpus writes it. */
function shapeOf(text: string): string {
  const parser = new Parser();
  parser.setLanguage(language);
  const tree = parser.parse(text);
  const shape = tree === null ? '' : nodeShape(tree.rootNode);
  tree?.delete();
  parser.delete();
  return shape;
}

function nodeShape(node: Node): string {
  const kind = node.isMissing ? `MISSING ${node.type}` : node.type;
  return `(${[kind, ...node.namedChildren.map((child) => nodeShape(child))].join(' ')})`;
}

function leavesOf(text: string): [kind: string, text: string][] {
  const result = parse(text);
  expect(result.ok).toBe(true);
  const leaves: [string, string][] = [];
  const visit = (node: Sexp): void => {
    const [kind, first, second] = node;
    if (typeof first === 'number' && typeof second === 'number') leaves.push([kind, text.slice(first, second)]);
    else for (const child of node.slice(1)) if (typeof child === 'object') visit(child);
  };
  visit(result.tree);
  return leaves.filter(([kind]) => kind !== 'cap_kind');
}
