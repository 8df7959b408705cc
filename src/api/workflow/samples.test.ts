/** The samples of the design, as files and as builder programs: the same graphs. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Schema } from 'effect';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writer as shippedWriter } from '../../../spec/toon/samples/agents.ts';
import { Ticket, Verdict } from '../../../spec/toon/samples/schemas.ts';
import {
  agent,
  approval,
  branch,
  call,
  component,
  expr,
  load,
  loop,
  parallel,
  ref,
  step,
  text,
  workflow,
} from '../workflow.ts';
import { graphOf } from './graph.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
let dir: string;

/** The samples with the package that they import. */
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolang-builder-'));
  cpSync(join(root, 'spec/toon/samples'), dir, { recursive: true });
  const slack = join(dir, 'node_modules/@acme/toolang-slack');
  mkdirSync(slack, { recursive: true });
  cpSync(join(dir, 'slack.ts'), join(slack, 'index.ts'));
  writeFileSync(join(slack, 'package.json'), '{"name":"@acme/toolang-slack","type":"module","exports":"./index.ts"}');
  symlinkSync(join(root, 'node_modules/effect'), join(dir, 'node_modules/effect'), 'junction');
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function releaseNotes() {
  const Text = Schema.Struct({ text: Schema.String });
  const Review = Schema.Struct({ approved: Schema.Boolean, feedback: Schema.String }).annotate({
    identifier: 'Review',
  });
  const writer = agent('writer', {
    type: 'anthropic',
    model: 'claude-sonnet-4-5',
    instructions: 'You write short release notes.',
  });
  return workflow({
    name: 'release-notes',
    input: Schema.Struct({ repo: Schema.String, since: Schema.optional(Schema.String) }),
    steps: ({ input }) => {
      const changes = step('changes', {
        run: "return { lines: (await sh`git log --oneline ${input.since ?? 'HEAD'}`).split('\\n') }",
        output: Schema.Struct({ lines: Schema.Array(Schema.String) }),
      });
      const draft = step('draft', {
        agent: writer,
        prompt: text`Write notes for ${input.repo}:\n${expr`${changes.lines}.join('\n')`}`,
        output: Text,
        retry: { maxAttempts: 3, backoff: 'exponential', initialDelay: '1s' },
      });
      // The results of the iteration before.
      const before = { revise: ref('revise', Text), review: ref('review', Review) };
      const revise = step('revise', {
        agent: writer,
        prompt: text`Improve, round ${loop.iteration}:\n${expr`${before.revise.text} ?? ${draft.text}`}\nRemarks: ${before.review.feedback}`,
        output: Text,
      });
      const review = step('review', { agent: writer, prompt: text`Review:\n${revise.text}`, output: Review });
      const polish = loop({ id: 'polish', until: review.approved, maxIterations: 3, children: [revise, review] });
      const publish = approval('publish', {
        request: { title: text`Publish the notes for ${input.repo}?`, summary: text`${revise.text}` },
        onDeny: 'fail',
      });
      return [changes, draft, polish, publish];
    },
  });
}

it('release-notes.toon', async () => {
  const file = await load(join(dir, 'release-notes.toon'));
  expect(graphOf(await releaseNotes().plan())).toEqual(graphOf(await file.plan()));
});

it('ship.toon', async () => {
  const writer = agent('writer', { ...shippedWriter });
  const Brief = component('Brief', {
    params: Schema.Struct({ text: Schema.String, limit: Schema.optional(Schema.Number) }),
    steps: ({ id, params }) => [
      step(`${id}-short`, {
        agent: writer,
        prompt: text`Shorten to ${expr`${params.limit} ?? 100`} words for ${id}: ${params.text}`,
        output: Schema.Struct({ text: Schema.String }),
      }),
    ],
  });
  const ship = workflow({
    name: 'ship',
    from: join(dir, 'ship.ts'),
    imports: {
      services: [{ from: './services.ts', use: 'Tracker' }],
      plugins: [{ from: '@acme/toolang-slack', config: { channel: '#dev' } }],
    },
    input: Ticket,
    steps: ({ input }) => {
      const lint = step('lint', {
        handler: './checks.ts#lint',
        output: Schema.Struct({
          level: Schema.Literals(['ok', 'bad']),
          findings: Schema.Array(Schema.Struct({ path: Schema.String, line: Schema.optional(Schema.Number) })),
        }),
        timeout: '5m',
        cache: { by: input.repo, version: 2 },
      });
      const facts = step('facts', {
        agent: writer,
        prompt: text`Facts on ${input.repo}, lint says ${lint.level}`,
        output: Verdict,
        needs: lint,
        skipIf: input.fast,
      });
      const report = step('report', {
        run: "return { text: 'lint failed' }",
        output: Schema.Struct({ text: Schema.String }),
        needs: [lint, facts],
      });
      return [
        parallel({ maxConcurrency: 2, children: [lint, facts] }),
        branch({
          condition: text`${lint.level} == 'ok'`,
          // biome-ignore lint/suspicious/noThenProperty: a word of the language.
          then: [Brief('brief', { text: expr`${facts.text} ?? ''`, limit: 80 })],
          else: [report],
        }),
        call('notes-run', { use: releaseNotes(), input: { repo: input.repo } }),
      ];
    },
  });
  const file = await load(join(dir, 'ship.toon'));
  const renamed = JSON.parse(JSON.stringify(await file.plan()).replaceAll('"notes"', '"release-notes"'));
  expect(graphOf(await ship.plan())).toEqual(graphOf(renamed));
});
