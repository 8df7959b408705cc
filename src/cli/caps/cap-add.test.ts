/** `add`, `remove` and `update` of references, with real git. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit, skillText } from '../../../test/caps/kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  fillHub(kit);
  kit.write('work/agent.too', agentText);
});
afterEach(() => kit.remove());

const config = 'work/.toolang/config.toml';

describe('add', () => {
  test.each([
    ['psyche', 'careful', '[psyches]\ncareful = { ref = "acme/careful" }\n'],
    ['skill', 'review', '[skills]\nreview = { ref = "acme/review" }\n'],
    ['service', 'github', '[services]\ngithub = { ref = "acme/github" }\n'],
    ['prompt', 'rewrite', '[prompts]\nrewrite = { ref = "acme/rewrite" }\n'],
  ])('wires a %s in the home, and syncs', async (kind, name, written) => {
    const { code, out } = await kit.cli(`${kind} add acme/${name} --yes`);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^\\+ added    ${kind} ${name} +home wired  acme/${name}\n$`));
    expect(kit.read(config)).toBe(written);
    expect(kit.list(`work/.toolang/sync/wired/${kind}s`).length).toBeGreaterThan(0);
    expect(kit.read('work/toolang.lock')).toContain(`"ref": "acme/${name}"`);
  });

  test('writes into the root where there is no home, and says so with --scope root', async () => {
    kit.write('plain/notes.txt', '');
    expect((await kit.cli('skill add acme/review --yes', { in: 'plain' })).code).toBe(0);
    expect(kit.read('.toolang/config.toml')).toContain('acme/review');
    expect((await kit.cli('prompt add acme/rewrite --yes --scope global')).code).toBe(0);
    expect(kit.read('.toolang/config.toml')).toContain('acme/rewrite');
    expect(kit.has(config)).toBe(false);
  });

  test('writes a use line for one agent, below those that are there, and keeps the rest', async () => {
    kit.write('work/agent.too', `##! Mine.\nuse prompt acme/rewrite # why\n\n${agentText}`);
    expect((await kit.cli('skill add acme/review@main --scope agent --yes')).code).toBe(0);
    expect(kit.read('work/agent.too')).toBe(
      `##! Mine.\nuse prompt acme/rewrite # why\nuse skill acme/review@main\n\n${agentText}`,
    );
    kit.write('work/agent.too', `##! Mine.\n\n# Goes.\n${agentText}`);
    expect((await kit.cli('skill add acme/review --scope here --agent ./agent.too --yes')).code).toBe(0);
    expect(kit.read('work/agent.too')).toBe(`##! Mine.\n\nuse skill acme/review\n\n# Goes.\n${agentText}`);
  });

  test('keeps the comments of config.toml, and takes another name', async () => {
    kit.write(config, '# Ours.\n[skills]\nold = { ref = "acme/review@main" } # Stays.\n');
    expect((await kit.cli('skill add acme/review --name look --yes')).code).toBe(0);
    expect(kit.read(config)).toBe(
      '# Ours.\n[skills]\nold = { ref = "acme/review@main" } # Stays.\nlook = { ref = "acme/review" }\n',
    );
    expect(kit.list('work/.toolang/sync/wired/skills/look')).toEqual(['SKILL.md', 'scripts/count.sh']);
  });

  test('says of one that is there already that it is, and of another by that name what to do', async () => {
    await kit.cli('skill add acme/review --yes');
    expect(await kit.cli('skill add acme/review')).toMatchObject({
      code: 0,
      err: 'skill "review" is there already, from acme/review\n',
    });
    const { code, err } = await kit.cli('skill add acme/review@main');
    expect(code).toBe(2);
    expect(err).toContain('Take it away first: toolang skill remove review --scope home');
  });

  test.each([
    ['skill add acme/revew --yes', 'TOO5316'],
    ['skill add acme/review', 'TOO5404'],
    ['skill add review', 'TOO5303'],
    ['skill add home://skills/x', 'TOO5302'],
    ['service add github://acme/services/services/github.md', 'TOO5305'],
    ['skill add acme/review --scope here --name other', 'a "use" line gives no other name'],
    ['skill add acme/review --scope hoem', 'Did you mean "home"?'],
    ['skill add acme/review --agent nobody', 'there is no agent "nobody"'],
  ])('is all or nothing: %s', async (line, said) => {
    kit.write(config, '# Ours.\n');
    const { code, out, err } = await kit.cli(line);
    expect(code).toBe(2);
    expect(err).toContain(said);
    expect(out).toBe('');
    expect(kit.read(config)).toBe('# Ours.\n');
    expect(kit.read('work/agent.too')).toBe(agentText);
    expect(kit.has('work/toolang.lock')).toBe(false);
    expect(kit.list('work/.toolang/sync')).toEqual([]);
  });

  test('leaves no config.toml where there was none', async () => {
    expect((await kit.cli('skill add acme/revew --yes')).err).toContain('.toolang/config.toml is as it was\n');
    expect(kit.has(config)).toBe(false);
  });

  test('asks where somebody can be asked, and takes no for an answer', async () => {
    const no = await kit.cli('skill add acme/review --scope here', { typed: true, stdin: 'n\n' });
    expect(no).toMatchObject({ code: 2, out: '' });
    expect(no.err).toContain('Use it? [y/N] not accepted: nothing was changed\nagent.too is as it was\n');
    expect(kit.read('work/agent.too')).toBe(agentText);
    expect((await kit.cli('skill add acme/review --scope here', { typed: true, stdin: 'y\n' })).code).toBe(0);
  });

  test('the scope of an agent needs one, that of a home needs one too', async () => {
    kit.write('two/a.too', agentText);
    kit.write('two/b.too', agentText);
    expect((await kit.cli('skill add acme/review --scope here --yes', { in: 'two' })).err).toContain(
      'the scope "here" is that of an agent.\n  Say which: --agent NAME, or --agent file.too',
    );
    kit.write('plain/notes.txt', '');
    expect((await kit.cli('skill add acme/review --scope home --yes', { in: 'plain' })).err).toContain(
      'there is no home here.',
    );
  });
});

describe('what is shown before it is accepted', () => {
  test('is where it comes from, its files, and which of them are scripts', async () => {
    const { err } = await kit.cli('skill add acme/review');
    const commit = kit.hub.git('acme/skills', ['rev-parse', 'main']).slice(0, 12);
    expect(err).toBe(
      [
        `skill review  acme/review  ${commit}`,
        '  from      https://github.com/acme/skills skills/review',
        '  says      Reviews code.',
        '  file      SKILL.md  49 bytes',
        '  script    scripts/count.sh  16 bytes',
        'toolang: 1 new reference must be accepted, and nobody can be asked here; nothing was changed. (TOO5404)',
        '  Read what is shown above. To accept it: --yes',
        '',
      ].join('\n'),
    );
  });

  test('of a service is what it starts or calls, and which variables it is given', async () => {
    expect((await kit.cli('service add acme/github')).err).toContain(
      '  calls     https://mcp.example.com/mcp\n  is given  $GITHUB_TOKEN\n',
    );
    expect((await kit.cli('service add acme/clock')).err).toContain('  runs      clock serve --utc\n  is given  $TZ\n');
  });

  test('moves no cursor and sets no colour', async () => {
    const skill = '---\ndescription: "Nice\\e[2K\\rskill"\n---\nx\n';
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skill });
    const { err } = await kit.cli('skill add acme/review');
    expect(err).toContain('  says ');
    expect(err).not.toMatch(/[\u001b\r]/);
  });
});

describe('remove', () => {
  test('takes the reference out of the file it stands in, and what was synced of it away', async () => {
    kit.write(config, '# Ours.\n');
    await kit.cli('skill add acme/review --yes');
    await kit.cli('prompt add acme/rewrite --scope here --yes');
    expect(await kit.cli('skill remove review')).toMatchObject({ code: 0 });
    expect(kit.read(config)).not.toContain('acme/review');
    expect(kit.read(config)).toContain('# Ours.');
    expect(kit.list('work/.toolang/sync/wired')).toEqual([]);
    expect((await kit.cli('prompt remove rewrite --scope here')).out).toMatch(
      /^- removed {2}prompt rewrite +here ref\n/,
    );
    expect(kit.read('work/agent.too')).toBe(agentText);
    expect(kit.has('work/toolang.lock')).toBe(false);
  });

  test('takes nothing from the root unless it is said so', async () => {
    await kit.cli('skill add acme/review --scope root --yes');
    expect(await kit.cli('skill remove review')).toMatchObject({
      code: 2,
      err: expect.stringContaining('To take it away from all of them: toolang skill remove review --scope root'),
    });
    expect((await kit.cli('skill remove review --scope root')).code).toBe(0);
  });

  test('a config.toml that cannot be read is told, with its place', async () => {
    kit.write(config, '[skills\n');
    const { code, err } = await kit.cli('skill add acme/review --yes');
    expect(code).toBe(2);
    expect(err).toContain('.toolang/config.toml:1:8  error TOO5101');
    expect(kit.read(config)).toBe('[skills\n');
    expect((await kit.cli('skill remove review')).err).toContain('and what is wrong with others');
  });

  test('knows the closest name, and what is no reference', async () => {
    await kit.cli('skill add acme/review --yes');
    expect((await kit.cli('skill remove revew')).err).toBe(
      'toolang: there is no skill "revew" here. Did you mean "review"?\n  toolang skill list shows those that there are.\n',
    );
    kit.write('work/.toolang/prompts/own.md', 'Mine.\n');
    expect(await kit.cli('prompt remove own')).toMatchObject({
      code: 2,
      err: expect.stringContaining('To delete its file: toolang prompt delete own'),
    });
  });
});

describe('update', () => {
  test('moves a reference, and shows what has changed', async () => {
    await kit.cli('skill add acme/review --yes');
    await kit.cli('prompt add acme/rewrite --yes');
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skillText('Look twice.') });
    expect((await kit.cli('sync')).err).toBe('up to date: the caps of 1 agent\n');
    const { code, out, err } = await kit.cli('skill update review --yes');
    expect(code).toBe(0);
    expect(out).toMatch(/^~ updated {2}skill review +home wired {2}acme\/review\n$/);
    expect(err).toContain('  -Look closely.\n  +Look twice.\n');
    expect(err).toContain('--- scripts/count.sh\n  +++ /dev/null\n');
    expect(kit.read('work/.toolang/sync/wired/skills/review/SKILL.md')).toBe(skillText('Look twice.'));
    expect(await kit.cli('skill update')).toMatchObject({ code: 0, err: 'up to date\n' });
  });

  test('that is not accepted leaves everything as it was', async () => {
    await kit.cli('skill add acme/review --yes');
    const lock = kit.read('work/toolang.lock');
    kit.hub.commit('acme/skills', { 'skills/review/SKILL.md': skillText('Look twice.') });
    expect((await kit.cli('skill update', { typed: true, stdin: 'n\n' })).code).toBe(2);
    expect(kit.read('work/toolang.lock')).toBe(lock);
    expect(kit.read('work/.toolang/sync/wired/skills/review/SKILL.md')).toBe(skillText('Look closely.'));
  });

  test('is refused of what is written here, and of what is not there', async () => {
    kit.write('work/.toolang/prompts/own.md', 'Mine.\n');
    expect((await kit.cli('prompt update own')).err).toContain('nothing can be fetched for it');
    expect((await kit.cli('prompt update onw')).err).toContain('Did you mean "own"?');
  });
});
