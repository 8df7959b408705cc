import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fakeHttp } from '../../../test/fake-services/http.ts';
import { rudeFile, stdioFile } from '../../../test/fake-services/kit.ts';
import { violations } from '../../../test/json-schema.ts';
import { loadConfig, mergeConfig } from '../../config/index.ts';
import { createModels } from '../../model/index.ts';
import { realClock } from '../../sys/index.ts';
import { createSource } from '../../text/index.ts';
import type { Check } from '../doctor/check.ts';
import { modelChecks } from '../doctor/models.ts';
import { homeCheck, nodeCheck } from '../doctor/surroundings.ts';
import { memoryContext } from '../memory-context.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

/** As a command line has it. */
const word = (text: string) => text.replace(/[^\w/.:@-]/g, '\\$&');

const closed = { OLLAMA_HOST: '127.0.0.1:9' };

async function doctor(args: string[] = [], env: Record<string, string> = {}) {
  const all = { PATH: process.env.PATH ?? '', ...closed, ...env };
  const { code, out, err } = await s.cli(['doctor', ...args, '--json'], { env: all });
  if (out === '') throw new Error(err);
  const shape = JSON.parse(out) as { checks: Check[]; counts: Record<string, number> };
  expect(violations(shape, 'doctor.schema.json')).toEqual([]);
  const find = (area: string, name: string) => shape.checks.find((check) => check.area === area && check.name === name);
  return { code, find, out, ...shape };
}

function service(name: string, lines: string[]): void {
  s.write(
    `.toolang/services/${name}.md`,
    ['---', 'description: Used in tests.', ...lines, '---', 'Text.', ''].join('\n'),
  );
}

describe('doctor', () => {
  test('looks at the machine and the places', async () => {
    const { code, find } = await doctor();
    expect(code).toBe(0);
    expect(find('system', 'node')).toMatchObject({ status: 'ok', says: process.versions.node });
    expect(find('system', 'git')).toMatchObject({ status: 'ok' });
    expect(find('place', 'root')).toMatchObject({ status: 'ok', says: '~/.toolang, not made yet' });
    expect(find('place', 'home')).toMatchObject({ status: 'off' });
    expect((await doctor([], { PATH: '/nowhere' })).find('system', 'git')).toMatchObject({ status: 'warn' });
    expect(nodeCheck('20.18.3')).toMatchObject({ status: 'fail' });
    expect(nodeCheck('22.0.0')).toMatchObject({ status: 'ok' });
  });

  test('says of a home that may not be written where else runs can be kept', () => {
    const home = { dir: s.dir, state: `${s.dir}/.toolang` };
    const context = memoryContext({ cwd: s.dir });
    expect(homeCheck(home, context)).toMatchObject({ status: 'ok' });
    const readOnly = () => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    };
    expect(homeCheck(home, context, readOnly)).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('may not be written'),
      fix: expect.stringContaining('--home DIR'),
    });
  });

  test('one line for each thing, for people', async () => {
    service('gone', ['transport: stdio', 'target: no-such-program-here']);
    const { code, out } = await s.cli(['doctor'], { env: { PATH: process.env.PATH ?? '', ...closed } });
    expect(code).toBe(1);
    expect(out).toMatch(/^ok {4}system node +\d/m);
    expect(out).toMatch(/^– {5}model openai +no key → set OPENAI_API_KEY$/m);
    expect(out).toMatch(/^fail {2}service gone +there is no program "no-such-program-here" on the PATH → install it/m);
  });

  test('names variables of keys, never their values', async () => {
    const { code, find, out } = await doctor([], { OPENAI_API_KEY: 'sk-planted-secret' });
    expect(code).toBe(0);
    expect(find('model', 'openai')).toMatchObject({ status: 'ok', says: 'key in OPENAI_API_KEY' });
    expect(find('model', 'anthropic')).toMatchObject({ status: 'off', fix: 'set ANTHROPIC_API_KEY' });
    expect(out).not.toContain('planted');
  });

  test('a configured model that cannot be used fails; without one it is only told', async () => {
    const { layer } = loadConfig(createSource('config.toml', ''));
    const { settings } = mergeConfig({ root: layer });
    const ports = { ollama: 9, llamacpp: 9, lmstudio: 9 };
    const models = createModels({ env: {}, settings, clock: realClock, ports });
    const checks = await modelChecks(models, settings, memoryContext());
    expect(checks.find(({ name }) => name === 'any')).toMatchObject({
      status: 'warn',
      says: 'no model is named, and none can be used here',
      fix: expect.stringMatching(/^set one of OPENAI_API_KEY, .* \(docs\/scripted-models.md\)$/),
    });
    s.write('.toolang/config.toml', '[models]\ndefault = ["anthropic/claude-sonnet-5"]\n');
    const { code, find } = await doctor();
    expect(code).toBe(1);
    expect(find('model', 'default')?.says).toContain('ANTHROPIC_API_KEY');
  });

  test('a sandbox that is missing is broken only for who asks for it', async () => {
    const env = { PATH: '/nowhere' };
    expect((await doctor([], env)).find('system', 'sandbox')).toMatchObject({ status: 'off' });
    s.write('.toolang/config.toml', '[sandbox]\nshell = "os"\n');
    const { code, find } = await doctor([], env);
    expect(code).toBe(1);
    expect(find('system', 'sandbox')).toMatchObject({ status: 'fail' });
  });

  test('a configuration that is wrong fails', async () => {
    s.write('.toolang/config.toml', '[models\n');
    const { code, find } = await doctor();
    expect(code).toBe(1);
    expect(find('config', 'home')).toMatchObject({ status: 'fail', fix: 'edit .toolang/config.toml' });
  });

  test('services: variables, programs, and that they answer when asked', async () => {
    const server = await fakeHttp();
    service('fake', ['transport: stdio', `target: ${word(process.execPath)} ${word(stdioFile)}`]);
    service('diary', ['transport: http', `target: ${server.url}`]);
    service('needy', ['transport: http', `target: ${server.url}`, 'headers:', '  X-Key: $NOT_SET_HERE']);
    service('broken', ['transport: stdio', `target: ${word(process.execPath)} ${word(rudeFile)} broken`]);
    service('keyed', ['transport: http', `target: ${server.url}?key=planted-in-query`]);
    service('wrong', ['transport: pigeon', 'target: x']);
    const still = await doctor();
    expect(still.code).toBe(1);
    expect(still.find('service', 'diary')).toMatchObject({ status: 'ok', says: server.url });
    expect(still.find('service', 'needy')).toMatchObject({
      status: 'fail',
      says: 'the variable NOT_SET_HERE is not set',
    });
    expect(still.find('file', '.toolang/services/wrong.md')).toMatchObject({ status: 'fail' });
    expect(still.find('service', 'keyed')?.says).toBe(`${server.url}?…`);
    expect(still.out).not.toContain('planted');
    expect(server.requests).toEqual([]);
    const { find } = await doctor(['--connect']);
    expect(find('service', 'fake')?.says).toMatch(/^answers, 1\d tools$/);
    expect(find('service', 'diary')).toMatchObject({ status: 'ok' });
    expect(find('service', 'broken')?.says).toContain('it ended with the exit code 7');
    await server.close();
  });

  test('of a workflow: that it is right, its models, and the programs of its agents', async () => {
    const text = [
      'name: flow',
      'input:',
      '  topic: string',
      'agents:',
      '  coder:',
      '    type: codex',
      '  writer:',
      '    type: anthropic',
      '    model: claude-sonnet-5',
      'steps[2]:',
      '  - id: a',
      '    agent: coder',
      '    prompt: Go.',
      '    output: string',
      '  - id: b',
      '    agent: writer',
      '    prompt: Go.',
      '    output: string',
      '',
    ].join('\n');
    s.write('flow.toon', text);
    const none = await doctor(['flow.toon'], { PATH: s.dir });
    expect(none.code).toBe(1);
    expect(none.find('file', 'flow.toon')).toMatchObject({ status: 'ok' });
    expect(none.find('file', 'agent coder')).toMatchObject({ status: 'fail', fix: 'npm install -g @openai/codex' });
    expect(none.find('file', 'agent writer')?.says).toContain('ANTHROPIC_API_KEY');
    chmodSync(s.write('codex', '#!/bin/sh\necho codex-cli 0.169.0\n'), 0o755);
    const some = await doctor(['flow.toon'], { PATH: s.dir, ANTHROPIC_API_KEY: 'planted' });
    expect(some.code).toBe(0);
    expect(some.find('file', 'agent coder')).toMatchObject({ status: 'ok', says: 'codex: runs codex 0.169.0' });
    chmodSync(s.write('codex', '#!/bin/sh\n'), 0o755);
    const mute = await doctor(['flow.toon'], { PATH: s.dir, ANTHROPIC_API_KEY: 'planted' });
    expect(mute.find('file', 'agent coder')).toMatchObject({ status: 'warn' });
    expect(some.find('file', 'agent writer')).toMatchObject({ status: 'ok', says: 'model anthropic/claude-sonnet-5' });
    s.write('flow.toon', text.replace('agent: coder', 'agent: codr'));
    expect((await doctor(['flow.toon'])).find('file', 'flow.toon')).toMatchObject({
      status: 'fail',
      fix: 'toolang check flow.toon',
    });
    expect((await s.cli(['doctor', 'notes.txt'])).code).toBe(2);
  });

  test('of a workflow: its handlers, its modules, and tools that nothing has', async () => {
    const text = [
      'name: flow',
      'imports:',
      '  schemas[1]{from,use}:',
      '    ./schemas.ts,Note',
      'input:',
      'agents:',
      '  writer:',
      '    type: scripted',
      '    tools[2]: filesystem/read,wiki/find',
      'steps[2]:',
      '  - id: a',
      '    handler: ./checks.ts#look',
      '    output: string',
      '  - id: b',
      '    agent: writer',
      '    prompt: Go.',
      '    output: Note',
      '',
    ].join('\n');
    s.write('flow.toon', text);
    s.write('checks.ts', 'export const look = () => "x";\n');
    const schema = `{ '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }), jsonSchema: {} } }`;
    s.write('schemas.ts', `export const Note = ${schema};\n`);
    const { find, code } = await doctor(['flow.toon']);
    expect(find('file', 'handler ./checks.ts#look')).toMatchObject({
      status: 'ok',
    });
    expect(find('file', 'module schemas.ts')).toMatchObject({ status: 'ok', says: 'was loaded' });
    expect(find('file', 'tools')).toMatchObject({ status: 'fail', says: expect.stringContaining('"wiki/find"') });
    expect(code).toBe(1);
    s.write('schemas.ts', 'throw new Error("not today");\n');
    s.write('checks.ts', 'export const lok = () => "x";\n');
    const broken = await doctor(['flow.toon']);
    expect(broken.code).toBe(1);
    expect(broken.out).toMatch(/flow\.toon:4:\d+.*not today/s);
    expect(broken.out).toMatch(/flow\.toon:12:\d+.*lok/s);
  });

  test('of an agent: its thunks, and the services that it sees', async () => {
    s.write('agent.too', 'thunk default:\n  models = anthropic/claude-sonnet-5\n  user: Hello.\n');
    service('gone', ['transport: stdio', 'target: no-such-program-here']);
    const { find } = await doctor(['agent.too']);
    expect(find('file', 'thunk default')).toMatchObject({ status: 'fail' });
    expect(find('service', 'gone')).toMatchObject({ status: 'fail' });
    const keyed = await doctor(['agent.too'], { ANTHROPIC_API_KEY: 'x' });
    expect(keyed.find('file', 'thunk default')).toMatchObject({ status: 'ok' });
    expect((await doctor(['missing.too'])).find('file', 'missing.too')).toMatchObject({ status: 'fail' });
  });

  test('of an agent: models that have no price under a limit, scripts that are missing or wrong', async () => {
    s.write('a.too', 'thunk:\n  models = own\n\nthunk b:\n  models = scripted\n');
    s.write('.toolang/config.toml', '[models.aliases.own]\nref = "x"\nendpoint = "http://127.0.0.1:9/v1"\n');
    const { code, find } = await doctor(['a.too']);
    expect(code).toBe(1);
    expect(find('file', 'thunk default')).toMatchObject({
      status: 'fail',
      says: expect.stringContaining('the price of own'),
    });
    expect(find('file', 'thunk b')).toMatchObject({ status: 'fail', says: 'scripted, and there is no a.script.toon' });
    s.write('a.script.toon', 'replies[1]:\n  - for: b\n    text: hi\n');
    expect((await doctor(['a.too'])).find('file', 'thunk b')).toMatchObject({
      status: 'ok',
      says: 'scripted: a.script.toon answers',
    });
    s.write('a.script.toon', 'replies[1]:\n  - for: b\n    txet: hi\n');
    expect((await doctor(['a.too'])).find('file', 'thunk b')).toMatchObject({
      status: 'fail',
      fix: 'toolang check a.script.toon',
    });
  });

  test('of an agent: caps that are synced, changed since, or from elsewhere; nothing is synced by it', async () => {
    const text = 'skill look:\n  description = How to look\n  Look.\n\nthunk:\n  models = scripted\n';
    s.write('a.too', text);
    s.write('a.script.toon', 'replies[1]:\n  - for: b\n    text: hi\n');
    const first = await doctor(['a.too']);
    expect(first.find('file', 'skill look')).toMatchObject({ status: 'ok', says: 'a run syncs it' });
    expect(existsSync(s.at('.toolang'))).toBe(false);
    expect((await s.cli(['sync', 'a.too'])).code).toBe(0);
    const synced = await doctor(['a.too']);
    expect(synced.find('file', 'skill look')).toMatchObject({ status: 'ok', says: 'synced, and unchanged' });
    const all = readdirSync(s.dir, { recursive: true, encoding: 'utf8' });
    const at = all.find((name) => name.endsWith(join('inline', 'skills', 'look', 'SKILL.md')));
    s.write(at ?? '', 'Changed.\n');
    expect((await doctor(['a.too'])).find('file', 'skill look')).toMatchObject({
      status: 'warn',
      says: expect.stringContaining('it was changed where it was synced'),
    });
    s.write('a.too', `use skill acme/review\n${text}`);
    expect((await doctor(['a.too'])).find('file', 'skill review')).toMatchObject({
      status: 'warn',
      says: 'it was not synced yet',
      fix: 'toolang sync a.too',
    });
  });

  test('of an agent: hands that are workflows, tools of services, what it remembers', async () => {
    service('fake', ['transport: stdio', `target: ${word(process.execPath)} ${word(stdioFile)}`]);
    s.write('ok.toon', 'name: ok\ninput:\nsteps[1]:\n  - id: a\n    run: return 1\n    output: number\n');
    s.write('bad.toon', 'name: bad\ninput:\nsteps[1]:\n  - id: a\n    agent: nobody\n    prompt: x\n');
    s.write(
      'a.too',
      'thunk:\n  models = scripted\n  tools = fake/nothing\n  hands = ./ok.toon, ./bad.toon\n  recall = memory\n',
    );
    s.write('a.script.toon', 'replies[1]:\n  - for: b\n    text: hi\n');
    s.write('.toolang/memory.db', 'no database');
    const { code, checks, find } = await doctor(['a.too', '--connect', '--no-code']);
    expect(code).toBe(1);
    expect(find('file', 'hand ok')).toMatchObject({ status: 'ok' });
    expect(find('file', 'hand')).toMatchObject({ status: 'fail', says: expect.stringContaining('bad.toon') });
    expect(find('file', 'memory')).toMatchObject({ status: 'fail' });
    const ofThunk = checks.filter(({ name }) => name === 'thunk default').map(({ says }) => says);
    expect(ofThunk).toContainEqual(expect.stringContaining('"fake" has no tool "nothing"'));
  });

  test('of a workflow: its agents of type too, as far as they are reached', async () => {
    const text = 'thunk review:\n  models = scripted\n\nthunk other:\n  models = anthropic/claude-sonnet-5\n';
    s.write('r.too', text);
    const flow =
      'name: f\ninput:\nagents:\n  dev:\n    type: too\n    use: ./r.too#review\nsteps[1]:\n  - id: a\n    agent: dev\n    prompt: x\n    output: string\n';
    s.write('f.toon', flow);
    const { code, find, checks } = await doctor(['f.toon', '--no-code']);
    expect(code).toBe(1);
    expect(find('file', 'agent dev thunk review')).toMatchObject({
      status: 'fail',
      says: 'scripted, and there is no r.script.toon',
    });
    s.write('f.script.toon', 'replies[1]:\n  - for: b\n    text: hi\n');
    const there = await doctor(['f.toon', '--no-code']);
    expect(there.find('file', 'agent dev thunk review')).toMatchObject({
      status: 'ok',
      says: 'scripted: f.script.toon answers',
    });
    expect([...checks, ...there.checks].some(({ name }) => name.includes('other'))).toBe(false);
  });

  test('of an agent by its name', async () => {
    mkdirSync(join(s.home, '.toolang/agents/bob'), { recursive: true });
    writeFileSync(join(s.home, '.toolang/agents/bob/agent.too'), 'thunk:\n  models = openai/gpt-5\n');
    const { find } = await doctor(['bob'], { OPENAI_API_KEY: 'x' });
    expect(find('file', 'thunk default')).toMatchObject({ status: 'ok', says: 'model openai/gpt-5' });
    const { code, err } = await s.cli(['doctor', 'nobody']);
    expect([code, err]).toEqual([2, expect.stringContaining('there is no agent "nobody"')]);
  });
});
