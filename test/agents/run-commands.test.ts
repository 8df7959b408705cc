/** The commands of runs on runs of thunks: shown by agent and thunk, forked with other models, resumed, tried again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Kit, makeKit } from '../caps/kit.ts';
import { startFakeModel } from '../fake-models/server.ts';

let kit: Kit;
beforeEach(() => {
  kit = makeKit();
});
afterEach(() => kit.remove());

const idIn = (text: string) => /run ([0-9a-z]{4,})/.exec(text)?.[1] ?? '';
const reply = (name: string, text: string) => `replies[1]:\n  - for: ${name}\n    text: ${text}\n`;

function resident(): void {
  kit.write('.toolang/agents/bob/agent.too', 'thunk review:\n  models = scripted\n  tools -= filesystem\n');
  kit.write('.toolang/agents/bob/agent.script.toon', reply('review', 'Fine.'));
}

describe('a run of a thunk', () => {
  test('is called by its agent and its thunk, in every command', async () => {
    resident();
    const ran = await kit.cli('invoke bob look');
    expect(ran).toMatchObject({ code: 0, out: 'Fine.\n' });
    expect(ran.err).toContain('bob › review · run ');
    const id = idIn(ran.err);
    expect((await kit.cli('runs --all')).out).toContain('bob › review  done');
    expect((await kit.cli(`show ${id}`)).out).toContain(`bob › review · run ${id} · done`);
    expect((await kit.cli(`watch ${id}`)).err).toContain(`bob › review · run ${id}`);
    const again = await kit.cli(`retry ${id}`);
    expect(again.err).toContain(`toolang fork ${id} --from review`);
    expect(await kit.cli(`fork ${id} --from review`)).toMatchObject({ code: 0, out: 'Fine.\n' });
  });

  test('that was edited goes on with what is written now', async () => {
    resident();
    const id = idIn((await kit.cli('invoke bob look')).err);
    kit.write(
      '.toolang/agents/bob/agent.too',
      'thunk review:\n  models = scripted\n  tools -= filesystem\n  user: Closely.\n',
    );
    kit.write('.toolang/agents/bob/agent.script.toon', reply('review', 'Better.'));
    expect(await kit.cli(`resume ${id} --yes`)).toMatchObject({ code: 0, out: 'Better.\n' });
  });

  test('that failed is tried again, and the rest of it is kept', async () => {
    resident();
    kit.write('.toolang/agents/bob/agent.script.toon', 'replies[1]:\n  - for: review\n    error: 400\n');
    const failed = await kit.cli('invoke bob look');
    expect(failed.code).toBe(1);
    kit.write('.toolang/agents/bob/agent.script.toon', reply('review', 'Now.'));
    expect(await kit.cli(`retry ${idIn(failed.err)}`)).toMatchObject({ code: 0, out: 'Now.\n' });
  });

  test('of a visiting agent is resumed as it was begun: its own caps, and those that were let in', async () => {
    kit.write('.toolang/psyches/wide.md', 'The psyche of the root.\n');
    kit.hub.commit('acme/agents', { 'agents/zoe.too': 'thunk:\n  models = scripted\n  tools -= filesystem\n' });
    kit.write('work/no.script.toon', reply('nobody', 'x'));
    const failed = await kit.cli('invoke acme/zoe --yes --script no.script.toon x');
    expect(failed.err).not.toContain('The psyche of the root.');
    const id = idIn(failed.err);
    const again = await kit.cli(`retry ${id}`);
    expect(again.err).toContain('no reply');
    expect(again.err).not.toContain('The psyche of the root.');
    expect((await kit.cli(`resume ${id}`)).err).toContain('has failed already, and cannot be resumed.');
  });
});

describe('fork --model', () => {
  test('asks another model for all thunks of the run, which stays so when it is resumed', async () => {
    kit.write(
      'work/ann.too',
      'thunk:\n  models = scripted\n  tools -= filesystem\n  hands = help\n\nthunk help:\n  models = scripted\n',
    );
    kit.write('work/ann.script.toon', reply('default', 'By the script.'));
    const id = idIn((await kit.cli('ann.too x')).err);
    const openai = await startFakeModel('openai-responses', { answers: [{ text: 'By the other.' }] });
    try {
      const forked = await kit.cli(`fork ${id} --model openai/gpt-5`, { env: openai.env });
      expect(forked).toMatchObject({ code: 0, out: 'By the other.\n' });
      const other = idIn(forked.err);
      expect((await kit.cli(`show ${other} --json`)).out).toContain('"model": "openai/gpt-5"');
      // Nothing was edited.
      expect((await kit.cli(`resume ${other}`, { env: openai.env })).err).toContain('is done already');
    } finally {
      await openai.close();
    }
    const none = await kit.cli(`fork ${id} --model openai/gpt-5`);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('OPENAI_API_KEY is not set');
    expect((await kit.cli(`fork ${id} --model anne=openai/gpt-5`)).err).toContain('Did you mean "ann"?');
  });
});
