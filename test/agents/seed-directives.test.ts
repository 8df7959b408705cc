/** Seed rules about directives: what each operator makes of each set, in order, as it is offered to the model. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeHttp, fakeHttp } from '../fake-services/http.ts';
import { useKit } from './kit.ts';
import type { Sent } from './sent.ts';

const kit = useKit();
let mcp: FakeHttp;
let caps: string;

beforeAll(async () => {
  mcp = await fakeHttp();
  const service = (name: string) =>
    `service ${name}:\n  description = The ${name}.\n  transport = http\n  target = ${mcp.url}\n\n`;
  const skill = (name: string) => `skill ${name}:\n  description = For ${name}.\n  Do ${name}.\n\n`;
  const psyche = (name: string) => `psyche ${name}:\n  Be ${name}.\n\n`;
  caps = [skill('one'), skill('two'), service('east'), service('west'), psyche('calm'), psyche('bold')].join('');
});

afterAll(() => mcp.close());

async function sentWith(directives: string, more = ''): Promise<Sent> {
  const lines = directives.split('; ').map((line) => `  ${line}\n`);
  const { sent, err, code } = await kit.ask(
    `${caps}thunk go:\n${directives === '' ? '' : lines.join('')}  user: Hi.\n${more}`,
    ['go', 'x'],
  );
  expect([code, err]).toEqual([0, expect.any(String)]);
  return sent;
}

const skillsIn = ({ system }: Sent) => ['one', 'two'].filter((name) => system.includes(`- ${name}: For ${name}.`));
const psychesIn = ({ system }: Sent) =>
  ['calm', 'bold'].filter((name) => system.includes(`<psyche name="${name}">\nBe ${name}.\n</psyche>`));
const servicesIn = ({ tools }: Sent) => ['east', 'west'].filter((name) => tools.includes(`${name}__echo`));
const triggersIn = ({ system }: Sent) => ['east', 'west'].filter((name) => system.includes(`- ${name}: The ${name}.`));
const setsIn = ({ tools }: Sent) =>
  [...new Set(tools.map((name) => name.split('__')[0] ?? ''))].filter(
    (set) => !['east', 'west', 'skill'].includes(set),
  );

describe('a thunk starts from the default set', () => {
  it('skills, services and psyches: all visible ones; tools: filesystem; hands and handoffs: none', async () => {
    const sent = await sentWith('', '\nthunk other:\n  user: Hi.\n');
    expect([skillsIn(sent), servicesIn(sent), triggersIn(sent), psychesIn(sent)]).toEqual([
      ['one', 'two'],
      ['east', 'west'],
      ['east', 'west'],
      ['calm', 'bold'],
    ]);
    expect(setsIn(sent)).toEqual(['filesystem']);
    expect(sent.tools.filter((name) => /other|handoff/.test(name))).toEqual([]);
    expect(sent.tools).toContain('skill');
  });

  it('tools: what [tools] default of the configuration says', async () => {
    kit.s.write('.toolang/config.toml', '[tools]\ndefault = ["web", "filesystem/read"]\n');
    const { sent } = await kit.ask('thunk:\n  user: Hi.\n', ['x']);
    expect(sent.tools).toEqual(['web__fetch', 'filesystem__read']);
  });
});

describe('= sets, += adds, -= removes, in order', () => {
  it.each([
    ['skills = two', ['two']],
    ['skills -= one', ['two']],
    ['skills = one; skills += two', ['one', 'two']],
    ['skills = one, two; skills -= one', ['two']],
    ['skills -= one; skills += one', ['one', 'two']],
    ['skills += one; skills = two', ['two']],
    ['skills -= one, two', []],
  ])('%s', async (directives, expected) => {
    const sent = await sentWith(directives);
    expect(skillsIn(sent).sort()).toEqual(expected);
    expect(sent.tools.includes('skill')).toBe(expected.length > 0);
  });

  it.each([
    ['services = west', ['west']],
    ['services -= west', ['east']],
    ['services = west; services += east', ['east', 'west']],
    ['services -= east, west', []],
  ])('%s', async (directives, expected) => {
    const sent = await sentWith(directives);
    expect([servicesIn(sent).sort(), triggersIn(sent).sort()]).toEqual([expected, expected]);
  });

  it.each([
    ['psyches = bold', ['bold']],
    ['psyches -= bold', ['calm']],
    ['psyches = bold; psyches += calm', ['bold', 'calm']],
    ['psyches -= calm, bold', []],
  ])('%s', async (directives, expected) => {
    expect(psychesIn(await sentWith(directives)).sort()).toEqual(expected.toSorted());
  });

  it.each([
    ['tools = shell', ['shell__run']],
    ['tools = shell, filesystem/read', ['shell__run', 'filesystem__read']],
    ['tools -= filesystem', []],
    [
      'tools -= filesystem/write, filesystem/edit, filesystem/glob, filesystem/grep',
      ['filesystem__read', 'filesystem__list'],
    ],
    ['tools = shell; tools += web/fetch; tools -= shell', ['web__fetch']],
    ['tools -= filesystem; tools += filesystem/read', ['filesystem__read']],
    ['tools = web, web/fetch, shell; tools -= web/fetch', ['shell__run']],
    ['tools = web/fetch, web, shell; tools -= web', ['shell__run']],
  ])('%s', async (directives, expected) => {
    const sent = await sentWith(`${directives}; services -= east, west; skills -= one, two`);
    expect(sent.tools).toEqual(expected);
  });

  it.each([
    ['hands = sum', ['sum']],
    ['hands += sum, mean', ['sum', 'mean']],
    ['hands = sum, mean; hands -= sum', ['mean']],
    ['handoffs = sum', ['handoff_to_sum']],
    ['handoffs += sum; handoffs += mean; handoffs -= sum', ['handoff_to_mean']],
    ['hands += sum; handoffs += sum', ['sum', 'handoff_to_sum']],
    ['hands -= sum', []],
  ])('%s', async (directives, expected) => {
    const others = '\nthunk sum(input: Message):\n  user: S.\n\nthunk mean(input: Message):\n  user: M.\n';
    const sent = await sentWith(
      `tools -= filesystem; services -= east, west; skills -= one, two; ${directives}`,
      others,
    );
    expect(sent.tools).toEqual(expected);
  });
});

describe('tools of services', () => {
  it.each([
    ['tools = east/echo; services = east', ['east__echo']],
    ['tools = east; services = east', 'all'],
    ['tools = east/echo, east; services = east', 'all'],
    ['tools = shell; services = east', 'all'],
    ['services = east; tools -= east/die, east/fail', 'some'],
    ['services = east; tools += east; tools -= east/die, east/fail', 'some'],
    ['services = east; tools += east/echo, east/die; tools -= east/die', ['east__echo']],
    ['services = east; tools += east, east/die, east/fail; tools -= east/die, east/fail', 'some'],
    ['services = east; tools -= east', []],
  ])('%s', async (directives, expected) => {
    const sent = await sentWith(`skills -= one, two; tools = shell; ${directives}`);
    const own = sent.tools.filter((name) => name.startsWith('east__'));
    if (Array.isArray(expected)) expect(own).toEqual(expected);
    else {
      expect(own).toContain('east__echo');
      expect(own.includes('east__die')).toBe(expected === 'all');
      expect(own.includes('east__fail')).toBe(expected === 'all');
    }
    expect(sent.tools.some((name) => name.startsWith('west__'))).toBe(false);
  });
});

it('a tool of a service that is taken away and not there stops it, as one that is named and not there does', async () => {
  for (const line of ['tools -= east/ecoh', 'tools = east/ecoh']) {
    const source = `${caps}thunk:\n  ${line}\n  services = east\n  user: Hi.\n`;
    for (const each of [source, source.replace('  services = east\n', '')]) {
      const { code, err, requests } = await kit.ask(each, ['x']);
      expect([code, requests]).toEqual([1, []]);
      expect(err).toContain('Did you mean "east/echo"?');
    }
  }
});

describe('operands name items of the ceiling', () => {
  beforeEach(() => {
    kit.s.write('.toolang/skills/home-skill/SKILL.md', '---\ndescription: Of the home.\n---\nDo.\n');
  });

  it.each([
    ['skills += onee', 'Did you mean "one"?'],
    ['services = eest', 'Did you mean "east"?'],
    ['psyches = clam', 'Did you mean "calm"?'],
    ['tools = filesytem', 'Did you mean "filesystem"?'],
    ['tools = filesystem/raed', 'filesystem/read'],
    ['hands = suum', 'Did you mean "sum"?'],
    ['handoffs = suum', 'Did you mean "sum"?'],
  ])('runtime validation checks referenced models, caps, tools, hands, and handoffs: %s', async (line, hint) => {
    const source = `${caps}thunk go:\n  ${line}\n  user: Hi.\n\nthunk sum:\n  user: S.\n`;
    const { code, err, requests } = await kit.ask(source, ['go', 'x']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain(hint);
  });

  it('a model that does not exist is refused with the closest, before anything is asked', async () => {
    const { code, err, requests } = await kit.ask('thunk:\n  models = openai/gpt-55\n', ['x']);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain('gpt-5');
  });

  it.each([
    [['--tools', 'filesystem/read'], ['filesystem__read']],
    [['--tools', 'filesystem/r*'], ['filesystem__read']],
    [['--tools', 'east/echo'], ['east__echo']],
    [['--tools', 'east/ec*,web'], ['east__echo']],
    [
      ['--tools', '*/echo'],
      ['east__echo', 'west__echo'],
    ],
    [
      ['--caps', '[scope:home]'],
      ['filesystem', 'skill'],
    ],
  ])('nothing can reach past what the command line allows: %j', async (flags, expected) => {
    const { sent, code } = await kit.ask(`${caps}thunk:\n  skills -= one, two\n  skills += home-skill\n  user: Hi.\n`, [
      ...flags,
      'x',
    ]);
    expect(code).toBe(0);
    const some = sent.tools.filter((name) => name !== 'skill' || expected.includes('skill'));
    expect([...new Set(some.map((name) => (expected.includes(name) ? name : (name.split('__')[0] ?? ''))))]).toEqual(
      expected,
    );
  });

  it.each([
    [
      'tools = shell',
      '--tools',
      'filesystem',
      'names the tool "shell", which it may not use here: --tools leaves it out',
    ],
    ['skills = one', '--caps', 'kind:psyche', 'names the skill "one", which it may not use here: --caps leaves it out'],
    ['skills = home-skill', '--no-shared', '', 'caps of the home are off'],
    ['models = openai/gpt-5', '--models', 'anthropic/*', '--models leaves them out'],
  ])('%s with %s %s is refused, because the file names it', async (line, flag, value, reason) => {
    const words = [flag, ...(value === '' ? [] : [value]), 'x'];
    const { code, err, requests } = await kit.ask(`${caps}thunk:\n  ${line}\n  user: Hi.\n`, words);
    expect([code, requests]).toEqual([2, []]);
    expect(err).toContain(reason);
  });
});
