import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, rangeOf } from '../text/index.ts';
import type { Cap } from '../too/index.ts';
import { type CapKind, capKinds, isOneOf, parse } from '../too/index.ts';
import { splitCapFile } from './split.ts';
import { type ValidatedCap, type ValidateOptions, validateCapFile, validateInlineCap } from './validate.ts';

function file(kind: CapKind, text: string, options?: ValidateOptions, name = 'thing'): ValidatedCap {
  return validateCapFile(kind, name, createSource(`${name}.md`, text), options);
}

function inline(text: string): ValidatedCap {
  const source = createSource('agent.too', text);
  const parsed = parse(source);
  const cap = parsed.program.items.find((item): item is Cap => isOneOf(item.kind, capKinds));
  if (!cap) throw new Error('no cap in the text');
  return validateInlineCap(source, cap);
}

/** `code line:column "what is under it"`. */
function problems(result: ValidatedCap): string[] {
  return result.diagnostics.map((d) => {
    const { start } = rangeOf(d.source, d.span);
    return `${d.code} ${start.line}:${start.column} ${d.source.text.slice(d.span.start, d.span.end)}`;
  });
}

function fixed(kind: CapKind, text: string): string {
  return applyEdits(
    text,
    file(kind, text).diagnostics.flatMap((d) => d.fix?.edits ?? []),
  ).text;
}

const http = '---\ndescription: d\ntransport: http\ntarget: https://x.y/mcp\n---\n';
const stdio = (target: string, more = '') => `---\ndescription: d\ntransport: stdio\ntarget: ${target}\n${more}---\n`;

describe('splitCapFile', () => {
  const split = (text: string) => {
    const { frontmatter, body, diagnostics } = splitCapFile(createSource('x.md', text));
    return [
      frontmatter && text.slice(frontmatter.start, frontmatter.end),
      text.slice(body.start, body.end),
      diagnostics.length,
    ];
  };

  test.each([
    ['---\na: 1\n---\nbody', 'a: 1\n', 'body', 0],
    ['\ufeff---\r\na: 1\r\n---  \r\nbody\r\n', 'a: 1\r\n', 'body\r\n', 0],
    ['---\n---', '', '', 0],
    ['no frontmatter\n---\n', undefined, 'no frontmatter\n---\n', 0],
    ['\n---\na: 1\n---\n', undefined, '\n---\na: 1\n---\n', 0],
    ['----\na\n---\n', undefined, '----\na\n---\n', 0],
    ['---\na: 1\nbody', undefined, 'a: 1\nbody', 1],
    ['---', undefined, '', 1],
    ['', undefined, '', 0],
    ['---\na: 1\n ---\n---\nb\n---\nc', 'a: 1\n ---\n', 'b\n---\nc', 0],
  ])('%j', (text, frontmatter, body, errors) => {
    expect(split(text)).toEqual([frontmatter, body, errors]);
  });
});

describe('psyches and prompts', () => {
  test('have free frontmatter', () => {
    const text = '---\nanything: goes\ndeep:\n  - a:\n      b: c\n---\n\nBe calm.\r\n\r\nAlways.\n\n';
    expect(file('psyche', text)).toMatchObject({
      cap: { kind: 'psyche', name: 'thing', body: 'Be calm.\n\nAlways.', properties: { anything: 'goes' } },
      diagnostics: [],
    });
    expect(file('prompt', '---\ndescription: d\n---\nHi {{input}}').cap).toMatchObject({
      description: 'd',
      body: 'Hi {{input}}',
    });
    expect(file('prompt', 'Just text').cap).toMatchObject({ body: 'Just text', properties: {} });
  });

  test('warn when they say nothing, and are wrong when their frontmatter cannot be read', () => {
    expect(problems(file('psyche', '---\na: 1\n---\n \n'))).toEqual(['TOO5235 1:1 ---']);
    expect(file('psyche', '').cap).toBeDefined();
    expect(problems(file('prompt', '---\na: "\n---\ntext'))).toEqual(['TOO5204 2:4 "']);
    expect(problems(file('prompt', '---\na: 1\ntext'))).toEqual(['TOO5208 1:1 ---']);
    expect(problems(file('prompt', '---\na: \u0007x\n---\ntext'))).toEqual(['TOO5201 2:4 \u0007']);
  });

  test('a file must have a name that agents can use', () => {
    expect(problems(file('psyche', 'x', {}, 'my psyche'))).toEqual(['TOO5233 1:1 ']);
    expect(file('psyche', 'x', {}, 'Code-Review_2.1').diagnostics).toEqual([]);
  });
});

describe('skills', () => {
  test('are a description and instructions', () => {
    expect(file('skill', '---\ndescription: Trigger: for code review.\n---\n# Code Review\n')).toMatchObject({
      cap: { kind: 'skill', description: 'Trigger: for code review.', body: '# Code Review', form: 'file', extra: {} },
      diagnostics: [],
    });
    expect(inline('skill reviewer:\n  description = Review source changes.\n\n  Report issues.\n')).toMatchObject({
      cap: {
        kind: 'skill',
        name: 'reviewer',
        form: 'inline',
        description: 'Review source changes.',
        body: 'Report issues.',
      },
      diagnostics: [],
    });
    expect(inline('skill r: ```md\n  ---\n  description: d # c\n  ---\n  Text.\n  ```\n')).toMatchObject({
      cap: { description: 'd', body: 'Text.' },
      diagnostics: [],
    });
  });

  test.each([
    ['no frontmatter', 'text', ['TOO5209 1:1 ']],
    ['no description', '---\n# none\n---\ntext', ['TOO5223 1:1 ---']],
    ['an empty description', '---\ndescription:\n---\ntext', ['TOO5225 2:1 description']],
    ['a description of blanks', '---\ndescription: "  "\n---\ntext', ['TOO5225 2:14 "  "']],
    ['a list for description', '---\ndescription: [a]\n---\ntext', ['TOO5206 2:14 [a]']],
    ['no body', '---\ndescription: d\n---\n\n', ['TOO5226 1:1 ---']],
    ['an unknown field', '---\ndescription: d\nversion: 1\n---\ntext', ['TOO5220 3:1 version']],
    ['a misspelt field', '---\ndescripton: d\n---\ntext', ['TOO5220 2:1 descripton']],
    [
      'fields of the standard',
      '---\nname: thing\ndescription: d\nlicense: MIT\nmetadata:\n  a: b\nallowed-tools: x\ncompatibility: y\n---\ntext',
      [
        'TOO5222 2:1 name',
        'TOO5221 4:1 license',
        'TOO5221 5:1 metadata',
        'TOO5221 7:1 allowed-tools',
        'TOO5221 8:1 compatibility',
      ],
    ],
    ['an unread line, and no more', '---\nwords\n---\n', ['TOO5201 2:1 words']],
  ])('%s', (_, text, expected) => {
    const result = file('skill', text);
    expect(problems(result)).toEqual(expected);
    expect(result.cap).toBeUndefined();
  });

  test('the fixes make a skill of the standard one of ours', () => {
    const text = '---\nname: thing\ndescription: d\nmetadata:\n  a: b\n---\ntext';
    expect(fixed('skill', text)).toBe('---\ndescription: d\n---\ntext');
    expect(file('skill', fixed('skill', '---\ndescripton: d\n---\ntext')).diagnostics).toEqual([]);
  });

  test('says that frontmatter must begin on the first line', () => {
    expect(file('skill', '\n---\ndescription: d\n---\ntext').diagnostics[0]?.help).toContain('first line');
  });

  test('a remote one may carry the fields of the standard, and must keep its name', () => {
    const text = '---\nname: thing\ndescription: a\n  b\nlicense: MIT\nmetadata:\n  a: b\nversion: 2\n---\ntext';
    const result = file('skill', text, { origin: 'remote' });
    expect(result.cap).toMatchObject({
      description: 'a b',
      extra: { name: 'thing', license: 'MIT', metadata: { a: 'b' }, version: '2' },
    });
    expect(problems(result)).toEqual(['TOO5237 8:1 version']);
    expect(problems(file('skill', text, { origin: 'remote' }, 'other'))).toEqual([
      'TOO5236 2:7 thing',
      'TOO5237 8:1 version',
    ]);
  });
});

describe('services', () => {
  test('http, with headers that name variables', () => {
    const text = `---
description: Trigger this service when the agent needs GitHub operations.
transport: http
target: https://mcp.github.com/mcp
headers:
  Authorization: Bearer $GITHUB_TOKEN
  X-Price: "5$ \${A_1}$GITHUB_TOKEN"
env: B, A_1
---
Use this service.`;
    expect(file('service', text)).toMatchObject({
      cap: {
        transport: 'http',
        target: 'https://mcp.github.com/mcp',
        headers: { Authorization: 'Bearer $GITHUB_TOKEN', 'X-Price': '5$ ${A_1}$GITHUB_TOKEN' },
        env: ['B', 'A_1'],
        requires: ['B', 'A_1', 'GITHUB_TOKEN'],
        body: 'Use this service.',
      },
      diagnostics: [],
    });
  });

  test('stdio, split as a shell would', () => {
    expect(file('service', stdio("uvx 'my server' -x", 'env: API_TOKEN, OTHER\n'))).toMatchObject({
      cap: {
        transport: 'stdio',
        argv: ['uvx', 'my server', '-x'],
        env: ['API_TOKEN', 'OTHER'],
        requires: ['API_TOKEN', 'OTHER'],
        body: '',
      },
      diagnostics: [],
    });
    expect(file('service', stdio('x', 'env:\n  - A\n  - B\n')).cap).toMatchObject({ env: ['A', 'B'] });
  });

  test('inline, in both syntaxes', () => {
    const text =
      'service github:\n  description = d\n  transport = http\n  target = https://x.y/mcp\n  headers = Authorization: Bearer $TOKEN, Accept: a/b, c/d, X-A: http://z\n  env = B\n\n  Text.\n';
    expect(inline(text)).toMatchObject({
      cap: {
        headers: { Authorization: 'Bearer $TOKEN', Accept: 'a/b, c/d', 'X-A': 'http://z' },
        requires: ['B', 'TOKEN'],
        body: 'Text.',
      },
      diagnostics: [],
    });
    const fenced = inline(
      'service github: ```md\n---\ntransport: http\ntarget: https://mcp.github.com/mcp\n---\nUse this service.\n```\n',
    );
    expect(fenced.cap).toMatchObject({ transport: 'http', body: 'Use this service.' });
    expect(problems(fenced)).toEqual(['TOO5224 1:9 github']);
    expect(fenced.diagnostics[0]?.severity).toBe('warning');
  });

  test.each(['filesystem', 'shell', 'web', 'skill'])('warns of the name of a built-in set: %s', (name) => {
    const named = (word: string) =>
      inline(`service ${word}:\n  description = d\n  transport = http\n  target = https://x.y/mcp\n\n  Text.\n`);
    expect(problems(named(name))).toEqual([`TOO5238 1:9 ${name}`]);
    expect(named(name).cap).toBeDefined();
    expect(problems(named(`${name}s`))).toEqual([]);
  });

  test.each([
    ['no frontmatter', 'text', ['TOO5209 1:1 ']],
    ['nothing', '---\n---\n', ['TOO5223 1:1 ---', 'TOO5223 1:1 ---', 'TOO5223 1:1 ---']],
    ['no description', http.replace('description: d\n', ''), ['TOO5223 1:1 ---']],
    ['a name', http.replace('---\n', '---\nname: x\n'), ['TOO5222 2:1 name']],
    ['an unknown field', http.replace('---\n', '---\nurl: x\n'), ['TOO5220 2:1 url']],
    ['an unknown transport', http.replace('http\n', 'sse\n'), ['TOO5227 3:12 sse']],
    ['a command for http', http.replace('https://x.y/mcp', 'uvx thing'), ['TOO5228 4:9 uvx thing']],
    ['another scheme', http.replace('https:', 'ws:'), ['TOO5228 4:9 ws://x.y/mcp']],
    ['no host', http.replace('x.y/mcp', ''), ['TOO5228 4:9 https://']],
    ['a password', http.replace('x.y', 'u:p@x.y'), ['TOO5228 4:9 https://u:p@x.y/mcp']],
    ['an address for stdio', stdio('https://x.y'), ['TOO5229 4:9 https://x.y']],
    ['an open quote', stdio("uvx 'x"), ["TOO5229 4:13 '"]],
    ['a variable first', stdio('A=1 uvx'), ['TOO5229 4:9 A=1']],
    ['headers for stdio', stdio('x', 'headers:\n  A: b\n'), ['TOO5230 5:1 headers']],
    ['no shell', stdio('x $A | y'), ['TOO5234 4:11 $A', 'TOO5234 4:14 |']],
    ['a bad header name', http.replace('---\nd', '---\nheaders:\n  "A B": c\nd'), ['TOO5231 3:3 "A B"']],
    ['a header twice', http.replace('---\nd', '---\nheaders:\n  Ab: c\n  aB: d\nd'), ['TOO5231 4:3 aB']],
    ['an empty header', http.replace('---\nd', '---\nheaders:\n  A:\nd'), ['TOO5225 3:3 A']],
    [
      'a header of lines',
      http.replace('---\nd', '---\nheaders:\n  A: |\n    x\n    y\nd'),
      ['TOO5231 3:6 |\n    x\n    y'],
    ],
    ['a header no wire carries', http.replace('---\nd', '---\nheaders:\n  A: 😀\nd'), ['TOO5231 3:6 😀']],
    ['an open variable', http.replace('---\nd', '---\nheaders:\n  A: x ${B\nd'), ['TOO5232 3:8 ${']],
    ['headers as text', http.replace('---\nd', '---\nheaders: A b\nd'), ['TOO5206 2:10 A b']],
    ['headers as a list', http.replace('---\nd', '---\nheaders: [A]\nd'), ['TOO5206 2:10 [A]']],
    ['empty headers', http.replace('---\nd', '---\nheaders:\nd'), ['TOO5225 2:1 headers']],
    [
      'headers that lost their indent',
      http.replace('---\nd', '---\nheaders:\nAuthorization: x\nd'),
      ['TOO5225 2:1 headers', 'TOO5220 3:1 Authorization'],
    ],
    [
      'values in env',
      stdio('x', 'env: A=1, $B, 2C,, D\n'),
      ['TOO5232 5:6 A=1', 'TOO5232 5:11 $B', 'TOO5232 5:15 2C', 'TOO5232 5:18 '],
    ],
    ['a map in env', stdio('x', 'env:\n  A: 1\n'), ['TOO5206 6:3 A: 1']],
    ['an empty env', stdio('x', 'env: []\n'), ['TOO5225 5:6 []']],
    [
      'all at once',
      '---\ntransport: carrier-pigeon\nenv: "$A"\nfoo: x\n---\n',
      ['TOO5223 1:1 ---', 'TOO5223 1:1 ---', 'TOO5227 2:12 carrier-pigeon', 'TOO5232 3:6 "$A"', 'TOO5220 4:1 foo'],
    ],
  ])('%s', (_, text, expected) => {
    expect(problems(file('service', text))).toEqual(expected);
  });

  test.each([
    http.replace('http\n', 'https\n'),
    http.replace('description', 'desciption'),
    stdio('x', 'headers:\n  A: b\n'),
    stdio('x', 'env: $A, B=1\n'),
    http.replace('---\nd', '---\nheaders:\nAuthorization: x\nd'),
  ])('a fix mends it: %#', (text) => {
    expect(problems(file('service', fixed('service', text)))).toEqual([]);
  });

  test('inline mistakes have their places', () => {
    expect(
      problems(inline('service s:\n  transport = http\n  target = x\n  target = y\n  headers = nothing\n  foo = 1\n')),
    ).toEqual(['TOO5224 1:9 s', 'TOO5228 3:12 x', 'TOO5202 4:3 target', 'TOO5231 5:13 nothing', 'TOO5220 6:3 foo']);
    const margin = inline('service s: ```md\n  ---\n  transport: htp\n  headers:\n    A B: c\n  ---\n  ```\n');
    expect(problems(margin)).toEqual(['TOO5224 1:9 s', 'TOO5223 1:9 s', 'TOO5227 3:14 htp', 'TOO5231 5:5 A B']);
  });

  test('what could not be read is not reported as missing too', () => {
    expect(problems(inline('service s: ```md\n---\ntransport: http\n```\n'))).toEqual([]);
    expect(problems(inline('skill s:\n  description =\n  text\n'))).toEqual([]);
  });
});
