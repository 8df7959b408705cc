/** What commands print with `--json` has the shapes of `spec/json/`. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workflowFiles } from '../src/cli/project/workflow-files.ts';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { agentText, fillHub, makeKit } from './caps/kit.ts';
import { schemas, violations } from './json-schema.ts';

let s: Scratch;
beforeAll(() => {
  s = scratch();
});
afterAll(() => s.remove());

/** Inputs of every kind: those of the fixtures, and the mutilated rest of some. */
const inputs: string[] = [];
const specs = fileURLToPath(new URL('../spec/too/', import.meta.url));
for (const name of readdirSync(specs).filter((file) => file.endsWith('.json'))) {
  for (const { input } of JSON.parse(readFileSync(join(specs, name), 'utf8')).cases) inputs.push(input);
}
inputs.push('', '\ufeff', '\r\n\t', ...inputs.filter((_, i) => i % 5 === 0).map((text) => text.slice(text.length / 3)));
/** All in the long run: what the commands find in the fixtures is the matter of `spec.test.ts`, always. */
const tried = inputs.filter((_, i) => process.env.TOOLANG_DEEP || i % 7 === 0);

async function wrongIn(file: string, argv: string[], stdin?: string): Promise<string[]> {
  const { out, err } = await s.cli([...argv, '--json'], stdin === undefined ? {} : { stdin });
  if (out === '') return [`nothing was printed: ${err}`];
  return violations(JSON.parse(out), file).map((wrong) => `${argv.join(' ')}: ${wrong}\n${stdin ?? ''}`);
}

test('every schema says what it is, and its references lead somewhere', () => {
  for (const [file, schema] of schemas) {
    expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema', $id: file });
    for (const ref of JSON.stringify(schema).matchAll(/"\$ref":"([^#"]*)#?([^"]*)"/g)) {
      const target = schemas.get(ref[1] || file);
      const inner = (ref[2] ?? '').split('/').slice(1);
      expect(inner.reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], target)).toBeDefined();
    }
  }
});

test('the validator finds what is wrong', () => {
  const right = { version: 1, files: [], problems: [{ message: 'm' }], errors: 0, warnings: 0 };
  expect(violations(right, 'check.schema.json')).toEqual([]);
  expect(violations({ ...right, errors: -1, more: 1 }, 'check.schema.json')).toEqual([
    '$.errors is too small',
    '$.more is not described',
  ]);
  expect(violations({ ...right, problems: [{ code: 'X' }] }, 'check.schema.json')).toEqual([
    '$.problems[0].message is missing',
    '$.problems[0].code does not match ^TOO[0-9]{4}$',
  ]);
  expect(violations({ version: 2 }, 'fmt.schema.json')).toHaveLength(3);
});

/** Workflows of every kind: the examples of the design, what `new` writes, and the mutilated rest of all. */
const samples = fileURLToPath(new URL('../spec/toon/samples/', import.meta.url));
const workflows = [
  ...readdirSync(samples)
    .filter((file) => file.endsWith('.toon'))
    .map((file) => readFileSync(join(samples, file), 'utf8')),
  ...workflowFiles('release')
    .filter((file) => file.name.endsWith('.toon'))
    .map((file) => file.text),
];
const toons = [
  '',
  '\ufeff',
  '[2]: a,b',
  'x[2|]{a,b}:\n  1|"q"\n  null|true\ny[1:]{a}:\n  k: 1\nt: "a" | "b"?\n',
  ...workflows,
  ...workflows.flatMap((text) => [3, 5, 7].map((part) => text.slice(0, (text.length * part) / 8))),
  ...workflows.map((text) => text.replace(/\[\d\]/g, '[9]')),
];

describe('real outputs', () => {
  test('of check, fmt, parse, graph and explain of workflows', async () => {
    let drawn = 0;
    for (const { name, text } of workflowFiles('release')) if (name.endsWith('.too')) s.write(name, text);
    for (const stdin of toons) {
      const as = ['-', '--stdin-name', 'flow.toon'];
      expect(await wrongIn('check.schema.json', ['check', '--no-code', ...as], stdin)).toEqual([]);
      expect(await wrongIn('fmt.schema.json', ['fmt', ...as], stdin)).toEqual([]);
      expect(await wrongIn('parse.schema.json', ['parse', ...as], stdin)).toEqual([]);
      for (const command of ['graph', 'explain']) {
        const { out } = await s.cli([command, '--no-code', ...as, '--json'], { stdin });
        // What is only there to be imported cannot be drawn: wrong usage.
        if (out === '') continue;
        const schema = command === 'graph' ? 'graph.schema.json' : 'explain-workflow.schema.json';
        expect(violations(JSON.parse(out), schema)).toEqual([]);
        if (JSON.parse(out).graph) drawn++;
      }
    }
    expect(drawn).toBeGreaterThan(1);
    s.write('flow.toon', workflows.find((text) => text.includes('name: release\n')) ?? '');
    s.write('count.toon', 'name: x\nname: x\ninput:\nsteps[7]:\n  - id: a\n');
    expect(await wrongIn('explain-workflow.schema.json', ['explain', 'flow.toon', 'draft'])).toEqual([]);
    expect(await wrongIn('explain-workflow.schema.json', ['explain', 'missing.toon'])).toEqual([]);
    expect(await wrongIn('graph.schema.json', ['graph', 'missing.toon'])).toEqual([]);
    expect(await wrongIn('fmt.schema.json', ['fmt', 'count.toon'])).toEqual([]);
    expect(s.read('count.toon')).toContain('steps[1]');
  });

  test('of check', async () => {
    for (const stdin of tried) expect(await wrongIn('check.schema.json', ['check', '-'], stdin)).toEqual([]);
  });

  test('of test, of cases that pass, fail and are skipped', async () => {
    s.write('tested/a.toon', 'name: a\ninput:\nsteps[1]:\n  - id: b\n    run: "return \'x\'"\n    output: string\n');
    const cases = [
      'passes\n    expect:\n      output: x',
      'fails\n    expect:\n      output: y',
      'left out\n    skip: later',
    ];
    const text = cases.map((each) => `  - name: ${each}\n`).join('');
    s.write('tested/a.test.toon', `target: ./a.toon\ncases[3]:\n${text}`);
    expect(await wrongIn('test.schema.json', ['test', 'tested'])).toEqual([]);
    expect(await wrongIn('test.schema.json', ['test', 'tested', '--coverage=90'])).toEqual([]);
  });

  test('of fmt', async () => {
    for (const stdin of tried) expect(await wrongIn('fmt.schema.json', ['fmt', '-'], stdin)).toEqual([]);
  });

  test('of parse, trees and tokens', async () => {
    for (const stdin of tried) {
      expect(await wrongIn('parse.schema.json', ['parse', '-'], stdin)).toEqual([]);
      expect(await wrongIn('parse.schema.json', ['parse', '-', '--tokens'], stdin)).toEqual([]);
    }
  });

  test('of explain', async () => {
    let explained = 0;
    for (const stdin of tried) {
      const { out } = await s.cli(['explain', '-', '--json'], { stdin });
      // Without a thunk, or with several and no default, it is wrong usage.
      if (out === '') continue;
      if (JSON.parse(out).preview) explained++;
      expect(violations(JSON.parse(out), 'explain.schema.json')).toEqual([]);
    }
    expect(explained).toBeGreaterThan(20);
    expect(await wrongIn('explain-code.schema.json', ['explain', 'TOO1601'])).toEqual([]);
  });

  test('of calls, line by line', async () => {
    const tools = {
      name: 'read',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    };
    s.write(
      'tools.json',
      JSON.stringify([tools, { name: 'send', parameters: { properties: { to: { type: 'array' } } } }]),
    );
    const lines: string[] = [];
    for (const { input } of JSON.parse(readFileSync(join(specs, '../calls/calls-parse.json'), 'utf8')).vectors) {
      for (const command of [['parse'], ['map', '--tools', 'tools.json']]) {
        lines.push(
          ...(await s.cli(['calls', ...command], { stdin: input })).out.split('\n').filter((line) => line !== ''),
        );
      }
    }
    expect(new Set(lines.map((line) => JSON.parse(line).type)).size).toBe(4);
    for (const line of lines) expect(violations(JSON.parse(line), 'calls-line.schema.json')).toEqual([]);
    expect(await wrongIn('calls-prompt.schema.json', ['calls', 'prompt', '--tools', 'tools.json'])).toEqual([]);
  });

  test('of runs that wait, end, fail and are cancelled', async () => {
    const own = scratch();
    const wrong = async (file: string, ...argv: string[]) => {
      const { out, err } = await own.cli([...argv, '--json'], { env: { USER: 'ana' } });
      const lines = file === 'logs-line.schema.json' ? out.trim().split('\n') : [out];
      expect(out, err).not.toBe('');
      return lines.flatMap((line) => violations(JSON.parse(line), file));
    };
    try {
      for (const { name, text } of workflowFiles('release')) own.write(name, text);
      const parts = ['a', 'b'].map(
        (id) => `      - id: ${id}\n        run: "throw new Error('no')"\n        output: string\n`,
      );
      own.write('bad.toon', `name: bad\ninput:\nsteps[1]:\n  - kind: parallel\n    children[2]:\n${parts.join('')}`);
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) {
        expect(await wrong('run.schema.json', 'run', 'release.toon', '-i', 'topic=x')).toEqual([]);
        const { out } = await own.cli(['runs', '--json', '--limit', '1']);
        ids.push(JSON.parse(out).runs[0].run);
      }
      const [one = '', two = '', three = ''] = ids;
      expect(await wrong('show.schema.json', 'show', one)).toEqual([]);
      expect(await wrong('show-step.schema.json', 'show', one, 'review')).toEqual([]);
      expect(await wrong('run.schema.json', 'approve', one, '--note', 'n')).toEqual([]);
      expect(await wrong('run.schema.json', 'deny', two)).toEqual([]);
      expect(await wrong('run.schema.json', 'resume', three)).toEqual([]);
      expect(await wrong('run.schema.json', 'cancel', three)).toEqual([]);
      expect(await wrong('run.schema.json', 'run', 'bad.toon')).toEqual([]);
      expect(await wrong('runs.schema.json', 'runs')).toEqual([]);
      const { out } = await own.cli(['runs', '--json', '--limit', '1']);
      for (const id of [...ids, JSON.parse(out).runs[0].run]) {
        expect(await wrong('show.schema.json', 'show', id)).toEqual([]);
        expect(await wrong('logs-line.schema.json', 'logs', id)).toEqual([]);
        expect(await wrong('run.schema.json', 'watch', id)).toEqual([]);
        expect(await wrong('graph.schema.json', 'graph', id)).toEqual([]);
      }
    } finally {
      own.remove();
    }
  });

  test('of caps, agents and syncs', async () => {
    const kit = makeKit();
    const wrong = async (file: string, line: string, stdin?: string) => {
      const { out, err } = await kit.cli(`${line} --json`, stdin === undefined ? {} : { stdin, typed: true });
      expect(out, err).not.toBe('');
      return violations(JSON.parse(out), file);
    };
    try {
      fillHub(kit);
      kit.write(
        'work/agent.too',
        `##! Goes.\nuse skill acme/review\n\npsyche calm:\n  Be calm.\n\n## Go.\n${agentText}`,
      );
      kit.write('work/.toolang/psyches/calm.md', 'Be calm.\n');
      kit.write('.toolang/config.toml', '[services]\nclock = { ref = "acme/clock" }\n');
      expect(await wrong('list.schema.json', 'list')).toEqual([]);
      await kit.cli('new --agent bob');
      await kit.cli('sync acme/zoe --yes');
      kit.write('.toolang/agents/empty/notes.txt', '');
      expect(await wrong('list.schema.json', 'list')).toEqual([]);
      expect(await wrong('sync.schema.json', 'sync --check')).toEqual([]);
      expect(await wrong('sync.schema.json', 'sync', 'n\n')).toEqual([]);
      expect(await wrong('caps-list.schema.json', 'caps list')).toEqual([]);
      expect(await wrong('cap-show.schema.json', 'skill show review')).toEqual([]);
      expect(await wrong('sync.schema.json', 'sync --yes')).toEqual([]);
      kit.write('work/.toolang/agents/agent/sync/inline/psyches/calm.md', 'Other.\n');
      expect(await wrong('sync.schema.json', 'sync')).toEqual([]);
      expect(await wrong('caps-list.schema.json', 'caps list --global')).toEqual([]);
      expect(await wrong('caps-list.schema.json', 'psyche list')).toEqual([]);
      expect(await wrong('cap-show.schema.json', 'psyche show calm')).toEqual([]);
      for (const agent of ['agent.too', 'bob', 'acme/zoe']) {
        expect(await wrong('info.schema.json', `info ${agent}`)).toEqual([]);
      }
      kit.write('work/.toolang/skills/bad/SKILL.md', 'x\n');
      expect(await wrong('caps-list.schema.json', 'caps list')).toEqual([]);
      expect(await wrong('sync.schema.json', 'sync')).toEqual([]);
    } finally {
      kit.remove();
    }
  });

  test('of files with a configuration, fixes, and files that cannot be read', async () => {
    s.write('.toolang/config.toml', '[tool]\n[limits]\nusd = "much"\n');
    s.write('a.too', 'thunk:\n  tool = shell, shell\n  hands = nobody\n  user: {{inptu}}\n');
    s.write('b.too', 'thunk :\n    user: hi\n');
    s.write('nul.too', '\0');
    expect(await wrongIn('check.schema.json', ['check', '.', 'missing.too', '--fix'])).toEqual([]);
    expect(await wrongIn('check.schema.json', ['check', '--quiet', 'nul.too', 'x.md'])).toEqual([]);
    expect(await wrongIn('fmt.schema.json', ['fmt', '.', 'missing', '.toolang'])).toEqual([]);
    expect(await wrongIn('parse.schema.json', ['parse', 'missing.too'])).toEqual([]);
    expect(await wrongIn('explain.schema.json', ['explain', 'nul.too'])).toEqual([]);
    expect(await wrongIn('explain.schema.json', ['explain', 'b.too'])).toEqual([]);
  });
});
