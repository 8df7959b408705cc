/**
 * Runs the real CLI agents against the fake models and writes down what they print:
 * `node --import jiti/register test/cli-agents/record.ts [TYPE[/CASE]…]`. What differs from one run to the next is made equal.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FakeAnswer } from '../fake-models/answer.ts';
import { startFakeModel } from '../fake-models/server.ts';
import { type Case, cases, here, session } from './cases.ts';
import { clis, makeHome } from './home.ts';
import { type ToolName, toolNames, tools } from './install.mjs';
import { noNamespace, openNamespace, type Ran } from './namespace.ts';
import { evener } from './normalize.ts';
import type { Recording } from './recordings.ts';

const folder = fileURLToPath(new URL('recordings', import.meta.url));

const wanted = process.argv.slice(2);
const reason = noNamespace();
if (reason !== undefined) throw new Error(`the CLIs run in a network of their own or not at all: ${reason}`);

for (const name of toolNames) {
  for (const [title, each] of Object.entries(cases[name])) {
    if (wanted.length > 0 && !wanted.some((word) => word === name || word === `${name}/${title}`)) continue;
    const made = await record(name, title, each);
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, `${title}.json`), `${JSON.stringify(made, null, 1)}\n`);
    console.log(`${name}/${title}: ${made.status ?? made.signal}, ${made.stdout.length} lines`);
  }
}

async function record(name: ToolName, title: string, each: Case): Promise<Recording> {
  const top = mkdtempSync(join(tmpdir(), 'toolang-record-'));
  const work = join(top, 'work');
  const home = join(top, 'home');
  const even = evener({ [work]: '/home/you/work', [home]: '/home/you' });
  mkdirSync(work);
  const answers = [...(each.before?.answers ?? []), ...each.answers].map((answer) => filled(answer, { [here]: work }));
  const fake = await startFakeModel(clis[name].service, { answers, models: [clis[name].model] });
  const net = await openNamespace(fake.origin);
  try {
    const env = makeHome(name, home, each.wrongKey ? 'a-wrong-key' : fake.key);
    for (const [path, text] of Object.entries(each.files ?? {})) writeFileSync(join(work, path), text);
    const words = { [here]: work, [session]: '' };
    const play = async (one: Case): Promise<Ran> => {
      const until = fake.requests.length + one.answers.length;
      const args = one.args.map((arg) => filled(arg, words));
      const run = net.start(args, { cwd: work, env: { ...env, ...one.env }, input: one.prompt });
      if (one.killed) {
        while (fake.requests.length < until) await Promise.race([fake.nextRequest(), run.ended]);
        await quiet(run.stdout);
        for (const { pid } of net.processes()) process.kill(pid, 'SIGKILL');
      }
      return run.ended;
    };
    if (each.before) {
      const ran = await play(each.before);
      words[session] = sessionOf(ran.stdout);
      even(ran.stdout);
    }
    const ran = await play(each);
    return {
      type: name,
      version: tools[name].version,
      case: title,
      argv: each.args.map((arg) => even(filled(arg, words))),
      stdin: each.prompt,
      requests: fake.requests.map((request) => `${request.method} ${request.path} ${request.status()}`),
      ...printed(ran, even),
    };
  } finally {
    await net.close();
    await fake.close();
    rmSync(top, { recursive: true, force: true });
  }
}

function printed(ran: Ran, even: (text: string) => string): Pick<Recording, 'status' | 'signal' | 'stdout' | 'stderr'> {
  const lines = (text: string) =>
    even(text)
      .split('\n')
      .slice(0, text.endsWith('\n') ? -1 : undefined);
  return {
    status: ran.status,
    signal: ran.signal,
    stdout: ran.stdout === '' ? [] : lines(ran.stdout).map(parsed),
    stderr: ran.stderr === '' ? [] : lines(ran.stderr),
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

function sessionOf(stdout: string): string {
  const found = /"(?:session_id|thread_id)":"([^"]+)"/.exec(stdout)?.[1];
  if (found === undefined) throw new Error(`no session in what it printed:\n${stdout}`);
  return found;
}

function filled<T extends string | FakeAnswer>(value: T, words: Readonly<Record<string, string>>): T {
  if (typeof value === 'object' && value.wait) throw new Error('an answer that waits has no place in a recording');
  let text = JSON.stringify(value);
  for (const [word, by] of Object.entries(words)) text = text.replaceAll(word, by);
  return JSON.parse(text) as T;
}

/** Until nothing has come for a second. */
async function quiet(read: () => string): Promise<void> {
  for (let seen = '', now = read(); ; now = read()) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    if (now === read() && now === seen) return;
    seen = now;
  }
}
