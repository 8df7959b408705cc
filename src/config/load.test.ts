import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, rangeOf } from '../text/index.ts';
import { describeConfig } from './describe.ts';
import { loadConfig } from './load.ts';
import { defaultSettings, mergeConfig } from './merge.ts';

function load(text: string) {
  return loadConfig(createSource('config.toml', text));
}

/** `code line:column message` of each diagnostic. */
function problems(text: string): string[] {
  return load(text).diagnostics.map((d) => {
    const { start } = rangeOf(d.source, d.span);
    return `${d.code} ${start.line}:${start.column} ${d.message}`;
  });
}

/** The text under the first diagnostic. */
function under(text: string): string | undefined {
  const [d] = load(text).diagnostics;
  return d && text.slice(d.span.start, d.span.end);
}

const everything = `# all of it
[models]
default = ["fast", 'anthropic/x'] # in order
[models.aliases.fast]
ref = "qwen"
provider = "openai-compatible"
endpoint = "http://localhost:8080/v1"
key_env = "KEY"
tools = "text"
headers = { Authorization = "Bearer $KEY" }
[tools]
default = ["filesystem", "shell"]
[permissions]
deny = ["shell(rm *)"]
allow = ["filesystem", "github/*", "shell(git (status|log))"]
ask = []
[sandbox]
shell = "os"
[limits]
usd = 0.5
tokens = 100_000
minutes = 1.5
[skills]
reviewer = { ref = "github://acme/agents/skills/reviewer@main" }
[services.github]
ref = "acme/github"
[hands]
release = "./release.toon"
[runs]
keep_days = 30
[backend]
url = "restate://host:9070"
history = "postgres://host/db"
[server]
port = 8080
host = "::1"
`;

describe('a right config', () => {
  test('gives its values and where they stand', () => {
    const { layer, diagnostics } = load(everything);
    expect(diagnostics).toEqual([]);
    expect(layer.config.models).toEqual({
      default: ['fast', 'anthropic/x'],
      aliases: {
        fast: {
          ref: 'qwen',
          provider: 'openai-compatible',
          endpoint: 'http://localhost:8080/v1',
          key_env: 'KEY',
          tools: 'text',
          headers: { Authorization: 'Bearer $KEY' },
        },
      },
    });
    expect(layer.config.services?.github?.ref).toBe('acme/github');
    const place = layer.places.get('limits.usd');
    expect(place && everything.slice(place.value.start, place.value.end)).toBe('0.5');
    expect(load('').diagnostics).toEqual([]);
    expect(load(`\ufeff${everything.replaceAll('\n', '\r\n')}`).diagnostics).toEqual([]);
  });

  test('the documented example is one', () => {
    const page = describeConfig();
    const example = /```toml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(problems(example)).toEqual([]);
    for (const table of ['models', 'models.aliases.NAME', 'limits', 'skills', 'hands', 'server']) {
      expect(page).toContain(`## \`[${table}]\``);
    }
    expect(page).toContain('| `usd` | number, 0 or more | `1` |');
    expect(page).not.toMatch(/undefined|\n\n\n/);
  });
});

describe('a wrong config', () => {
  test('every mistake is reported at once, at its place', () => {
    expect(
      problems(`[modles]
x = 1
[models]
defualt = ["a"]
default = "gpt"
[sandbox]
shell = "oss"
[limits]
usd = -1
tokens = 1.5
depth = true
[server]
port = 70000
host = ""
[permissions]
deny = ["shell(git *", "(x)", "shell()"]
[skills]
a = { ref = "" }
b = {}
c = "acme/x"
"d e" = { ref = "acme/d", rev = "1" }
[models.aliases.x]
ref = "m"
key_env = "$KEY"
`),
    ).toEqual([
      'TOO5103 1:2 config.toml has no key "modles". Did you mean "models"?',
      'TOO5103 4:1 [models] has no key "defualt". Did you mean "default"?',
      'TOO5104 5:11 "models.default" takes a list, not one text.',
      'TOO5105 7:9 "sandbox.shell" is one of "none", "os", not "oss". Did you mean "os"?',
      'TOO5106 9:7 "limits.usd" is a number 0 or more.',
      'TOO5104 10:10 "limits.tokens" is a whole number 0 or more.',
      'TOO5104 11:9 "limits.depth" takes a whole number, not true.',
      'TOO5106 13:8 "server.port" is a whole number from 1 to 65535.',
      'TOO5109 14:8 "server.host" is empty.',
      'TOO5108 16:9 "permissions.deny" holds "shell(git *", whose parenthesis is not closed at its end.',
      'TOO5108 16:24 "permissions.deny" holds "(x)", which does not begin with the name of a tool.',
      'TOO5108 16:31 "permissions.deny" holds "shell()", whose pattern is empty.',
      'TOO5109 18:13 "skills.a.ref" is empty.',
      'TOO5110 19:1 "skills.b" has no "ref".',
      'TOO5104 20:5 "skills.c" takes a table, not a text.',
      'TOO5107 21:1 "d e" is not a name that agents can use.',
      'TOO5103 21:27 [skills."d e"] has no key "rev". Did you mean "ref"?',
      'TOO5109 24:11 "models.aliases.x.key_env" is not the name of an environment variable.',
    ]);
  });

  test.each([
    ['models = 1', '1'],
    ['[[skills]]\nref = "x"', '[[skills]]\nref = "x"'],
    ['skills = { a = { ref = 2020-01-01 } }', '2020-01-01'],
    ['limits.usd = inf', 'inf'],
    ['limits.tokens = 99999999999999999999', '99999999999999999999'],
    ['[permissions]\nask = [["x"]]', '["x"]'],
    ['usd = 1', 'usd'],
    ['"__proto__" = { x = 1 }', '"__proto__"'],
    ['[skills]\n"constructor " = { ref = "a/b" }', '"constructor "'],
    ['backend.url = "nowhere"', '"nowhere"'],
  ])('%j points at the wrong part', (text, part) => {
    expect(under(text)).toBe(part);
  });

  test('names the table a key belongs to', () => {
    expect(load('usd = 1').diagnostics[0]?.help).toBe('There is a "usd" in [limits].');
  });

  test('fixes mend what they say', () => {
    for (const text of ['[modles]\n', '[tools]\ndefault = "shell"\n', '[sandbox]\nshell = "oss"\n']) {
      const edits = load(text).diagnostics.flatMap((d) => d.fix?.edits ?? []);
      expect(problems(applyEdits(text, edits).text)).toEqual([]);
    }
  });

  test('keys written twice are all reported, with the first ones, and the rest is still read', () => {
    const text = `[limits]\nusd = 1\nusd = 2\n[skills]\na = { ref = "x/y", ref = "z/z" }\n[limits]\ntokens = "x"\n"usd" = 3\n`;
    expect(problems(text)).toEqual([
      'TOO5102 3:1 "usd" is written twice.',
      'TOO5102 5:20 "ref" is written twice.',
      'TOO5102 6:2 "limits" is written twice.',
      'TOO5104 7:10 "limits.tokens" takes a whole number, not a text.',
    ]);
    const [first] = load(text).diagnostics;
    expect(first?.related[0]?.span).toEqual({ start: 9, end: 12 });
    expect(problems('a.b = 1\na.b.c = 2').filter((p) => p.startsWith('TOO5102'))).toHaveLength(1);
    expect(problems('usd = 1\n'.repeat(100)).length).toBeGreaterThan(0);
  });

  test.each([
    ['a = "x\n', 1, 7],
    ['a = \n', 1, 4],
    ['a =\nb = 1\n', 1, 4],
    ['[a\n', 1, 3],
    ['a = 1 b = 2', 1, 7],
    ['\ufeffa = ?', 1, 5],
    ['a = 1\n= 2', 2, 1],
    ['a = [1', 1, 7],
    ['just words', 1, 6],
  ])('%j is not TOML, and the place is said', (text, line, column) => {
    const { diagnostics } = load(text);
    expect(diagnostics.map((d) => d.code)).toEqual(['TOO5101']);
    const [d] = diagnostics;
    expect(d && rangeOf(d.source, d.span).start).toEqual({ line, column });
    expect(d?.help).toContain('first mistake');
  });

  test.each([
    ['[models\ndefault = ["a"]\n', 1, 8, '[models]\ndefault = ["a"]\n'],
    ['[models # why\n\n[tools]\n', 1, 8, '[models] # why\n\n[tools]\n'],
    ['[tools]\n  [models.aliases . "x"\n', 2, 24, undefined],
    ['[tools]\n[models', 2, 8, '[tools]\n[models]'],
    ['[[models]\r\n', 1, 9, '[[models]]\r\n'],
  ])('an open table in %j is told on its own line', (text, line, column, mended) => {
    const [d, ...more] = load(text).diagnostics;
    expect(more).toEqual([]);
    expect(d?.code).toBe('TOO5101');
    expect(d && rangeOf(d.source, d.span).start).toEqual({ line, column });
    expect(d?.fix && applyEdits(text, d.fix.edits).text).toBe(mended);
  });

  test('a misspelt key is reported once, and read as it is meant', () => {
    expect(problems('[skills]\nc = { reff = "a/b" }\n')).toEqual([
      'TOO5103 2:7 [skills.c] has no key "reff". Did you mean "ref"?',
    ]);
    expect(load('[skills]\nc = { reff = "a/b" }\n').layer.config.skills).toEqual({ c: { ref: 'a/b' } });
    expect(problems('[skills]\nc = { reff = "a b" }\n').map((p) => p.slice(0, 11))).toEqual([
      'TOO5103 2:7',
      'TOO5109 2:1',
    ]);
    expect(problems('[limit]\nusd = "1"\n').map((p) => p.slice(0, 7))).toEqual(['TOO5103', 'TOO5104']);
    expect(load('[skills]\nc = { ref = "a/b", reff = "c/d" }\n').layer.config.skills).toEqual({ c: { ref: 'a/b' } });
    expect(problems('[skills]\nc = { x = "a/b" }\n').map((p) => p.slice(0, 7))).toEqual(['TOO5110', 'TOO5103']);
  });

  test('leaves an entry out whose required key is wrong, and says so once', () => {
    const text = '[skills]\na = { ref = "x y" }\nb = { ref = 5 }\nc = { reff = "" }\nd = { ref = "o/d" }\n';
    expect(load(text).layer.config.skills).toEqual({ d: { ref: 'o/d' } });
    expect(problems(text).map((p) => p.slice(0, 11))).toEqual([
      'TOO5109 2:1',
      'TOO5104 3:1',
      'TOO5103 4:7',
      'TOO5109 4:1',
    ]);
  });

  test('the right items of a list keep their places', () => {
    const { layer, diagnostics } = load('[permissions]\ndeny = ["web", "shell(", "shell(rm *)"]\nask = "web"\n');
    expect(diagnostics.map((d) => d.code)).toEqual(['TOO5108', 'TOO5104']);
    expect(layer.config.permissions).toEqual({ deny: ['web', 'shell(rm *)'], ask: ['web'] });
    const items = layer.places.get('permissions.deny')?.items ?? [];
    expect(items.map((s) => layer.source.text.slice(s.start, s.end))).toEqual(['"web"', '"shell(rm *)"']);
  });

  test('texts made to exhaust the reader are refused, not run', () => {
    for (const text of [
      `a = ${'['.repeat(50_000)}`,
      `a = "${'x'.repeat(500_000)}"`,
      `a = ${'[\n'.repeat(9_000)}${']'.repeat(9_000)}`,
      `x = "${'x'.repeat(2_000_000)}"`,
    ]) {
      expect(load(text).diagnostics.length).toBeGreaterThan(0);
    }
  });
});

describe('mergeConfig', () => {
  const root = load(
    '[limits]\nusd = 5\n[skills]\na = { ref = "r/a" }\nb = { ref = "r/b" }\n[permissions]\ndeny = ["web"]\nallow = ["shell"]',
  ).layer;
  const home = load(
    '[limits]\nusd = 0\n[skills]\na = { ref = "h/a" }\n[permissions]\ndeny = ["shell(rm *)", "web"]\nallow = []',
  ).layer;

  test('the home wins key by key, entry by entry, and each key knows its origin', () => {
    const { settings, provenance } = mergeConfig({ root, home });
    expect(settings.limits.usd).toBe(0);
    expect(settings.skills).toEqual({ a: { ref: 'h/a' }, b: { ref: 'r/b' } });
    expect(settings.permissions.allow).toEqual([]);
    expect(provenance.get('skills.a')).toEqual({ origin: 'home', layer: home });
    expect(provenance.get('skills.b')).toEqual({ origin: 'root', layer: root });
    expect(provenance.get('server.port')).toEqual({ origin: 'default' });
    expect(provenance.has('limits.tokens')).toBe(false);
  });

  test('what the root refuses, no home allows', () => {
    expect(mergeConfig({ root, home }).settings.permissions.deny).toEqual(['web', 'shell(rm *)']);
  });

  test('without files, what holds out of the box', () => {
    expect(defaultSettings()).toMatchObject({
      models: { default: [], aliases: {} },
      tools: { default: ['filesystem'] },
      limits: { usd: 1, depth: 8 },
      sandbox: { shell: 'none' },
      skills: {},
      server: { host: '127.0.0.1' },
    });
    expect(mergeConfig({ home }).settings.limits.depth).toBe(8);
  });
});
