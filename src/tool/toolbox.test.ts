import { describe, expect, test } from 'vitest';
import type { Tool } from './tool.ts';
import { createToolbox, type ToolSource } from './toolbox.ts';

function tool(name: string): Tool {
  return {
    name,
    description: '',
    parameters: { type: 'object' },
    readOnly: true,
    subjects: () => [],
    run: async () => ({ ok: true, text: name }),
  };
}

const { signal } = new AbortController();

function source(name: string, ...tools: readonly string[]): ToolSource & { asked: number } {
  const made = {
    name,
    asked: 0,
    async list() {
      made.asked++;
      return { ok: true, tools: tools.map((each) => tool(`${name}/${each}`)) } as const;
    },
  };
  return made;
}

function box() {
  const files = source('filesystem', 'read', 'write');
  const github = source('github', 'create_issue');
  const broken: ToolSource = {
    name: 'broken',
    list: async () => ({ ok: false, message: 'the service "broken" needs $TOKEN' }),
  };
  return { files, github, toolbox: createToolbox([files, github, broken]) };
}

describe('an offer', () => {
  test('holds the tools of sets and single ones, in the order of the names, each once', async () => {
    const { toolbox } = box();
    const offer = await toolbox.offer(['github', 'filesystem/write', 'filesystem', 'github'], signal);
    expect(offer.ok && offer.tools.map(({ name }) => name)).toEqual([
      'github/create_issue',
      'filesystem/write',
      'filesystem/read',
    ]);
  });

  test('asks no source whose names nobody used', async () => {
    const { toolbox, files, github } = box();
    await toolbox.offer(['filesystem/read'], signal);
    expect([files.asked, github.asked]).toEqual([1, 0]);
  });

  test('tells all that is wrong at once, with the closest names, and offers nothing then', async () => {
    const { toolbox } = box();
    expect(await toolbox.offer(['filesytem', 'filesystem/raed', 'broken', 'filesystem'], signal)).toEqual({
      ok: false,
      problems: [
        'there is no tool or service "filesytem". Did you mean "filesystem"? Known: filesystem, github, broken.',
        '"filesystem" has no tool "raed". Did you mean "filesystem/read"? Known: filesystem/read, filesystem/write.',
        'the service "broken" needs $TOKEN',
      ],
    });
  });

  test('of no names is empty', async () => {
    expect(await box().toolbox.offer([], signal)).toEqual({ ok: true, tools: [], unavailable: [] });
  });
});

describe('a call', () => {
  test('finds one tool by its whole name', async () => {
    const found = await box().toolbox.find('filesystem/read', signal);
    expect(found.ok && found.tool.name).toBe('filesystem/read');
  });

  test('finds no sets, nothing of what is gone, and nothing that is spelled otherwise', async () => {
    const { toolbox } = box();
    for (const name of ['filesystem', 'filesystem/', 'FileSystem/read', 'broken/x', '', '/', 'x/y/z']) {
      expect(await toolbox.find(name, signal)).toMatchObject({ ok: false });
    }
  });
});
