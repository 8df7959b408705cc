/** Drawings: what they show, and that nothing in a plan can break them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planWorkflow } from '../plan/index.ts';
import { createSource, displayWidth, painter } from '../text/index.ts';
import { type Graph, type GraphNode, graphMermaid, graphOf, graphSvg, graphText } from './index.ts';

const plain = painter(false);

const head = 'name: x\nagents:\n  w:\n    type: scripted\ninput:\n  q: string\n';
const step = (id: string, prompt: string, margin = '  ') =>
  `${margin}- id: ${id}\n${margin}  agent: w\n${margin}  prompt: "${prompt}"\n${margin}  output:\n${margin}    t: string\n`;

async function graphFrom(text: string, files: Readonly<Record<string, string>> = {}): Promise<Graph> {
  const { plan, diagnostics } = await planWorkflow(createSource('x.toon', text), {
    file: '/x.toon',
    read: async (path) => {
      const found = files[path];
      return found === undefined ? { ok: false, message: `no ${path}` } : { ok: true, text: found };
    },
  });
  if (!plan) throw new Error(diagnostics.map((d) => d.message).join('\n'));
  return graphOf(plan);
}

describe('as text', () => {
  it('shows who does what, what it gives, and what it reads', async () => {
    const graph = await graphFrom(`${head}steps[2]:\n${step('a', 'A {input.q}')}${step('b', 'B {a.t}')}`);
    expect(graphText(graph, plain)).toBe(
      [
        'x  { q: string } → { t: string }',
        '├─ a  agent w  → { t: string }',
        '└─ b  agent w  → { t: string }  ← a',
        '',
      ].join('\n'),
    );
  });

  it('shows loops with their end, and what is read of the round before', async () => {
    const inner = `${step('a', 'A {b.t}', '      ')}${step('b', 'B {a.t}', '      ')}`;
    const loop = `  - kind: loop\n    id: l\n    until: "{b.t} == 'x'"\n    maxIterations: 3\n    onMaxReached: fail\n    children[2]:\n${inner}`;
    expect(graphText(await graphFrom(`${head}steps[1]:\n${loop}`), plain)).toBe(
      [
        'x  { q: string } → { t: string }',
        "└─ l  loop  until {b.t} == 'x', at most 3 rounds, else it fails",
        '   ├─ a  agent w  → { t: string }  ← ↺ b',
        '   └─ b  agent w  → { t: string }  ← a',
        '',
      ].join('\n'),
    );
  });

  it('shows arms, what runs at once, approvals, skips and limits', async () => {
    const text = `${head}steps[3]:
  - kind: parallel
    maxConcurrency: 2
    children[2]:
${step('a', 'A', '      ')}${step('b', 'B', '      ')}        timeout: 90s
        skipIf: "{input.q} == ''"
  - kind: branch
    condition: "{a.t} == 'x'"
    then[1]:
${step('c', 'C {b.t}', '      ')}    else[1]:
${step('d', 'D', '      ')}  - kind: approval
    id: ok
    request:
      title: "Go on with {a.t}?"
    onDeny: skip
`;
    expect(
      graphText(await graphFrom(text), plain)
        .split('\n')
        .slice(1),
    ).toEqual([
      '├─ parallel  at most 2 at once',
      '│  ├─ a  agent w  → { t: string }',
      "│  └─ b  agent w  skipped if {input.q} == '', within 90s  → { t: string }",
      "├─ branch    if {a.t} == 'x'  ← a",
      '│  ├─ then',
      '│  │  └─ c  agent w  → { t: string }  ← b',
      '│  └─ else',
      '│     └─ d  agent w  → { t: string }',
      '└─ ok        approval  "Go on with {a.t}?", a no skips the rest  ← a',
      '',
    ]);
  });

  it('draws sub-workflows one level deep', async () => {
    const calls = (name: string) =>
      `imports:\n  workflows[1]{from,as}:\n    ./${name}.toon,${name}\ninput:\n  q: string\nsteps[1]:\n  - kind: workflow\n    id: go\n    use: ${name}\n    input:\n      q: "{input.q}"\n`;
    const files = {
      '/y.toon': `name: y\n${calls('z')}`,
      '/z.toon': `${head}steps[1]:\n${step('a', 'A')}`,
    };
    expect(
      graphText(await graphFrom(`name: x\n${calls('y')}`, files), plain)
        .split('\n')
        .slice(1),
    ).toEqual(['└─ go  workflow y  → { t: string }', '   └─ go  workflow z  not drawn further  → { t: string }', '']);
  });
});

describe('as a picture', () => {
  it('has a box for each node, a step for each next one, and an arrow for who reads one farther away', async () => {
    const graph = await graphFrom(
      `${head}steps[3]:\n${step('a', 'A')}${step('b', 'B {a.t}')}${step('c', 'C {a.t} {b.t}')}`,
    );
    const svg = graphSvg(graph);
    expect(svg.match(/<rect class="box"/g)).toHaveLength(3);
    expect(svg.match(/class="step"/g)).toHaveLength(2);
    expect(svg.match(/class="reads"/g)).toHaveLength(1);
    expect(svg).toContain('prefers-color-scheme:dark');
    // Only browsers know variables: all else would draw black on black.
    expect(svg).not.toMatch(/var\(|--\w/);
    expect(svg).not.toMatch(/<script|href=|url\((?!#)/);
    expect(graphMermaid(graph).split('\n').slice(-4)).toEqual(['  n0 --> n1', '  n1 --> n2', '  n0 -.-> n2', '']);
  });

  it('takes many steps that all read one, which share a lane', () => {
    const nodes = Array.from({ length: 3000 }, (_, i) => leaf(`n${i}`));
    const edges = nodes.slice(1).map((node) => ({ from: 'n0', to: node.path, kind: 'reads' as const, again: false }));
    const svg = graphSvg({ name: 'x', input: 'any', result: 'any', nodes, edges });
    expect(svg.match(/class="reads"/g)).toHaveLength(2998);
    expect(Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1])).toBeLessThan(300);
  });
});

describe('whatever a plan holds', () => {
  const runs = { numRuns: process.env.TOOLANG_DEEP ? 5000 : 300 };

  it('text has one line a node, and nothing that a terminal would obey', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const text = graphText(graph, plain);
        expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2028\u2029\ufeff]/);
        const arms = count(graph.nodes, (node) => node.parts.filter((part) => part.label !== undefined).length);
        expect(text.split('\n')).toHaveLength(count(graph.nodes, () => 1) + arms + 2);
      }),
      runs,
    );
  });

  it('Mermaid has only lines that it can read, boxes that end, and links between what is there', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        expect(mermaidProblems(graphMermaid(graph))).toEqual([]);
      }),
      runs,
    );
  });

  it('SVG is well-formed, and nothing stands outside of it', () => {
    fc.assert(
      fc.property(anyGraph, (graph) => {
        const svg = graphSvg(graph);
        expect(xmlProblem(svg)).toBeUndefined();
        const [, width = 0, height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
        for (const [, x, y, w, h] of svg.matchAll(
          /<rect class="(?:box|hold)" x="([\d.-]+)" y="([\d.-]+)" width="([\d.]+)" height="([\d.]+)"/g,
        )) {
          expect(Number(x)).toBeGreaterThanOrEqual(0);
          expect(Number(x) + Number(w)).toBeLessThanOrEqual(width);
          expect(Number(y) + Number(h)).toBeLessThanOrEqual(height);
        }
        expect(svg).not.toContain('NaN');
      }),
      runs,
    );
  });

  it('texts stay inside their boxes, by a careful measure', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const svg = graphSvg({ name: 'x', input: '', result: '', nodes: [{ ...leaf('a'), notes: [text] }], edges: [] });
        const width = Number(/<rect class="box"[^>]* width="([\d.]+)" height/.exec(svg)?.[1]);
        const longest = [...svg.matchAll(/<text class="(?:note|what)" x="28"[^>]*>([^<]*)</g)]
          .map(([, inner = '']) => displayWidth(inner.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))))
          .reduce((most, each) => Math.max(most, each), 0);
        expect(longest * 8).toBeLessThanOrEqual(width - 12);
      }),
      runs,
    );
  });
});

const hard = fc.constantFrom(
  ...['"', '<', '>', '&', '#', ';', '`', '%%', '{', '}', '[', ']', '(', ')', '|', '-->', 'end', '\n', '\r', '\t', '\\'],
  ...['\0', '\x1b[31m', '\u202e', '\u2028', '\ufeff', '\ud800', '\ufffe', '日本語', '👩‍👩‍👧', 'é', '<script>', ']]>'],
  ...['x'.repeat(200)],
);
const anyText = fc.array(fc.oneof(hard, fc.string({ maxLength: 6 })), { maxLength: 5 }).map((all) => all.join(''));

function leaf(path: string): GraphNode {
  return { path, id: path, kind: 'step', what: 'run', notes: [], parts: [] };
}

interface Shape {
  readonly words: readonly string[];
  readonly kind: GraphNode['kind'];
  readonly inner: readonly Shape[];
}

const { tree } = fc.letrec<{ tree: Shape }>((tie) => ({
  tree: fc.record({
    words: fc.tuple(anyText, anyText, anyText, anyText),
    kind: fc.constantFrom<GraphNode['kind'][]>('step', 'loop', 'parallel', 'branch', 'approval', 'workflow', 'plugin'),
    inner: fc.oneof({ depthSize: 'small' }, fc.constant([]), fc.array(tie('tree'), { maxLength: 3 })),
  }),
}));

const anyGraph: fc.Arbitrary<Graph> = fc
  .tuple(fc.array(tree, { maxLength: 4 }), fc.array(fc.tuple(fc.nat(30), fc.nat(30), fc.boolean())), anyText)
  .map(([shapes, pairs, name]) => {
    let size = 0;
    const make = ({ words: [id = '', what = '', note = '', output = ''], kind, inner }: Shape): GraphNode => {
      const path = String(size++);
      const nodes = inner.map(make);
      const parts =
        kind === 'branch' && nodes.length > 1
          ? [
              { label: 'then' as const, nodes: nodes.slice(0, 1) },
              { label: 'else' as const, nodes: nodes.slice(1) },
            ]
          : [{ nodes }];
      return { path, id, kind, what, output, notes: [note], parts: nodes.length > 0 ? parts : [] };
    };
    const nodes = shapes.map(make);
    const edges = pairs.map(([from, to, again]) => ({
      from: String(from % (size + 1)),
      to: String(to % (size + 1)),
      kind: 'reads' as const,
      again,
    }));
    return { name, input: name, result: name, nodes, edges };
  });

function count(nodes: readonly GraphNode[], of: (node: GraphNode) => number): number {
  return nodes.reduce(
    (sum, node) => sum + of(node) + node.parts.reduce((all, part) => all + count(part.nodes, of), 0),
    0,
  );
}

/** The part of Mermaid that we write, by its rules. */
function mermaidProblems(text: string): string[] {
  const label = '"(?:[\\p{L}\\p{M}\\p{N} .,→…-]|#\\d+;|<br/>)*"';
  const known = new Set<string>();
  const used: string[] = [];
  const wrong: string[] = [];
  let open = 0;
  const [first, ...lines] = text.split('\n');
  if (first !== 'flowchart TB' || lines.pop() !== '') wrong.push('begin or end');
  for (const line of lines) {
    const node = new RegExp(
      `^ +(n\\d+)(?:\\(${label}\\)|\\[${label}\\]|\\[\\[${label}\\]\\]|\\{\\{${label}\\}\\})$`,
      'u',
    ).exec(line);
    const box = new RegExp(`^ +subgraph (n\\d+(?:p\\d+)?)\\[${label}\\]$`, 'u').exec(line);
    const link = /^ {2}(n\d+) (?:-->|-\.->|-\. "next round" \.->) (n\d+)$/.exec(line);
    if (box) open++;
    if (node ?? box) known.add((node ?? box)?.[1] ?? '');
    else if (link) used.push(link[1] ?? '', link[2] ?? '');
    else if (/^ +end$/.test(line)) open--;
    else if (!/^ +direction TB$/.test(line)) wrong.push(line);
  }
  if (open !== 0) wrong.push('boxes');
  return [...wrong, ...used.filter((id) => !known.has(id))];
}

/** Tags that close, attributes in quotes, no bare `&` or `<`, only characters of XML 1.0. */
function xmlProblem(text: string): string | undefined {
  const odd = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (odd) return `character ${odd[0].codePointAt(0)}`;
  const token = /<(\/?)([a-z]+)((?: [a-zA-Z:-]+="[^"<&]*")*)(\/?)>|[^<&]+|&#\d+;/y;
  const open: string[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const found = token.exec(text);
    if (!found) return `at ${JSON.stringify(text.slice(at, at + 40))}`;
    const [, close, name, , empty] = found;
    if (name === undefined || empty === '/') continue;
    if (close === '/') {
      if (open.pop() !== name) return `</${name}>`;
    } else open.push(name);
  }
  return open.length > 0 ? `<${open.join('>')}>` : undefined;
}
