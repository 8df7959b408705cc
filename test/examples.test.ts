/** Every example is right, formatted, documented, and can be explained or drawn. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scratch, scratch } from '../src/cli/scratch.ts';
import { cliTypes, nodesOf, type PlacedNode, type Planned, planWorkflow } from '../src/plan/index.ts';
import { createModuleHost, type ModuleHost } from '../src/run/index.ts';
import { createSource, painter } from '../src/text/index.ts';
import { formatToon, parseToon, toPlain } from '../src/toon/index.ts';
import { isRecord, validate } from '../src/type/index.ts';
import { graphOf, graphText } from '../src/view/index.ts';

const folder = fileURLToPath(new URL('../examples/', import.meta.url));
const names = readdirSync(folder).filter((name) => name.endsWith('.too'));

let s: Scratch;
beforeAll(() => {
  s = scratch();
  for (const name of names) s.write(name, readFileSync(join(folder, name), 'utf8'));
});
afterAll(() => s.remove());

it('shows enough of the language', () => {
  const all = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  for (const word of [
    'struct ',
    'psyche ',
    'skill ',
    'service ',
    'prompt ',
    'context ',
    'instruct ',
    'hands',
    'handoffs',
    'recall',
    '{{#',
  ]) {
    expect(all).toContain(word);
  }
});

describe.each(names)('%s', (name) => {
  it('checks without an error, a warning or a note', async () => {
    expect(await s.cli(['check', name])).toEqual({ code: 0, out: '', err: 'no problems in 1 file\n' });
  });

  it('is in the usual layout and fits on a page', async () => {
    expect((await s.cli(['fmt', '--check', name])).code).toBe(0);
    const lines = readFileSync(join(folder, name), 'utf8').split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(lines.length).toBeLessThanOrEqual(60);
  });

  it('says what it is, and what each of its thunks does', async () => {
    expect(JSON.parse((await s.cli(['parse', name, '--json'])).out).program.doc).toMatch(/^[A-Z].*\.$/s);
    const { thunks } = JSON.parse((await s.cli(['explain', name, '--json'])).out);
    expect(thunks.length).toBeGreaterThan(0);
    for (const thunk of thunks) {
      const { code, out, err } = await s.cli(['explain', name, thunk]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/^thunk .*\n {2}[A-Z].*\./);
    }
  });
});

describe('workflows', () => {
  // Those of `agents/` are run, with the agents that they use: examples-agents.test.ts.
  const workflows = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    // Those with tests are run: examples-cases.test.ts.
    (name) => name.endsWith('.toon') && !name.endsWith('.test.toon') && !name.startsWith('agents'),
  );
  const scripts = workflows.filter((name) => name.endsWith('.script.toon'));
  const files = workflows.filter((name) => !scripts.includes(name));
  /** Those that are there to be imported. */
  const parts = files.filter((name) => !/^name: /m.test(text(name)));

  let modules: ModuleHost;
  const planned = new Map<string, Promise<Planned>>();
  beforeAll(() => {
    modules = createModuleHost({ cwd: folder, timeoutMs: 120_000 });
  });
  afterAll(() => modules.close());

  it('show enough of the language', () => {
    expect(files.length - parts.length).toBeGreaterThanOrEqual(12);
    const all = files.map(text).join('\n');
    const kinds = ['sequence', 'parallel', 'loop', 'approval', 'branch', 'worktree', 'workflow', 'component'];
    const keys = ['promptFrom', 'run', 'handler', 'needs', 'maxAttempts', 'retry', 'timeout', 'cache', 'skipIf'];
    const imports = ['schemas', 'services', 'components', 'workflows', 'agents', 'plugins'];
    for (const kind of kinds) expect(all).toContain(`kind: ${kind}\n`);
    for (const key of [...keys, 'onDeny', 'onMaxReached', 'maxConcurrency']) expect(all).toMatch(`${key}`);
    for (const category of imports) expect(all).toMatch(new RegExp(`^  ${category}\\[`, 'm'));
    for (const word of ['"{id}-', '{loop.iteration}', '{params.', '{{', 'prompt[', '`${']) expect(all).toContain(word);
  });

  describe.each(files)('%s', (name) => {
    it('checks without an error, a warning or a note', async () => {
      const { plan, diagnostics } = await planOf(name);
      expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
      expect(plan !== undefined).toBe(!parts.includes(name));
    });

    it('is in the usual layout, fits on a page and says what it is', () => {
      const source = createSource(name, text(name));
      expect(formatToon(source).text).toBe(source.text);
      const lines = source.text.split('\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
      expect(lines.length).toBeLessThanOrEqual(60);
      expect(source.text).toMatch(/^# [A-Z](?:.*\n# )*?.*\.\n(?!#)/);
    });

    it('can be drawn', async () => {
      const { plan } = await planOf(name);
      if (plan === undefined) return;
      const drawn = graphText(graphOf(plan), painter(false));
      for (const { node } of nodesOf({ ...plan, workflows: {} })) if (node.id) expect(drawn).toContain(node.id);
    });

    it('has a script when an agent answers from one', async () => {
      const { plan } = await planOf(name);
      const asks = plan && [...nodesOf(plan)].some((placed) => isScripted(placed));
      expect(existsSync(join(folder, name.replace(/toon$/, 'script.toon')))).toBe(asks ?? false);
    });
  });

  describe.each(scripts)('%s', (name) => {
    it('has replies that steps of its workflow can take', async () => {
      const source = createSource(name, text(name));
      const { document, diagnostics } = parseToon(source);
      expect(diagnostics).toEqual([]);
      expect(formatToon(source).text).toBe(source.text);
      const { plan } = await planOf(name.replace(/\.script\.toon$/, '.toon'));
      const steps = [...(plan ? nodesOf(plan) : [])].filter(isScripted);
      const root = toPlain(document.root);
      const replies: unknown[] = isRecord(root) && Array.isArray(root.replies) ? root.replies : [];
      expect(replies.length).toBeGreaterThan(0);
      for (const reply of replies) {
        if (!isRecord(reply)) throw new Error('a reply is no block');
        const step = steps.find(({ node }) => node.id === reply.for);
        if (step?.node.kind !== 'step') throw new Error(`no step takes the reply for ${String(reply.for)}`);
        const types = new Map(Object.entries(step.plan.types));
        if ('json' in reply) expect(validate(reply.json, step.node.output, types)).toMatchObject({ ok: true });
        else expect(['text', 'error', 'calls']).toEqual(expect.arrayContaining(Object.keys(reply).slice(1)));
      }
    });
  });

  /** Each is planned once. */
  function planOf(name: string): Promise<Planned> {
    const file = join(folder, name);
    const read = async (path: string) => ({ ok: true as const, text: await readFile(path, 'utf8') });
    const found = planned.get(name) ?? planWorkflow(createSource(name, text(name)), { file, read, modules });
    planned.set(name, found);
    return found;
  }

  function text(name: string): string {
    return readFileSync(join(folder, name), 'utf8');
  }

  /** Replies answer for it: because it says so, or because it cannot be asked without a key or a program. */
  function isScripted({ node, plan }: PlacedNode): boolean {
    if (node.kind !== 'step' || node.action.kind !== 'prompt') return false;
    const { type = '' } = plan.agents[node.action.agent] ?? {};
    return type === 'scripted' || type === 'anthropic' || cliTypes.has(type);
  }
});
