/** What each program is started with, what it sees, and what its words mean. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CliRequest } from './cli-agent.ts';
import { cliAgents, cliEnv } from './index.ts';

function agentOf(type: string) {
  const agent = cliAgents.get(type);
  if (agent === undefined) throw new Error(type);
  return agent;
}

const plain: CliRequest = { prompt: 'Go.', isLater: false, folder: 'DIR/', fields: {} };
const argv = (type: string, request: Partial<CliRequest> = {}) => agentOf(type).command({ ...plain, ...request }).argv;
const stdin = (type: string, request: Partial<CliRequest> = {}) =>
  agentOf(type).command({ ...plain, ...request }).stdin;

describe('what it is started with', () => {
  test('nothing is skipped that the file does not skip', () => {
    for (const type of cliAgents.keys()) {
      expect(argv(type).join(' '), type).not.toMatch(/skip|yolo|bypass|danger|permission|approv|sandbox|full|auto/i);
    }
    const bypass = { fields: { permissionMode: 'bypassPermissions' } };
    expect(argv('claude-code', bypass).join(' ')).toContain('--permission-mode bypassPermissions');
    expect(argv('gemini', { fields: { approvalMode: 'yolo' } }).join(' ')).toContain('--approval-mode yolo');
    expect(argv('gemini', { fields: { sandbox: false } })).toContain('--sandbox=false');
  });

  test('the sandbox of Codex: what is said exactly wins', () => {
    const locked = (fields: CliRequest['fields']) =>
      argv('codex', { fields }).find((each) => each.startsWith('sandbox'));
    expect(locked({})).toBeUndefined();
    expect(locked({ fullAuto: false })).toBeUndefined();
    expect(locked({ fullAuto: true })).toBe('sandbox_mode="workspace-write"');
    expect(locked({ fullAuto: true, sandbox: 'read-only' })).toBe('sandbox_mode="read-only"');
  });

  test('the mode of Claude Code that has no name any more is left out', () => {
    expect(argv('claude-code', { fields: { permissionMode: 'default' } })).not.toContain('--permission-mode');
  });

  test('tools: none, those of services, those with patterns', () => {
    const tools = (...names: string[]) => argv('claude-code', { tools: names }).slice(5);
    expect(tools()).toEqual(['--tools', '']);
    expect(tools('Bash(git log:*)', 'Bash(git diff:*)', 'mcp__wiki__find')).toEqual([
      ...['--tools', 'Bash', '--allowedTools', 'Bash(git log:*)', 'Bash(git diff:*)', 'mcp__wiki__find'],
    ]);
    expect(argv('pi', { tools: [] })).toContain('--no-tools');
    expect(stdin('codex', { tools: ['shell'] })).toContain('Use no other tools than these: shell.');
    expect(stdin('gemini', { tools: [] })).toContain('Use no tools.');
  });

  test('a schema that Codex would refuse stands in the instructions only', () => {
    const loose = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const strict = { ...loose, required: ['a'] };
    const given = (output: object) => argv('codex', { output: output as never }).includes('--output-schema');
    expect([given(loose), given(strict)]).toEqual([false, true]);
  });

  test('instructions are said once in a conversation', () => {
    const request = { instructions: 'You are a pirate.', prompt: 'Go.' };
    expect(stdin('kimi', request)).toBe('You are a pirate.\n\nGo.');
    expect(stdin('kimi', { ...request, isLater: true })).toBe('Go.');
  });

  test('whatever prompts and instructions say, arguments do not say it', () => {
    const text = fc.string({ minLength: 3 }).map((each) => `«${each}»`);
    fc.assert(
      fc.property(fc.constantFrom(...cliAgents.keys()), text, text, (type, prompt, instructions) => {
        const { argv: words, stdin: given, files = {} } = agentOf(type).command({ ...plain, prompt, instructions });
        expect(words.join(' ')).not.toContain('«');
        const all = [given, ...Object.values(files)];
        expect(all.some((each) => each.includes(prompt))).toBe(true);
        expect(all.some((each) => each.includes(instructions))).toBe(true);
      }),
    );
  });
});

describe('what it sees', () => {
  const env = { PATH: '/bin', HOME: '/h', OPENAI_API_KEY: 'a', OPENAI_BASE_URL: 'b', OTHER_KEY: 'c', HTTPS_PROXY: 'd' };

  test('what every program needs, its own, and what users let all see', () => {
    const seen = cliEnv(env, { names: ['OPENAI_*'], idempotencyKey: 'r/a#1' });
    expect(seen).toMatchObject({
      PATH: '/bin',
      HOME: '/h',
      OPENAI_API_KEY: 'a',
      OPENAI_BASE_URL: 'b',
      HTTPS_PROXY: 'd',
    });
    expect(seen).toMatchObject({ NO_COLOR: '1', TOOLANG_IDEMPOTENCY_KEY: 'r/a#1' });
    expect(seen).not.toHaveProperty('OTHER_KEY');
    expect(cliEnv(env, { names: [], shown: ['OTHER_KEY'], idempotencyKey: '' })).toHaveProperty('OTHER_KEY', 'c');
  });

  test('not what it must not', () => {
    const seen = cliEnv(env, { names: ['OPENAI_*'], without: ['OPENAI_API_KEY'], idempotencyKey: '' });
    expect(seen).not.toHaveProperty('OPENAI_API_KEY');
    expect(seen).toHaveProperty('OPENAI_BASE_URL');
  });
});

describe('what its words mean', () => {
  test.each([
    ['Not logged in · Please run /login', 'model-auth', false],
    ['Invalid API key · Fix external API key', 'model-auth', false],
    ['LLM not set', 'model', true],
    ["Error code: 429 - {'error': {'message': 'quota'}}", 'model-rate', true],
    ['API Error: 529 overloaded_error', 'model-rate', true],
    ['The model `gpt-99` does not exist or you do not have access to it.', 'model-unknown', false],
    ['fetch failed: connect ECONNREFUSED 127.0.0.1:1', 'model-connection', true],
    ['Segmentation fault', 'model', true],
  ])('%s', (said, code, retryable) => {
    for (const { explain } of cliAgents.values()) {
      expect(explain({ code: 1, signal: null, said })).toMatchObject({ code, retryable });
    }
  });

  test('a folder that is not trusted is told with the field that says otherwise', () => {
    const end = { code: 1, signal: null };
    const git = 'Not inside a trusted directory and --skip-git-repo-check was not specified.';
    expect(agentOf('codex').explain({ ...end, said: git }).message).toContain('"skipGitRepoCheck: true"');
    const trust = 'Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`';
    expect(agentOf('gemini').explain({ ...end, said: trust }).message).toContain('"skipTrust: true"');
  });

  test('how it ended is told where it said nothing, and much that it said is cut', () => {
    const { explain } = agentOf('forge');
    expect(explain({ code: 3, signal: null, said: '' }).message).toBe('"forge" failed with the exit code 3');
    expect(explain({ code: null, signal: 'SIGSEGV', said: '' }).message).toBe('"forge" was ended by SIGSEGV');
    expect(explain({ code: 1, signal: null, said: 'x'.repeat(1_000_000) }).message.length).toBeLessThan(2000);
  });
});

test.runIf(process.platform !== 'win32')('whether it is there, and which version', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolang-probe-'));
  try {
    const host = { cwd: folder, env: { PATH: folder } };
    const { probe } = agentOf('codex');
    expect(await probe(host)).toEqual({ hint: 'npm install -g @openai/codex' });
    const file = join(folder, 'codex');
    const says = (line: string) => {
      writeFileSync(file, `#!/bin/sh\n${line}\n`);
      chmodSync(file, 0o755);
    };
    says('echo "codex-cli 0.169.0"');
    expect(await probe(host)).toEqual({ found: file, version: '0.169.0' });
    says('exit 1');
    expect(await probe(host)).toMatchObject({ found: file, hint: expect.stringContaining('says nothing') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
