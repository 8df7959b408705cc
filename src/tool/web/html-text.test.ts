import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMs } from '../../../test/cpu.ts';
import { decodeEntities } from './entities.ts';
import { htmlText } from './html-text.ts';

const text = (html: string) => htmlText(html, 'https://example.com/docs/').text;

test.each([
  ['<p>one</p><p>two</p>', 'one\n\ntwo'],
  ['one\n  two   <b>three</b>,four', 'one two three,four'],
  ['a<br>b<br/><br>c', 'a\nb\n\nc'],
  ['<h1>Title</h1>text<h2>Sub</h2>more', '# Title\n\ntext\n\n## Sub\n\nmore'],
  ['<ul><li>a<li>b<ul><li>c</ul></ul>d', '- a\n- b\n  - c\n\nd'],
  ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
  ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a | b\n1 | 2'],
  ['<pre>  x\n   y\n</pre>z', '```\n  x\n   y\n```\n\nz'],
  [
    '<a href="x.html">see</a> <a href="#top">up</a> <a href="javascript:x()">no</a>',
    '[see](https://example.com/docs/x.html) up no',
  ],
  ['<base href="https://other.example/"><a href=y>y</a>', '[y](https://other.example/y)'],
  ['<a href=/a>one <a href=/b>two</a>', '[one](https://example.com/a) [two](https://example.com/b)'],
  ['<img alt="a  cat" src=x><img src=y>', '[image: a cat]'],
  ['x<script>if (a < b) { "</p>" }</script>y', 'xy'],
  ['x<SCRIPT>var a = "<p>"</ScRiPt >y', 'xy'],
  ['x<style>p { color: red }</style><!-- no --><?php no ?><!doctype x>y', 'xy'],
  ['x<script>never closed', 'x'],
  ['x<!-- never closed', 'x'],
  ['<svg><svg><text>no</text></svg>no</svg>yes', 'yes'],
  ['<head><title>T</title><meta></head><body>b', 'b'],
  ['<head><body>b', 'b'],
  ['1 < 2 && 3 > 2 <3', '1 < 2 && 3 > 2 <3'],
  ['&lt;p&gt; &amp;amp; &eacute; &#233; &#xe9; &#150; &nosuch; &hellip', '<p> &amp; é é é – &nosuch; …'],
  ['<p title="a > b">c</p>', 'c'],
  ["<p title='x' hidden class=a/b>c", 'c'],
  ['<blockquote>wise</blockquote>', '> wise'],
  ['a<hr>b', 'a\n\n---\n\nb'],
  ['<a href="x">', ''],
  ['<', '<'],
  ['</', '</'],
  ['<a', ''],
  ['', ''],
])('%s', (html, expected) => {
  expect(text(html)).toBe(expected);
});

test('has its title', () => {
  expect(htmlText('<title>A &amp;\n B</title><svg><title>no</title></svg>', 'https://a.example/').title).toBe('A & B');
});

test('entities beyond all characters are marked', () => {
  expect(decodeEntities('&#0;&#xd800;&#x110000;&#9999999;')).toBe('\ufffd\ufffd\ufffd\ufffd');
});

test('whatever comes in, it ends, and no script comes out', () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '</',
    'a',
    ' ',
    '"',
    "'",
    '=',
    '<p>',
    '</p>',
    '<a href=',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '&amp;',
    '&#',
    ';',
    '<li>',
    '<ul>',
    '</ul>',
    '<pre>',
    '</pre>',
    '<td>',
    '<svg>',
    '</svg>',
    '\u0000',
    '🚀',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const html = `${pieces.join('')}<script>EVIL</script>`;
      expect(typeof text(html)).toBe('string');
      if (!pieces.some((each) => /[<"'=]/.test(each))) expect(text(html)).not.toContain('EVIL');
    }),
    { numRuns: 1500 },
  );
});

test.each([
  '<a href="',
  '<!--',
  '<script>',
  '<',
  '<p ',
  '<a b=',
  '&',
  '<svg>',
  '<ul><li>',
  '<pre>',
  '</',
  '<title>',
  '<a href=x>',
  '<td>',
  '"<',
  '<meta charset',
])('%s a hundred thousand times takes little time', (piece) => {
  const start = cpuMs();
  text(piece.repeat(100_000));
  expect(cpuMs() - start).toBeLessThan(3000);
});
