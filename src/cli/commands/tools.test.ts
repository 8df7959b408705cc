import { afterEach, beforeEach, expect, test } from 'vitest';
import { rudeFile, stdioFile } from '../../../test/fake-services/kit.ts';
import { violations } from '../../../test/json-schema.ts';
import { type Scratch, scratch } from '../scratch.ts';

let s: Scratch;
beforeEach(() => {
  s = scratch();
});
afterEach(() => s.remove());

const service = '---\ndescription: Issues of ours.\ntransport: http\ntarget: https://x.y/mcp\n---\n';

test('lists sets, tools, services and permissions', async () => {
  s.write('.toolang/services/github.md', service);
  s.write(
    '.toolang/config.toml',
    '[tools]\ndefault = ["filesystem", "web/fetch"]\n[permissions]\ndeny = ["shell(rm *)"]\nask = ["web"]\n',
  );
  const { code, out, err } = await s.cli(['tools']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('filesystem  of every thunk that names no tools\n');
  expect(out).toMatch(/ {2}filesystem\/read +Reads a text file of the workspace\.\n/);
  expect(out).toContain('shell  of thunks that name it\n');
  expect(out).toContain('web  of every thunk that names no tools\n');
  expect(out).toContain('skill  of thunks that have skills\n');
  expect(out).toMatch(/ {2}github +http, \.toolang\/services\/github\.md: Issues of ours\.\n/);
  expect(out).toContain('permissions\n  deny   shell(rm *)\n  ask    web\n');
});

test('describes one tool, or one set', async () => {
  s.write('.toolang/config.toml', '[permissions]\nallow = ["filesystem/read(src/**)", "shell"]\n');
  const { code, out } = await s.cli(['tools', 'filesystem/read']);
  expect(code).toBe(0);
  expect(out).toContain('filesystem/read(path, line?, column?, lines?, numbers?)\n');
  expect(out).toMatch(/ {2}path: Text +The file, relative to the workspace\.\n/);
  expect(out).toContain('permissions\n  allow  filesystem/read(src/**)\n');
  expect(out).toContain('"additionalProperties": false');
  const set = await s.cli(['tools', 'filesystem']);
  expect(set.out).toContain('filesystem/grep');
  expect(set.out).not.toContain('shell');
});

test('an unknown one is answered with the closest', async () => {
  for (const [name, near] of [
    ['filesytem', 'filesystem'],
    ['read', 'filesystem/read'],
    ['web/fech', 'web/fetch'],
  ] as const) {
    const { code, err } = await s.cli(['tools', name]);
    expect(code).toBe(2);
    expect(err).toContain(`there is no tool "${name}". Did you mean "${near}"?`);
  }
});

test('as JSON it has all schemas and the shape of its own', async () => {
  s.write('.toolang/services/github.md', service);
  const { out } = await s.cli(['tools', '--json']);
  const told = JSON.parse(out);
  expect(violations(told, 'tools.schema.json')).toEqual([]);
  expect(told.tools.find((tool: { name: string }) => tool.name === 'web/fetch')).toMatchObject({
    available: 'named',
    readOnly: true,
    permissions: { deny: [], allow: [], ask: [] },
    parameters: { required: ['url'] },
  });
  expect(told.services).toEqual([
    {
      name: 'github',
      scope: 'home',
      file: s.at('.toolang/services/github.md'),
      transport: 'http',
      description: 'Issues of ours.',
    },
  ]);
  expect(violations(JSON.parse((await s.cli(['tools', 'shell', '--json'])).out), 'tools.schema.json')).toEqual([]);
});

test('a wrong configuration is told, and is an error', async () => {
  s.write('.toolang/config.toml', '[tools]\ndefault = 3\n');
  const { code, err, out } = await s.cli(['tools']);
  expect(code).toBe(2);
  expect(err).toContain('config.toml:2');
  expect(out).toContain('filesystem/read');
  const json = await s.cli(['tools', '--json']);
  expect(violations(JSON.parse(json.out), 'tools.schema.json')).toEqual([]);
});

test('calls services where that is asked, and lists what they have or why they have nothing', async () => {
  const command = (words: string, env = '') =>
    `---\ndescription: d\ntransport: stdio\ntarget: ${JSON.stringify(`'${process.execPath}' ${words}`)}\n${env}---\nText.\n`;
  s.write('.toolang/services/fake.md', command(`'${stdioFile}'`));
  s.write('.toolang/services/broken.md', command(`'${rudeFile}' broken`));
  s.write('.toolang/services/unset.md', command(`'${stdioFile}'`, 'env: FAKE_WORD\n'));
  s.write('.toolang/config.toml', '[permissions]\nask = ["fake/add"]\n');
  const env = { PATH: process.env.PATH ?? '' };

  const all = await s.cli(['tools', '--connect'], { env });
  expect(all.code).toBe(1);
  expect(all.out).toMatch(/ {2}fake\/echo +Says it again\.\n/);
  expect(all.out).toContain('cannot find the module "left-pad"');
  expect(all.out).toContain('the environment variable FAKE_WORD is not set');

  const one = await s.cli(['tools', 'fake/add', '--connect'], { env });
  expect(one.code).toBe(0);
  expect(one.out).toMatch(/^fake\/add\n/);
  expect(one.out).toContain('permissions\n  ask    fake/add\n');
  expect(one.out).toContain('"required"');
  expect(one.out).not.toContain('fake/echo');

  const missing = await s.cli(['tools', 'fake/ad', '--connect'], { env });
  expect(missing.code).toBe(2);
  expect(missing.err).toContain('there is no tool "fake/ad". Did you mean "fake/add"?');

  const told = JSON.parse((await s.cli(['tools', 'fake', '--connect', '--json'], { env })).out);
  expect(violations(told, 'tools.schema.json')).toEqual([]);
  expect(told.services).toHaveLength(1);
  expect(told.services[0].tools.find(({ name }: { name: string }) => name === 'fake/add')).toMatchObject({
    readOnly: false,
    permissions: { ask: ['fake/add'] },
  });
});
