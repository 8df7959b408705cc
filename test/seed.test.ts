/** The description of the language, line by line: its samples, its defaults, its rules; and how mistakes are told. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkProgram, effectiveSets, type Host, type ThunkProgram } from '../src/program/index.ts';
import { createSource, type Diagnostic, hasErrors, positionAt } from '../src/text/index.ts';
import { format, parse } from '../src/too/index.ts';
import { builtinTools } from '../src/tool/index.ts';
import { printType } from '../src/type/index.ts';

const folder = new URL('../spec/too/seed/', import.meta.url);

describe('every sample', () => {
  for (const name of readdirSync(folder)) {
    test(`${name} parses, and formats to itself`, () => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      const source = createSource(name, text);
      const { diagnostics, tokens } = parse(source);
      expect(diagnostics).toEqual([]);
      expect(format(source, tokens)).toBe(text);
    });
  }

  test('together they are a program whose only unknown names are those of the samples', () => {
    const text = ['names-and-types', 'structs', 'cap-indented', 'cap-fenced', 'templates', 'thunk']
      .map((name) => readFileSync(new URL(`${name}.too`, folder), 'utf8'))
      .join('\n');
    expect(codesOf(text)).toEqual(['TOO5224', 'TOO2901', 'TOO2105', 'TOO2107']);
    const use = 'use skill openhat/code-review\n';
    const hand = '\nthunk summarize:\n  user: {{input}}\n';
    expect(codesOf(use + text + hand)).toEqual(['TOO5224', 'TOO2901']);
  });
});

describe('rules of caps', () => {
  test('cap_shorthand must not start with . or /.', () => {
    accepts('use skill a/b\n');
    refuses('use skill ./a/b\n', 'TOO1402 1:11');
    refuses('use skill /a/b\n', 'TOO1402 1:11');
  });

  test('Indented cap properties use =.', () => {
    const { program } = check('skill a:\n  description = Review.\n  Do it.\n');
    expect(program.caps[0]).toMatchObject({ kind: 'skill', name: 'a', description: 'Review.' });
    refuses('skill a:\n  description: Review.\n  Do it.\n', 'TOO5223 2:3');
  });

  test('Markdown fenced cap properties use frontmatter key: value lines.', () => {
    const { program } = check('skill a: ```md\n---\ndescription: Review.\n---\nDo it.\n```\n');
    expect(program.caps[0]).toMatchObject({ kind: 'skill', name: 'a', description: 'Review.' });
    refuses('skill a: ```md\n---\ndescription = Review.\n---\nDo it.\n```\n', 'TOO5201 3:1');
  });

  test('+= and -= are thunk directive operators, not property operators.', () => {
    accepts('thunk:\n  tools += shell\n  tools -= web\n');
    refuses('skill a:\n  description += x\n  Do it.\n', 'TOO1501 2:15');
    refuses('skill a:\n  description -= x\n  Do it.\n', 'TOO1501 2:15');
  });
});

describe('defaults and rules of templates', () => {
  test('omitted context and instruct names default semantically to default', () => {
    const { context, instruct } = thunkOf('context:\n  Here.\ninstruct:\n  Do.\nthunk:\n');
    expect(context).toMatchObject({ from: 'template', name: 'default', text: { text: 'Here.' } });
    expect(instruct).toMatchObject({ from: 'template', name: 'default', text: { text: 'Do.' } });
    refuses('context:\n  Here.\ncontext default:\n  There.\n', 'TOO2001 3:9');
  });

  test('context and instruct do not contain properties.', () => {
    const { context } = thunkOf('context a:\n  description = x\n  Here.\nthunk:\n  context: a\n');
    expect(context).toMatchObject({ text: { text: 'description = x\nHere.' } });
    const { instruct } = thunkOf('instruct a: ```\n---\nx: y\n---\nDo.\n```\nthunk:\n  instruct: a\n');
    expect(instruct).toMatchObject({ text: { text: '---\nx: y\n---\nDo.' } });
  });

  test('Bodies may be indented or fenced.', () => {
    const indented = thunkOf('context a:\n    one\n      two\nthunk:\n  context: a\n');
    const fenced = thunkOf('context a: ```\none\n  two\n```\nthunk:\n  context: a\n');
    expect(indented.context).toMatchObject({ text: { text: 'one\n  two' } });
    expect(fenced.context).toMatchObject({ text: { text: 'one\n  two' } });
    refuses('context a: one\n', 'TOO1503 1:12');
  });

  test('Runtime uses context templates to construct the context prompt prepended to the final user message.', () => {
    const { context } = thunkOf('context a:\n  Here.\nthunk:\n  context: a\n');
    expect(context).toMatchObject({ from: 'template', name: 'a', text: { block: 'context' } });
  });

  test('Runtime uses instruct templates to construct model instructions.', () => {
    const { instruct } = thunkOf('instruct a:\n  Do.\nthunk:\n  instruct: a\n');
    expect(instruct).toMatchObject({ from: 'template', name: 'a', text: { block: 'instruct' } });
  });
});

describe('defaults of thunks', () => {
  test('omitted thunk name defaults semantically to default', () => {
    expect([...check('thunk:\n').program.thunks.keys()]).toEqual(['default']);
    refuses('thunk:\nthunk default:\n', 'TOO2001 2:7');
  });

  test('omitted parameters imply (input: Message)', () => {
    expect(signature(thunkOf('thunk:\n'))).toBe('(input: Message) -> Message');
  });

  test('empty parentheses mean no parameters', () => {
    expect(signature(thunkOf('thunk a():\n  user: hi\n'))).toBe('() -> Message');
    refuses('thunk a():\n  user: {{input}}\n', 'TOO2411 2:11');
  });

  test('omitted output type implies Message', () => {
    expect(signature(thunkOf('thunk a(x: Text):\n  user: {{x}}\n'))).toBe('(x: Text) -> Message');
    expect(signature(thunkOf('thunk a(x: Text) -> Text:\n  user: {{x}}\n'))).toBe('(x: Text) -> Text');
  });
});

describe('rules of thunks', () => {
  test('parameters require explicit types', () => {
    accepts('thunk a(path: Text):\n  user: {{path}}\n');
    refuses('thunk a(path):\n  user: {{path}}\n', 'TOO1610 1:9');
  });

  test('input is reserved and must be first when declared', () => {
    accepts('thunk a(input: Text, path: Text):\n');
    refuses('thunk a(path: Text, input: Text):\n', 'TOO2301 1:21');
    refuses('thunk a(input?: Text):\n', 'TOO2302 1:14');
  });

  test('parentheses mean exact parameters; no implicit input is added', () => {
    expect(signature(thunkOf('thunk a(path: Text):\n  user: {{path}}\n'))).toBe('(path: Text) -> Message');
    refuses('thunk a(path: Text):\n  user: {{input}}\n', 'TOO2411 2:11');
  });

  test('models and recall support only =', () => {
    accepts('thunk:\n  recall = none\n');
    expect(codesOf('thunk:\n  models = gpt-5\n')).toEqual(['TOO2901']);
    for (const op of ['+=', '-=']) {
      refuses(`thunk:\n  recall ${op} history\n`, 'TOO2101 2:10');
      refuses(`thunk:\n  models ${op} gpt-5\n`, 'TOO2101 2:10', 'TOO2901 2:13');
    }
    for (const key of ['tools', 'hands', 'handoffs', 'skills', 'services', 'psyches']) {
      for (const op of ['=', '+=', '-=']) {
        expect(codesOf(`thunk:\n  ${key} ${op} x\n`, {}), `${key} ${op}`).not.toContain('TOO2101');
      }
    }
  });

  test('runtime validation checks referenced models, caps, tools, hands, and handoffs', () => {
    const host: Host = { ...standard, models: ['gpt-5'] };
    const text = [
      'models = gpt',
      'skills = a',
      'services = b',
      'psyches = c',
      'tools = d',
      'hands = e',
      'handoffs = f',
    ];
    expect(codesOf(`thunk:\n${text.map((line) => `  ${line}\n`).join('')}`, host)).toEqual([
      'TOO2109',
      'TOO2105',
      'TOO2105',
      'TOO2105',
      'TOO2106',
      'TOO2107',
      'TOO2110',
    ]);
  });

  test('hands declares sub-thunks this thunk may call', () => {
    const { program } = check('thunk a:\n  hands = b\nthunk b:\n');
    const a = program.thunks.get('a');
    expect(a && effectiveSets(program, a, standard).hands.items.map((item) => item.name)).toEqual(['b']);
    const b = program.thunks.get('b');
    expect(b && effectiveSets(program, b, standard).hands.items).toEqual([]);
  });

  test('handoffs declares thunks this thunk may transfer control to', () => {
    const { program } = check('thunk a:\n  handoffs += b, c\n  handoffs -= c\nthunk b:\nthunk c:\n');
    const a = program.thunks.get('a');
    expect(a && effectiveSets(program, a, standard).handoffs.items.map((item) => item.name)).toEqual(['b']);
  });

  test('recall controls which retrieved message sources are prepended before thunk-local messages', () => {
    expect(thunkOf('thunk:\n  recall = memory\n').recall).toEqual(['memory']);
    refuses('thunk:\n  recall = notes\n', 'TOO2102 2:12');
  });

  test('thunk bodies contain directives, optional template blocks, and message blocks, not bare prompt text', () => {
    accepts('thunk:\n  recall = none\n  context: Here.\n  user: hi\n');
    refuses('thunk:\n  Say hi.\n', 'TOO1607 2:3');
  });

  test('one thunk may have at most one thunk-local context and at most one thunk-local instruct', () => {
    accepts('thunk:\n  context: Here.\n  instruct: Do.\n');
    accepts('thunk:\n  instruct: Do.\n  context: Here.\n');
    refuses('thunk:\n  context: Here.\n  context: There.\n', 'TOO1606 3:3');
    refuses('thunk:\n  instruct: Do.\n  instruct: Do not.\n', 'TOO1606 3:3');
  });

  test('a thunk may contain zero or more user, assistant, and tool message blocks, in declaration order', () => {
    expect(thunkOf('thunk:\n').messages).toEqual([]);
    const { messages } = thunkOf('thunk:\n  tool: a\n  user: b\n  assistant: c\n  user: d\n');
    expect(messages.map(({ role, text }) => `${role} ${text.text}`)).toEqual([
      'tool a',
      'user b',
      'assistant c',
      'user d',
    ]);
  });

  test('context and instruct values may be none, default, a named top-level template reference, inline text, an indented block, or a fenced block', () => {
    const of = (value: string) => thunkOf(`context work:\n  Here.\nthunk:\n  context:${value}\n`).context;
    expect(of(' none')).toMatchObject({ from: 'none' });
    expect(of(' default')).toMatchObject({ from: 'none' });
    expect(of(' work')).toMatchObject({ from: 'template', text: { text: 'Here.' } });
    expect(of(' Some text.')).toMatchObject({ from: 'thunk', text: { text: 'Some text.' } });
    expect(of('\n    work')).toMatchObject({ from: 'thunk', text: { text: 'work' } });
    expect(of(' ```\n  work\n  ```')).toMatchObject({ from: 'thunk', text: { text: 'work' } });
    refuses('context work:\n  Here.\nthunk:\n  context: wrok\n', 'TOO2201 4:12');
  });
});

describe('model call assembly', () => {
  test('tools is derived from available tool declarations and thunk capability directives.', () => {
    const host: Host = { ...standard, defaults: { tools: ['filesystem'] } };
    const tools = (line: string) => {
      const { program } = check(`thunk:\n  ${line}\n`);
      const thunk = program.thunks.get('default');
      return thunk ? effectiveSets(program, thunk, host).tools.items.map((item) => item.name) : [];
    };
    expect(tools('recall = none')).toEqual(['filesystem']);
    expect(tools('tools += shell')).toEqual(['filesystem', 'shell']);
    expect(tools('tools = shell')).toEqual(['shell']);
    expect(tools('tools -= filesystem')).toEqual([]);
  });

  test('recall = none disables history retrieval.', () => {
    expect(thunkOf('thunk:\n  recall = none\n').recall).toBe('none');
    refuses('thunk:\n  recall = none, history\n', 'TOO2102 2:12');
  });

  test('recall = default delegates to runtime policy.', () => {
    expect(thunkOf('thunk:\n  recall = default\n').recall).toBe('default');
    expect(thunkOf('thunk:\n').recall).toBe('default');
    refuses('thunk:\n  recall = default, memory\n', 'TOO2102 2:12');
  });

  test('recall = history, recall = memory, and recall = history, memory select explicit retrieval sources.', () => {
    expect(thunkOf('thunk:\n  recall = history\n').recall).toEqual(['history']);
    expect(thunkOf('thunk:\n  recall = memory\n').recall).toEqual(['memory']);
    expect(thunkOf('thunk:\n  recall = history, memory\n').recall).toEqual(['history', 'memory']);
  });
});

describe('mistakes', () => {
  test('ten mistakes give ten reports, each at its place, eight or more with a way out', () => {
    const text = `use skil openhat/review
struct Finding:
  path: string
  line?: Number
  note: Finding
skill search:
  description += Find things.
  Look everywhere.
thunk review(path: Text) -> Findings:
  model = gpt-5
  tools = shel
  context: workspace
  user: Review {{pth}} and {{path}}.
thunk fix:
  hands = reviw
  user: Mend what was found.
context work:
  You are in {{runtime.cwd}}.
`;
    const { diagnostics } = check(text);
    const mistakes = diagnostics.filter((d) => d.severity !== 'note');
    expect(mistakes.map(told)).toEqual([
      'TOO1401 1:5',
      'TOO1301 3:9',
      'TOO2004 5:9',
      'TOO1501 7:15',
      'TOO2002 9:29',
      'TOO1601 10:3',
      'TOO2106 11:11',
      'TOO2201 12:12',
      'TOO2411 13:18',
      'TOO2107 15:11',
    ]);
    const helped = diagnostics.filter((d) => d.fix || /Did you mean/.test(d.message + (d.help ?? '')));
    expect(helped.length).toBeGreaterThanOrEqual(8);
  });

  test('pairs of planted mistakes are both reported at their places, and nothing else is', () => {
    for (const { text, told: expected } of planted) expect(check(text).diagnostics.map(told), text).toEqual([expected]);
    expect(planted.length).toBeGreaterThanOrEqual(40);
    const wrong: string[] = [];
    for (const first of planted) {
      for (const second of planted) {
        if (first === second || !mayStandFirst(first)) continue;
        const found = check(`${good}${first.text}${second.text}`).diagnostics.map(told).sort();
        const lines = first.text.split('\n').length - 1;
        const expected = [moved(first.told, goodLines), moved(second.told, goodLines + lines)].sort();
        if (found.join() !== expected.join()) wrong.push(`${first.text}${second.text}: ${found.join(', ')}`);
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

const standard: Host = { tools: builtinTools, caps: [], hands: [], hasFile: () => false };

/** What stands above every pair. */
const good = '# good\nthunk fine(input: Text):\n  user: {{input}}\n';
const goodLines = good.split('\n').length - 1;

/** Declarations with exactly one mistake each: what is told of it, and the text. No two share a name. */
const planted = [
  ['TOO1001 2:10', 'thunk p1:\n  user: a\u0007b\n'],
  ['TOO1002 2:10', 'thunk p2:\n  user: a\rb\n'],
  ['TOO1101 1:1', 'thnuk p3:\n  user: hi\n'],
  ['TOO1101 1:1', 'agent p4:\n  user: hi\n'],
  ['TOO1104 2:3', 'use skill x/p5\n  more\n'],
  ['TOO1105 1:7', 'thunk P6:\n  user: hi\n'],
  ['TOO1106 1:9', 'thunk p7\n  user: hi\n'],
  ['TOO1107 2:11', 'struct P8:\n  a: Text Text\n'],
  ['TOO1202 2:12', 'thunk p9:\n  user: ```json\n  {}\n  ```\n'],
  ['TOO1203 2:1', 'skill p10: ```\n---\ndescription: x\nDo it.\n```\n'],
  ['TOO1301 2:6', 'struct P11:\n  a: string\n'],
  ['TOO1302 2:10', 'struct P12:\n  a: Text?\n'],
  ['TOO1303 1:1', 'struct P13:\n'],
  ['TOO1304 2:3', 'struct P14:\n  a Text\n'],
  ['TOO1401 1:5', 'use tool x/p15\n'],
  ['TOO1402 1:11', 'use skill ./p16\n'],
  ['TOO1501 2:15', 'skill p17:\n  description += x\n  Do it.\n'],
  ['TOO1503 1:14', 'context p18: Here.\n'],
  ['TOO1601 2:3', 'thunk p19:\n  temperature = 1\n'],
  ['TOO1602 2:9', 'thunk p20:\n  tools =\n'],
  ['TOO1603 2:16', 'thunk p21:\n  tools = shell,\n'],
  ['TOO1604 2:11', 'thunk p22:\n  tools = "shell"\n'],
  ['TOO1605 3:3', 'thunk p23:\n  user: hi\n  tools = shell\n'],
  ['TOO1606 3:3', 'thunk p24:\n  context: Here.\n  context: There.\n'],
  ['TOO1607 2:3', 'thunk p25:\n  Say hi.\n'],
  ['TOO1608 2:3', 'thunk p26:\n  notes: hi\n'],
  ['TOO1609 3:5', 'thunk p27:\n  user: hi\n    there\n'],
  ['TOO1610 1:11', 'thunk p28(path):\n  user: hi\n'],
  ['TOO1611 2:8', 'thunk p29:\n  tools: shell\n'],
  ['TOO2001 3:3', 'struct P30:\n  a: Text\n  a: Text\n'],
  ['TOO2002 2:6', 'struct P31:\n  a: Zebra\n'],
  ['TOO2003 1:8', 'struct Number:\n  a: Text\n'],
  ['TOO2004 2:6', 'struct P33:\n  a: P33\n'],
  ['TOO2101 2:10', 'thunk p34:\n  recall += memory\n'],
  ['TOO2102 2:12', 'thunk p35:\n  recall = everything\n'],
  ['TOO2105 2:12', 'thunk p36:\n  skills = nowhere\n'],
  ['TOO2106 2:11', 'thunk p37:\n  tools = hammer\n'],
  ['TOO2107 2:11', 'thunk p38:\n  hands = nobody\n'],
  ['TOO2108 2:11', 'thunk p39:\n  hands = p39\n'],
  ['TOO2110 2:14', 'thunk p40:\n  handoffs = nobody\n'],
  ['TOO2201 2:12', 'thunk p41:\n  context: nowhere\n'],
  ['TOO2202 1:9', 'context none:\n  Here.\n'],
  ['TOO2203 1:1', 'thunk p43():\n'],
  ['TOO2301 1:20', 'thunk p44(a: Text, input: Text):\n'],
  ['TOO2302 1:16', 'thunk p45(input?: Text):\n'],
  ['TOO2401 2:9', 'thunk p46:\n  user: {{input\n'],
  ['TOO2404 2:9', 'thunk p47:\n  user: {{#input}} hi\n'],
  ['TOO2411 2:11', 'thunk p48:\n  user: {{zebra}}\n'],
  ['TOO2412 2:19', 'thunk p49:\n  user: {{runtime.clock}}\n'],
  ['TOO2413 2:13', 'thunk p50(x: Text):\n  user: {{x.y}}\n'],
  ['TOO5223 1:7', 'skill p51:\n  Do it.\n'],
  ['TOO5303 1:11', 'use skill p52\n'],
  ['TOO1201 2:9', 'thunk p53:\n  user: ```\n  hi\n'],
].map(([expected, text]) => ({ told: expected ?? '', text: text ?? '' }));

/** A fence that is never closed ends at the next header that is right, so what follows it must be one. */
function mayStandFirst({ text }: { readonly text: string }): boolean {
  return !text.includes('p53');
}

function check(text: string, host: Host = standard) {
  return checkProgram(parse(createSource('agent.too', text)), host);
}

function codesOf(text: string, host: Host = standard): string[] {
  return check(text, host).diagnostics.map((d) => d.code);
}

function accepts(text: string): void {
  expect(check(text).diagnostics.map(told), text).toEqual([]);
}

function refuses(text: string, ...expected: string[]): void {
  const { diagnostics } = check(text);
  expect([...diagnostics.map(told)].sort(), text).toEqual([...expected].sort());
  expect(hasErrors(diagnostics)).toBe(true);
}

/** The last thunk of a program that has no error. */
function thunkOf(text: string): ThunkProgram {
  const { program, diagnostics } = check(text);
  expect(hasErrors(diagnostics), text).toBe(false);
  const thunk = [...program.thunks.values()].at(-1);
  if (!thunk) throw new Error(`no thunk in ${text}`);
  return thunk;
}

function signature(thunk: ThunkProgram): string {
  const params = thunk.params.map((p) => `${p.name}${p.optional ? '?' : ''}: ${printType(p.type)}`);
  return `(${params.join(', ')}) -> ${printType(thunk.output)}`;
}

function told(d: Diagnostic): string {
  const { line, column } = positionAt(d.source, d.span.start);
  return `${d.code} ${line}:${column}`;
}

function moved(place: string, lines: number): string {
  const [code, line, column] = place.split(/[ :]/);
  return `${code} ${Number(line) + lines}:${column}`;
}
