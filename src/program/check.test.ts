import { describe, expect, it } from 'vitest';
import { createSource, positionAt } from '../text/index.ts';
import { builtinTools } from '../tool/index.ts';
import { checkSource } from './check.ts';
import type { Host } from './host.ts';

const host: Host = { tools: builtinTools, caps: [], hands: [], hasFile: (name) => name === './release.toon' };

function found(text: string, given: Host = host): string[] {
  const source = createSource('a.too', text);
  return checkSource(source, given).diagnostics.map((d) => {
    const { line, column } = positionAt(source, d.span.start);
    return `${line}:${column} ${d.code}`;
  });
}

function messages(text: string, given: Host = host): string[] {
  return checkSource(createSource('a.too', text), given).diagnostics.map((d) => d.message);
}

describe('names', () => {
  it('may be used before they are declared', () => {
    expect(
      found(
        'thunk a() -> B:\n  hands = c\n  context: d\n  user: x\nthunk c():\n  user: x\ncontext d:\n  x\nstruct B:\n  e: B[]\n',
      ),
    ).toEqual([]);
  });

  it('declared twice are reported at the second, pointing at the first', () => {
    const text = 'struct A:\n  a: Text\n  a: Text\nstruct A:\n  b: Text\n';
    expect(found(text)).toEqual(['3:3 TOO2001', '4:8 TOO2001']);
    const [field] = checkSource(createSource('a.too', text)).diagnostics;
    expect(field?.related.map((r) => r.message)).toEqual(['first declared here']);
  });

  it('of a use and of an inline cap may be the same', () => {
    expect(found('use skill a/b\nskill b:\n  description = x\n  y\n')).toEqual([]);
  });

  it('of two uses of one kind may not', () => {
    expect(found('use skill a/b\nuse skill c/b\nuse prompt c/b\n')).toEqual(['2:11 TOO2001']);
  });

  it('of two uses of one kind may not differ in letter case alone', () => {
    expect(found('use prompt a/GO\nuse prompt b/go\nprompt go:\n  x\n')).toEqual(['2:12 TOO5241']);
  });

  it('that are broken cause no second error', () => {
    expect(found('struct review:\n  a: Text\nthunk a(input: Message) -> Review:\n  user: x\n')).toEqual([
      '1:8 TOO1105',
    ]);
    expect(found('thunk -a:\nthunk a:\n')).toEqual(['1:7 TOO1105']);
  });

  it('that are broken hide no other mistake', () => {
    expect(found('thunk a(x: string):\n  user: {{x.y}}\n')).toEqual(['1:12 TOO1301', '2:13 TOO2413']);
  });
});

describe('a host', () => {
  it('that is not given leaves a note of what was not checked, once', () => {
    const text = 'thunk:\n  models = m\n  tools = t\n  skills = s\n  hands = h, ./w.toon\n';
    expect(messages(text, {})).toEqual([
      'not checked here: models (m); tools (t); skills (s); hands (h); workflows (./w.toon).',
    ]);
  });

  it('that knows the models makes an unknown one an error', () => {
    expect(found('thunk:\n  models = gpt-4, gpt-5\n', { ...host, models: ['gpt-5'] })).toEqual(['2:12 TOO2109']);
  });

  it('brings caps, hands and workflow files', () => {
    const wide: Host = { ...host, caps: [{ kind: 'skill', name: 's', scope: 'root' }], hands: ['release'] };
    expect(found('thunk:\n  skills = s\n  hands = release, ./release.toon\n', wide)).toEqual([]);
    expect(found('thunk:\n  hands = ./other.toon\n', wide)).toEqual(['2:11 TOO2107']);
  });

  it('with a service makes its tools possible', () => {
    const text =
      'service gh:\n  description = x\n  transport = http\n  target = https://x.dev/mcp\n  y\nthunk:\n  tools = gh, gh/any, filesystem/read\n';
    expect(found(text)).toEqual([]);
    expect(found('thunk:\n  tools = filesystem/reed\n')).toEqual(['2:11 TOO2106']);
  });
});

describe('"none"', () => {
  it.each([
    ['tools', 'To have no tools, take away what there is: "tools -= filesystem".'],
    ['hands', 'Remove the line: without it there are no hands.'],
    ['handoffs', 'Remove the line: without it there are no handoffs.'],
    ['psyches', 'To have none of them, take them away by their names: "psyches -= calm".'],
    ['skills', 'Remove the line: there are no skills.'],
  ])('is no name in "%s", and how to have nothing is said', (key, help) => {
    const text = `psyche calm:\n  Be calm.\nthunk:\n  ${key} = none\nthunk other:\n  user: x\n`;
    const { diagnostics } = checkSource(createSource('a.too', text), host);
    expect(diagnostics.map((each) => each.help)).toEqual([help]);
  });
});

describe('templates', () => {
  it('are checked for each thunk that uses them, at their own place', () => {
    const text = 'instruct default:\n  Be {{tone}}.\nthunk a(tone: Text):\n  user: x\nthunk b():\n  user: x\n';
    const [d] = checkSource(createSource('a.too', text), host).diagnostics;
    expect(found(text)).toEqual(['2:8 TOO2411']);
    expect(d?.related.map((r) => r.message)).toEqual(['thunk "b" uses this template']);
  });

  it('know the fields of structs', () => {
    const text =
      'struct A:\n  path: Text\nthunk a(x: A, xs: A[]):\n  user:\n    {{x.path}} {{x.pat}}\n    {{#xs}}{{path}}{{/xs}}\n    {{runtime.date}} {{runtime.dat}}\n';
    expect(found(text)).toEqual(['5:20 TOO2412', '7:32 TOO2412']);
  });

  it('of prompts take any name; other caps are no templates', () => {
    expect(found('prompt p:\n  {{anything}} {{input}}\npsyche q:\n  {{ broken\n')).toEqual([]);
    expect(found('prompt p:\n  {{open\n')).toEqual(['2:3 TOO2401']);
  });

  it('map to the right column below tabs, fences and CRLF', () => {
    expect(found('thunk a():\r\n\tuser:\r\n\t\tone {{x}}\r\n')).toEqual(['3:9 TOO2411']);
    expect(found('thunk a():\n  user: ```\n    one\n      {{x}}\n    ```\n')).toEqual(['4:9 TOO2411']);
  });
});

describe('thunks', () => {
  it('without input, user text and context have nothing to send', () => {
    expect(found('thunk a():\n  assistant: x\n')).toEqual(['1:1 TOO2203']);
    expect(found('context default:\n  x\nthunk a():\n  assistant: x\n')).toEqual([]);
  });

  it('cannot be their own hand or handoff', () => {
    expect(found('thunk a:\n  hands = a\n  handoffs = a\n')).toEqual(['2:11 TOO2108', '3:14 TOO2108']);
    expect(found('thunk:\n  hands = default\n')).toEqual(['2:11 TOO2108']);
  });

  it('suggest the name that was meant', () => {
    expect(messages('thunk a:\n  hands = summarise\nthunk summarize:\n')).toEqual([
      'unknown hand "summarise". Did you mean "summarize"?',
    ]);
  });
});

describe('types', () => {
  it('may contain themselves through an optional field or an array only', () => {
    expect(found('struct A:\n  a?: A\n  b: A[]\n')).toEqual([]);
    expect(found('struct A:\n  b: B\nstruct B:\n  a: A\n')).toEqual(['4:6 TOO2004']);
    expect(found('struct A:\n  a: A\n')).toEqual(['2:6 TOO2004']);
  });

  it('nested deeper than values can be read are refused', () => {
    expect(found(`struct A:\n  a: Text${'[]'.repeat(10_000)}\n`)).toEqual(['2:6 TOO2005']);
    expect(found('struct A:\n  a: Text[][][]\n')).toEqual([]);
  });
});
