/** `list`, `show`, `path`, `new`, `edit` and `delete` of caps. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentText, fillHub, type Kit, makeKit, skillText } from '../../../test/caps/kit.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
  kit.write('work/agent.too', `psyche calm:\n  Be calm.\n\n${agentText}`);
  kit.write('work/.toolang/prompts/hello.md', 'Say hello.\n');
  kit.write('.toolang/prompts/hello.md', 'Say nothing.\n');
  kit.write('.toolang/skills/review/SKILL.md', skillText('Look.'));
});
afterEach(() => kit.remove());

describe('list', () => {
  test('is a table of all scopes, with what is off', async () => {
    expect(await kit.cli('caps list')).toMatchObject({
      code: 0,
      err: '',
      out: [
        'KIND    NAME    SOURCE                               FORM    SCOPE  REF  STATUS',
        'psyche  calm    agent.too:1                          inline  here        active',
        'prompt  hello   .toolang/prompts/hello.md:1          file    home        active',
        'skill   review  ~/.toolang/skills/review/SKILL.md:1  file    root        root is off',
        'prompt  hello   ~/.toolang/prompts/hello.md:1        file    root        root is off',
        '',
      ].join('\n'),
    });
  });

  test('has filters, which know the closest word', async () => {
    const names = async (line: string) =>
      (await kit.cli(line)).out
        .split('\n')
        .slice(1, -1)
        .map((row) => row.split(/ +/).slice(0, 2).join(' '));
    expect(await names('caps list --filter prompt')).toEqual(['prompt hello', 'prompt hello']);
    expect(await names('caps list --global --filter "kind:prompt status:shadowed"')).toEqual(['prompt hello']);
    expect(await names('caps list --filter scope:shared')).toEqual(['prompt hello']);
    expect(await names('caps list --filter form:local,name:re*')).toEqual(['skill review']);
    expect(await names('skill list')).toEqual(['skill review']);
    expect(await kit.cli('caps list --filter scope:hoem')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "home"? (TOO5246)'),
    });
  });

  test('says that there is nothing, and which agent is not there', async () => {
    expect(await kit.cli('service list')).toMatchObject({ code: 0, out: '', err: 'no services here\n' });
    expect(await kit.cli('caps list ./agnet.too')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "agent.too"?'),
    });
  });

  test('lists the rest where a file is wrong, tells of it, and exits 2', async () => {
    kit.write('work/.toolang/skills/bad/SKILL.md', '---\nname: bad\n---\nx\n');
    const { code, out, err } = await kit.cli('caps list');
    expect(code).toBe(2);
    expect(out).toContain('prompt  hello');
    expect(err).toContain('.toolang/skills/bad/SKILL.md:2:1  error');
  });

  test('on a terminal, long names give way to its width; elsewhere they are whole', async () => {
    const ref = `github://acme/skills/${'deep/'.repeat(12)}review@main`;
    kit.write('work/.toolang/config.toml', `[skills]\nreview = { ref = "${ref}" }\n`);
    const { out } = await kit.cli('caps list', { shown: true, columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^skill .*…/m);
    expect((await kit.cli('caps list')).out).toContain(ref);
  });

  test('says what a filter lets through, if it is nothing', async () => {
    expect((await kit.cli('caps list --filter zzz')).err).toBe('no caps here fit "zzz"\n');
    expect((await kit.cli('skill list --filter zzz')).err).toBe('no skills here fit "zzz"\n');
  });

  test('of a directory with several agents, shows what they share, and how to see theirs', async () => {
    kit.write('work/other.too', agentText);
    const { out, err } = await kit.cli('caps list');
    expect(out).not.toContain('calm');
    expect(err).toBe('2 agents lie here, each with its own besides: toolang caps list agent.too\n');
    expect((await kit.cli('caps list agent.too')).out).toContain('calm');
  });
});

describe('show and path', () => {
  test('show the one that wins, where the others of that name are, and its text', async () => {
    expect(await kit.cli('prompt show hello')).toMatchObject({
      code: 0,
      err: '',
      out: [
        'prompt hello',
        '  status   active',
        '  scope    home, file',
        '  written  .toolang/prompts/hello.md:1',
        '  ref      home://prompts/hello',
        '  also     root file, ~/.toolang/prompts/hello.md:1: root is off',
        '',
        'Say hello.',
        '',
      ].join('\n'),
    });
    expect((await kit.cli('prompt show root://prompts/hello')).out).toContain('Say nothing.');
    expect((await kit.cli('prompt show hello --scope global')).out).toContain('Say nothing.');
  });

  test('of what was never synced say so', async () => {
    expect((await kit.cli('psyche show calm')).err).toBe('its text comes with "toolang sync"\n');
    expect(await kit.cli('psyche path calm')).toMatchObject({ code: 2, err: expect.stringContaining('toolang sync') });
    await kit.cli('sync');
    expect((await kit.cli('psyche show calm')).out).toContain('\nBe calm.\n');
    expect(await kit.cli('psyche path calm')).toMatchObject({
      code: 0,
      err: '',
      out: `${kit.at('work/.toolang/agents/agent/sync/inline/psyches/calm.md')}\n`,
    });
    expect((await kit.cli('skill path review')).out).toBe(`${kit.at('.toolang/skills/review')}\n`);
  });

  test('know the closest name, and another kind', async () => {
    expect((await kit.cli('prompt show helo')).err).toContain('Did you mean "hello"?');
    expect((await kit.cli('skill show home://prompts/hello')).err).toContain('is a prompt, not a skill');
    expect((await kit.cli('prompt show home://prompt/hello')).err).toContain('(TOO5245)');
  });
});

describe('new, edit and delete', () => {
  test.each(['psyche', 'skill', 'service', 'prompt'])('a new %s is right as it is', async (kind) => {
    const { code, out } = await kit.cli(`${kind} new fresh`);
    const file = kind === 'skill' ? '.toolang/skills/fresh/SKILL.md' : `.toolang/${kind}s/fresh.md`;
    expect(code).toBe(0);
    expect(out).toBe(`made ${file}\n\nnext\n  toolang ${kind} edit fresh\n  toolang sync\n`);
    expect((await kit.cli(`check ${file}`)).code).toBe(0);
    expect(await kit.cli(`${kind} new fresh`)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is there already'),
    });
  });

  test('are in the root with --scope root, and never here', async () => {
    await kit.cli('skill new fresh --scope root');
    expect(kit.has('.toolang/skills/fresh/SKILL.md')).toBe(true);
    expect((await kit.cli('skill new fresh --scope here')).err).toContain('Write "skill fresh:" there.');
    expect((await kit.cli('skill new a/b')).err).toContain('not a name that agents can use');
  });

  test('a copy of what a reference brings is one’s own', async () => {
    fillHub(kit);
    expect(await kit.cli('skill new mine --from acme/review')).toMatchObject({ code: 2 });
    expect(kit.has('work/.toolang/skills/mine')).toBe(false);
    const { code, err } = await kit.cli('skill new mine --from acme/review --yes');
    expect(code).toBe(0);
    expect(err).toContain('script    scripts/count.sh');
    expect(kit.list('work/.toolang/skills/mine')).toEqual(['SKILL.md', 'scripts/count.sh']);
    expect(kit.has('work/toolang.lock')).toBe(false);
    expect((await kit.cli('skill new other --from acme/revew --yes')).err).toContain('(TOO5316)');
  });

  test('the editor is started with the file, which is checked afterwards', async () => {
    const editor = kit.write(
      'bin/edit.mjs',
      "import fs from 'node:fs'; fs.appendFileSync(process.argv.at(-1), process.argv[2]);",
    );
    const env = { EDITOR: `"${process.execPath}" "${editor}" " And goodbye."` };
    expect(await kit.cli('prompt edit hello', { env })).toMatchObject({ code: 0, out: '', err: '' });
    expect(kit.read('work/.toolang/prompts/hello.md')).toBe('Say hello.\n And goodbye.');
    expect((await kit.cli('skill edit review --scope root', { env })).code).toBe(0);
    kit.write('work/.toolang/skills/thin/SKILL.md', skillText('x'));
    const broken = { VISUAL: `"${process.execPath}" -e "fs.writeFileSync(process.argv.at(-1), 'nothing')"` };
    const { code, err } = await kit.cli('skill edit thin', { env: broken });
    expect(code).toBe(2);
    expect(err).toContain('.toolang/skills/thin/SKILL.md:1:1  error');
  });

  test('without an editor, or with one that fails, it is told', async () => {
    expect((await kit.cli('prompt edit hello')).err).toBe(
      'toolang: there is no editor: VISUAL and EDITOR are not set.\n  The file is .toolang/prompts/hello.md\n',
    );
    expect(await kit.cli('prompt edit hello', { env: { EDITOR: 'false' } })).toMatchObject({
      code: 1,
      err: 'toolang: the editor ended with 1.\n',
    });
    expect(await kit.cli('prompt edit hello', { env: { EDITOR: 'no-such-editor' } })).toMatchObject({ code: 1 });
  });

  test('delete asks, and removes a skill with its files', async () => {
    kit.write('.toolang/skills/review/notes.md', 'x\n');
    expect((await kit.cli('skill delete review')).err).toContain('To do it unasked: --yes');
    expect(await kit.cli('skill delete review', { typed: true, stdin: 'n\n' })).toMatchObject({ code: 1 });
    expect(kit.has('.toolang/skills/review/SKILL.md')).toBe(true);
    const { code, err } = await kit.cli('skill delete review', { typed: true, stdin: 'y\n' });
    expect(code).toBe(0);
    expect(err).toContain('with its 2 files');
    expect(kit.has('.toolang/skills/review')).toBe(false);
  });

  test('what comes from elsewhere is neither edited nor deleted; what is declared is edited in its file', async () => {
    fillHub(kit);
    await kit.cli('service add acme/clock --yes');
    expect((await kit.cli('service edit clock')).err).toContain('toolang service new clock --from acme/clock');
    expect((await kit.cli('service delete clock --scope home --yes')).err).toContain(
      'toolang service remove clock --scope home',
    );
    expect((await kit.cli('psyche delete calm --yes')).err).toContain('is written in agent.too:1');
    expect((await kit.cli('psyche edit calm', { env: { EDITOR: 'true' } })).code).toBe(0);
  });
});
