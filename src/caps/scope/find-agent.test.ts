/** What an agent on a command line means. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRoot, machineHost } from '../../config/index.ts';
import { listAgents } from './agent-list.ts';
import { type Agent, findAgent, findAgents } from './find-agent.ts';
import { type Temporary, temporary } from './temporary.ts';

let t: Temporary;
beforeEach(() => {
  t = temporary();
  mkdirSync(t.at('work'));
});
afterEach(() => t.remove());

const host = () => machineHost({ cwd: t.at('work'), env: { HOME: t.dir, TOOLANG_ROOT: t.at('root') } });
const agent = 'thunk:\n  user: hi\n';

function shown(each: Agent): string {
  const where = each.kind === 'visiting' ? each.ref : t.shown(each.file);
  return `${each.kind} ${each.name} ${where} in ${t.shown(each.home.dir)}`;
}

function all(text: string): string[] | string {
  const found = findAgents(text, host());
  return found.ok ? found.agents.map(shown) : `${found.problem.code} ${found.problem.message}`;
}

describe('a name', () => {
  it('is that of a resident, with agent.too or a file of its name', () => {
    t.write('root/agents/bot/agent.too', agent);
    t.write('root/agents/cat/cat.too', agent);
    t.write('root/agents/agent/agent.too', agent);
    expect(all('bot')).toEqual(['resident bot root/agents/bot/agent.too in root/agents/bot']);
    expect(all('cat')).toEqual(['resident cat root/agents/cat/cat.too in root/agents/cat']);
    expect(all('agent')).toEqual(['resident agent root/agents/agent/agent.too in root/agents/agent']);
  });

  it('goes before a directory of that name, and after that the directory is meant', () => {
    t.write('root/agents/bot/agent.too', agent);
    t.write('work/bot/x.too', agent);
    t.write('work/other/x.too', agent);
    expect(all('bot')).toEqual(['resident bot root/agents/bot/agent.too in root/agents/bot']);
    expect(all('./bot')).toEqual(['roaming x work/bot/x.too in work/bot']);
    expect(all('other')).toEqual(['roaming x work/other/x.too in work/other']);
  });

  it('that nobody has comes with the closest one', () => {
    t.write('root/agents/reviewer/agent.too', agent);
    t.write('work/planner.too', agent);
    expect(all('reviwer')).toBe('TOO5247 there is no agent "reviwer". Did you mean "reviewer"?');
    expect(all('planner')).toBe('TOO5247 there is no agent "planner". Did you mean "planner.too"?');
    expect(all('zzzzzz')).toBe('TOO5247 there is no agent "zzzzzz".');
    expect(all('')).toBe('TOO5247 no agent is named.');
  });

  it('has one source', () => {
    mkdirSync(t.at('root/agents/empty'), { recursive: true });
    t.write('root/agents/two/agent.too', agent);
    t.write('root/agents/two/two.too', agent);
    expect(all('empty')).toBe('TOO5247 the agent "empty" has no source.');
    expect(all('two')).toBe('TOO5247 the agent "two" has two sources, "agent.too" and "two.too".');
  });
});

describe('a file', () => {
  it('is roaming or resident by where it lies', () => {
    t.write('work/deep/x.too', agent);
    mkdirSync(t.at('work/.toolang'));
    t.write('root/agents/bot/agent.too', agent);
    t.write('root/agents/bot/helper.too', agent);
    expect(all('deep/x.too')).toEqual(['roaming x work/deep/x.too in work']);
    expect(all('~/work/deep/x.too')).toEqual(['roaming x work/deep/x.too in work']);
    expect(all('../root/agents/bot/agent.too')).toEqual(['resident bot root/agents/bot/agent.too in root/agents/bot']);
    expect(all('../root/agents/bot/helper.too')).toEqual([
      'resident helper root/agents/bot/helper.too in root/agents/bot',
    ]);
  });

  it('that is none is told', () => {
    t.write('work/review.too', agent);
    t.write('work/agents.too', '');
    t.write('work/notes/x.md', '');
    expect(all('reviw.too')).toBe('TOO5001 "reviw.too" does not exist.');
    const found = findAgents('reviw.too', host());
    expect(!found.ok && found.problem.help).toBe('Did you mean "review.too"?');
    expect(all('./none')).toBe('TOO5001 "./none" does not exist.');
    expect(all('none/')).toBe('TOO5001 "none/" does not exist.');
    expect(all('agents.too')).toBe('TOO5247 "agents.too" is never an agent.');
    expect(all('notes/x.md')).toBe('TOO5247 "notes/x.md" is not a .too file.');
    expect(all('flow.toon')).toBe('TOO5247 "flow.toon" is a workflow, and no agent.');
  });
});

describe('a directory', () => {
  it('stands for its top-level .too files, but not agents.too', () => {
    for (const name of ['b.too', 'a.too', 'agents.too', 'deep/c.too', 'x.toon']) t.write(`work/${name}`, agent);
    expect(all('.')).toEqual(['roaming a work/a.too in work', 'roaming b work/b.too in work']);
    expect(findAgent('.', host())).toMatchObject({
      ok: false,
      problem: { message: '"." has several agents.', help: 'Name one of them: a.too, b.too.' },
    });
    expect(findAgent('deep', host())).toMatchObject({ ok: true, agent: { name: 'c' } });
  });

  it('without any is told', () => {
    expect(all('.')).toBe('TOO5247 there is no .too file in ".".');
  });
});

describe('a reference', () => {
  it('is a visiting agent, whose home is in guests', () => {
    for (const ref of ['acme/bot', 'acme/agents/bot@v1', 'github://acme/agents/bot.too@main', 'https://x.y/bot.too']) {
      const found = findAgent(ref, host());
      if (!found.ok) throw new Error(found.problem.message);
      expect(shown(found.agent)).toMatch(new RegExp(`^visiting bot ${ref} in root/guests/bot-[0-9a-f]{12}$`));
      expect(found.agent.home.caps).toBeUndefined();
    }
    expect(all('acme/bot')).toEqual(all('acme/bot'));
    expect(all('acme/bot')).not.toEqual(all('acme/bot@v2'));
  });

  it('gives way to a path that is there', () => {
    t.write('work/acme/bot/x.too', agent);
    expect(all('acme/bot')).toEqual(['roaming x work/acme/bot/x.too in work/acme/bot']);
  });

  it('that is none is told', () => {
    expect(all('home://skills/x')).toBe('TOO5247 "home://skills/x" names a cap, and no agent.');
    expect(all('gihub://a/b/c@x')).toMatch(/^TOO5306 /);
    expect(all('github://acme/agents@main')).toBe(
      'TOO5308 "github://acme/agents@main" names a repository, and no agent in it.',
    );
    expect(all('a/b/c/d')).toMatch(/^TOO5308 /);
  });
});

it('the agents of the root are its residents and guests', () => {
  const root = findRoot(host());
  expect(listAgents(root)).toEqual({ residents: [], guests: [] });
  t.write('root/agents/bot/agent.too', agent);
  t.write('root/agents/bot/helper.too', agent);
  t.write('root/agents/bot/agents.too', '');
  mkdirSync(t.at('root/agents/empty'));
  mkdirSync(t.at('root/agents/.hidden'));
  mkdirSync(t.at('root/guests/my-bot-0123456789ab'), { recursive: true });
  const { residents, guests } = listAgents(root);
  expect(residents.map(({ name, file }) => [name, file && t.shown(file)])).toEqual([
    ['bot', 'root/agents/bot/agent.too'],
    ['empty', undefined],
    ['helper', 'root/agents/bot/helper.too'],
  ]);
  expect(guests).toEqual([
    { name: 'my-bot', hash: '0123456789ab', dir: path.join(root.guests, 'my-bot-0123456789ab') },
  ]);
});
