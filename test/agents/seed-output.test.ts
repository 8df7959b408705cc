/** Typed output: the schema to the provider where it can, else in words; scalars and arrays wrapped; repaired twice. */
import { describe, expect, it } from 'vitest';
import { kinds, useKit } from './kit.ts';

const kit = useKit();
const types =
  'struct Finding:\n  path: Text\n  line?: Number\n\nstruct Review:\n  ## In one line.\n  summary: Text\n  findings: Finding[]\n\n';
const quiet = '  tools -= filesystem\n';

describe.each(kinds)('%s', (kind) => {
  it('a struct: its schema is sent, and the answer is read into it', async () => {
    const answers = [
      { text: 'Here:\n```json\n{"summary": "Good.", "findings": [{"path": "a.ts", "line": null}],}\n```' },
    ];
    const { sent, out, code } = await kit.ask(`${types}thunk go -> Review:\n${quiet}`, ['x'], { kind, answers });
    expect(code).toBe(0);
    expect(sent.system).toContain(
      'Answer with one JSON value that fits this JSON Schema, and with nothing else:\n{"type":"object"',
    );
    expect(JSON.stringify(sent.schema)).toMatch(/"summary".*In one line\..*"findings"/);
    expect(out).toBe('{\n  "summary": "Good.",\n  "findings": [\n    {\n      "path": "a.ts"\n    }\n  ]\n}\n');
  });

  it.each([
    ['Text[]', '{"value": ["a", "b"]}', '[\n  "a",\n  "b"\n]\n'],
    ['Text[]', '["a"]', '[\n  "a"\n]\n'],
    ['Number', '{"value": 42}', '42\n'],
    ['Number', '42', '42\n'],
    ['Boolean', '{"value": false}', 'false\n'],
    ['Finding[]', '{"value": [{"path": "a.ts"}]}', '[\n  {\n    "path": "a.ts"\n  }\n]\n'],
    ['Json', '{"value": 1}', '{\n  "value": 1\n}\n'],
    ['Json', '[1, "a"]', '[\n  1,\n  "a"\n]\n'],
  ])(
    'scalars and arrays are wrapped for providers that need an object, invisibly: %s from %s',
    async (type, text, expected) => {
      const { sent, out, code, err } = await kit.ask(`${types}thunk go -> ${type}:\n${quiet}`, ['x'], {
        kind,
        answers: [{ text }],
      });
      expect([code, out, err]).toEqual([0, expected, expect.any(String)]);
      if (type === 'Json') expect(sent.schema).toBeUndefined();
      else expect(sent.schema).toMatchObject({ properties: { value: expect.anything() }, required: ['value'] });
    },
  );

  it.each(['Text', 'Message'])('%s is what the model says, and has no schema', async (type) => {
    const { sent, out } = await kit.ask(`thunk go -> ${type}:\n${quiet}`, ['x'], {
      kind,
      answers: [{ text: '{"value": 1}' }],
    });
    expect([sent.schema, out]).toEqual([undefined, '{"value": 1}\n']);
  });

  it('repaired by sending the errors back, twice; then a typed failure with the last text kept', async () => {
    const wrong = { text: '{"summary": 1, "findings": {}}' };
    const { requests, code, err, id } = await kit.ask(`${types}thunk go -> Review:\n${quiet}`, ['x'], {
      kind,
      answers: [wrong, { text: 'No.' }, { text: 'Never, ever.' }, { text: 'unasked' }],
    });
    expect([code, requests.length]).toEqual([1, 3]);
    expect(err).toContain('also after 2 repairs');
    const last = JSON.stringify(requests[2]?.messages);
    expect(last).toContain('This answer does not fit the schema:');
    expect(last).toContain('summary');
    const shown = JSON.parse((await kit.s.cli(['show', '--json', id])).out);
    expect(JSON.stringify(shown)).toContain('Never, ever.');
    expect(JSON.stringify(shown)).toContain('"code":"schema"');
  });
});

it('with tools the schema stands in words where the service takes no form beside them', async () => {
  const { sent, code } = await kit.ask(`${types}thunk go -> Review:\n  tools = filesystem/read\n`, ['x'], {
    kind: 'anthropic',
    answers: [{ text: '{"summary": "Good.", "findings": []}' }],
  });
  expect([code, sent.schema]).toEqual([0, undefined]);
  expect(sent.system).toContain('"findings"');
});

it('an answer of megabytes that does not fit is kept as a whole, and told in part', async () => {
  const text = `No, ${'no, '.repeat(50_000)}never.`;
  const { code, err, journal } = await kit.play('thunk -> Number:\n  tools -= filesystem\n', Array(3).fill({ text }));
  expect(code).toBe(1);
  expect(err.length).toBeLessThan(20_000);
  expect(err).toMatch(/because the last answer was:\n\s+No, no, [\s\S]*… \d+ more characters …[\s\S]*no, never\./);
  expect(journal).toContain(JSON.stringify(`the last answer was:\n${text}`));
});
