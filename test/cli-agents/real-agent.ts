/** What holds for workflows whose agent is a real CLI: whole runs of the built program, in a network of their own. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { built } from '../built.ts';
import type { FakeAnswer, Said, SaidCall } from '../fake-models/answer.ts';
import { type FakeModel, type FakeOptions, startFakeModel } from '../fake-models/server.ts';
import { clis, makeHome } from './home.ts';
import { installed, type ToolName } from './install.mjs';
import { commandsWith, type Namespace, noNamespace, openNamespace, type Ran, type Started } from './namespace.ts';

interface Manner {
  /** Lines of the agent: what it needs to work in a folder that nobody trusts, and what lets it write there. */
  readonly needs: string;
  readonly allows: string;
  readonly write: (path: string, text: string) => SaidCall;
  readonly shell: (command: string) => SaidCall;
  /** How an answer in JSON is given to it. */
  readonly json: (value: Readonly<Record<string, unknown>>) => Said;
  /** What was thought must stand before calls. */
  readonly thinks: boolean;
  /** Its id of the conversation that a request is of; where it is not in there, undefined. */
  readonly sessionIn: (body: Body) => string | undefined;
  /** Whether a conversation in which a tool was used can be gone on with. */
  readonly goesOnBehindTools: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three services, each looked at by one line.
type Body = any;

const manners: Readonly<Record<ToolName, Manner>> = {
  'claude-code': {
    needs: '',
    allows: '    permissionMode: acceptEdits\n    tools[2]: Write,Bash\n',
    write: (path, content) => ({ tool: 'Write', args: { file_path: path, content } }),
    shell: (command) => ({ tool: 'Bash', args: { command, description: 'Waits' } }),
    json: (args) => ({ reasoning: 'I answer.', calls: [{ tool: 'StructuredOutput', args }] }),
    thinks: true,
    sessionIn: (body) => JSON.parse(body.metadata.user_id).session_id,
    goesOnBehindTools: true,
  },
  codex: {
    needs: '    skipGitRepoCheck: true\n',
    allows: '    fullAuto: true\n',
    write: (path, text) => ({ tool: 'exec_command', args: { cmd: `printf '${text}' > '${path}'` } }),
    shell: (cmd) => ({ tool: 'exec_command', args: { cmd } }),
    json: (value) => ({ text: JSON.stringify(value) }),
    thinks: false,
    sessionIn: (body) => body.prompt_cache_key,
    goesOnBehindTools: true,
  },
  gemini: {
    needs: '    skipTrust: true\n',
    allows: '    approvalMode: yolo\n',
    write: (path, content) => ({ tool: 'write_file', args: { file_path: path, content } }),
    shell: (command) => ({ tool: 'run_shell_command', args: { command } }),
    json: (value) => ({ text: JSON.stringify(value) }),
    thinks: false,
    sessionIn: () => undefined,
    goesOnBehindTools: false,
  },
};

/** In which most of them have begun to use a tool. */
const firstLimitMs = 8_000;
const tea = { drink: 'tea', cups: 2 };
const stall: FakeAnswer = { text: 'Wait a moment', chunk: 4, breaks: { after: 3, by: 'stall' } };

export function testRealAgent(name: ToolName): void {
  const hint = `${name} is not installed: node test/cli-agents/install.mjs`;
  const reason = noNamespace() ?? (installed(name) === undefined ? hint : undefined);
  const manner = manners[name];
  const { service, model } = clis[name];

  describe.skipIf(reason !== undefined)(`the real ${name}${reason === undefined ? '' : ` (${reason})`}`, () => {
    let top: string;
    let work: string;
    let fake: FakeModel;
    let net: Namespace;
    let env: Record<string, string>;
    let dist: string;

    beforeAll(() => {
      dist = built();
    });

    async function open(answers: (path: (name: string) => string) => FakeOptions['answers'] & {}): Promise<void> {
      top = mkdtempSync(join(tmpdir(), `toolang-real-${name}-`));
      work = join(top, 'work');
      mkdirSync(work);
      writeFlow();
      fake = await startFakeModel(service, { answers: answers((path) => join(work, path)), models: [model] });
      net = await openNamespace(fake.origin);
      env = makeHome(name, join(top, 'home'), fake.key);
    }

    /** `more`: lines of the agent. */
    function writeFlow(more = manner.allows): void {
      const agent = `    type: ${name}\n    model: ${model}\n    instructions: You are the maker of tea.\n${manner.needs}${more}`;
      const step = '  - id: make\n    agent: maker\n    prompt: Make two cups.\n';
      const output = '    output:\n      drink: string\n      cups: number\n';
      writeFileSync(
        join(work, 'tea.toon'),
        `name: tea\ninput:\nagents:\n  maker:\n${agent}steps[1]:\n${step}${output}`,
      );
    }

    afterEach(async () => {
      await net.close();
      await fake.close();
      rmSync(top, { recursive: true, force: true });
    });

    const start = (...args: readonly string[]): Started =>
      net.start([process.execPath, join(dist, 'cli.cjs'), ...args], { cwd: work, env });
    const toolang = (...args: readonly string[]): Promise<Ran> => start(...args).ended;
    const idIn = (text: string): string => {
      const id = / · run (\w+)/.exec(text)?.[1];
      if (id === undefined) throw new Error(`no run in:\n${text}`);
      return id;
    };
    const calling = (call: SaidCall): Said => ({
      text: 'I begin.',
      calls: [call],
      ...(manner.thinks && { reasoning: 'They want tea.' }),
    });
    const asked = async (count: number, started: Started): Promise<void> => {
      while (fake.requests.length < count) {
        const ended = await Promise.race([fake.nextRequest().then(() => undefined), started.ended]);
        if (ended !== undefined && fake.requests.length < count) throw new Error(`it ended:\n${ended.stderr}`);
      }
    };
    const shown = async (id: string): Promise<{ session: string; usage: unknown }> => {
      const { stdout } = await toolang('show', id, '--json');
      return JSON.parse(stdout).run.nodes.find((node: { id: string }) => node.id === 'make');
    };
    /** In which the CLI keeps this conversation: some names have only the beginning of the id. */
    const filesOf = (session: string): string[] =>
      readdirSync(join(top, 'home'), { recursive: true, encoding: 'utf8' }).filter((path) =>
        path.includes(name === 'gemini' ? session.slice(0, 8) : session),
      );
    /** What the model was told and said, from the first to the last. */
    const heard = (at: number): string => fake.requests[at]?.text ?? '';
    const sessions = () => new Set(fake.requests.map(({ body }) => manner.sessionIn(body)));

    it('is told what is wrong with its answer, uses a tool in the folder of the step, and says what it used', async () => {
      await open((path) => [{ text: 'Two cups.' }, calling(manner.write(path('note.txt'), 'tea')), manner.json(tea)]);
      const ran = await toolang('run', 'tea.toon');
      expect(ran).toMatchObject({ status: 0 });
      expect(JSON.parse(ran.stdout)).toEqual(tea);
      expect(readFileSync(join(work, 'note.txt'), 'utf8')).toBe('tea');
      expect(fake.requests.map((request) => request.status())).toEqual([200, 200, 200]);
      expect(heard(0)).toContain('You are the maker of tea.');
      expect(heard(0)).toContain('Make two cups.');
      // One conversation: with the answer that was no JSON, and the call behind it.
      expect(heard(2)).toContain('Two cups.');
      expect(heard(2)).toContain('note.txt');
      expect(sessions().size).toBe(1);
      // Each answer of the fake has 100 tokens of input and 20 of output.
      const { session, usage } = await shown(idIn(ran.stderr));
      expect(usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
      expect(filesOf(session)).not.toEqual([]);
      expect((await toolang('show', idIn(ran.stderr))).stdout).toContain(`session ${session}`);
      expect(net.processes()).toEqual([]);
    });

    it('may not write where the file does not allow it', async () => {
      await open((path) => [calling(manner.write(path('note.txt'), 'tea')), manner.json(tea)]);
      writeFlow('');
      expect(await toolang('run', 'tea.toon')).toMatchObject({ status: 0 });
      expect(fake.requests.map((request) => request.status())).toEqual([200, 200]);
      expect(existsSync(join(work, 'note.txt'))).toBe(false);
    });

    it('ends with all that it started when its time is up', async () => {
      await open((path) => () => calling(manner.shell(`tail -f ${path('tea.toon')}`)));
      const child = `tail -f ${join(work, 'tea.toon')}`;
      for (let limitMs = firstLimitMs, isSeen = false; !isSeen; limitMs *= 2) {
        writeFlow(`${manner.allows}    timeoutMs: ${limitMs}\n`);
        const run = start('run', 'tea.toon');
        let isOver = false;
        run.child.once('exit', () => {
          isOver = true;
        });
        // On a slow machine its time may be up before it has come to the command: then it gets more.
        await expect.poll(() => isOver || commandsWith(work).includes(child)).toBe(true);
        isSeen = !isOver;
        // Who may list processes must not read what is asked.
        const lines = net.processes().map(({ command }) => command);
        expect(lines.join('\n')).not.toMatch(/Make two cups|maker of tea/);
        expect(lines.join('\n')).not.toContain(fake.key);
        const ended = await run.ended;
        expect(ended.status).toBe(1);
        expect(ended.stderr).toContain(`it was not done within ${limitMs} ms`);
        expect([...net.processes(), ...commandsWith(work)]).toEqual([]);
      }
    });

    it('goes on with its conversation when the program was killed in the middle', async () => {
      const done = (path: (name: string) => string) => [calling(manner.write(path('note.txt'), 'tea'))];
      await open((path) => [...(manner.goesOnBehindTools ? done(path) : []), stall, manner.json(tea)]);
      const run = start('run', 'tea.toon');
      await asked(manner.goesOnBehindTools ? 2 : 1, run);
      process.kill(run.pid, 'SIGKILL');
      const killed = await run.ended;
      expect(killed.signal).toBe('SIGKILL');
      const id = idIn(killed.stderr);
      const { session } = await shown(id);
      expect(filesOf(session)).not.toEqual([]);
      const resumed = await toolang('resume', id);
      expect(resumed).toMatchObject({ status: 0 });
      expect(JSON.parse(resumed.stdout)).toEqual(tea);
      expect((await shown(id)).session).toBe(session);
      const last = heard(fake.requests.length - 1);
      // All of the conversation before, and what was said now.
      expect(last).toContain('cut off');
      if (manner.goesOnBehindTools) {
        expect(last).toContain('I begin.');
        expect(existsSync(join(work, 'note.txt'))).toBe(true);
      }
      expect(last.split('Make two cups.').length).toBeGreaterThan(2);
      expect(sessions().size).toBe(1);
      expect(net.processes()).toEqual([]);
    });

    it('says that its login was not taken, and nothing of the key', async () => {
      await open(() => []);
      const key = 'planted-wrong-key-0123456789';
      env = makeHome(name, join(top, 'home'), key);
      const ran = await toolang('run', 'tea.toon');
      expect(ran.status).toBe(1);
      expect(ran.stderr).toMatch(/the login of "\w+" was not taken/);
      expect(ran.stdout + ran.stderr).not.toContain(key);
      const log = await toolang('logs', idIn(ran.stderr), '--json');
      expect(log.status).toBe(0);
      expect(log.stdout).not.toContain(key);
      expect(net.processes()).toEqual([]);
    });

    it.skipIf(manner.goesOnBehindTools)(
      'begins anew where it cannot go on with a conversation in which it used a tool',
      async () => {
        const files = ['note.txt', 'again.txt'];
        await open((path) => [
          calling(manner.write(path('note.txt'), 'tea')),
          stall,
          calling(manner.write(path('again.txt'), 'tea')),
          manner.json(tea),
        ]);
        const run = start('run', 'tea.toon');
        await asked(2, run);
        process.kill(run.pid, 'SIGKILL');
        const resumed = await toolang('resume', idIn((await run.ended).stderr));
        expect(resumed).toMatchObject({ status: 0 });
        expect(JSON.parse(resumed.stdout)).toEqual(tea);
        expect(fake.requests.map((request) => request.status())).toEqual([200, 200, 400, 200, 200]);
        for (const file of files) expect(readFileSync(join(work, file), 'utf8')).toBe('tea');
      },
    );
  });
}
