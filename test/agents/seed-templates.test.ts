/** Templates of thunks as they are sent: parameters, optional ones, structs, sections, literals; values are no templates. */
import { describe, expect, it } from 'vitest';
import { useKit } from './kit.ts';
import { finalOf } from './sent.ts';

const kit = useKit();
const types =
  'struct Place:\n  city: Text\n  zip?: Number\n\nstruct Trip:\n  name: Text\n  stops: Place[]\n  home: Place\n\n';
const trip = '{"name":"South","stops":[{"city":"Rome"},{"city":"Bari","zip":70100}],"home":{"city":"Graz"}}';

async function printed(params: string, text: string, words: readonly string[]): Promise<string> {
  const body = text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n');
  const { sent, err, code } = await kit.ask(`${types}thunk go(${params}):\n  user:\n${body}\n`, words);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return finalOf(sent);
}

describe('{{ }}', () => {
  it.each([
    [
      'a missing optional parameter is empty',
      'path: Text, focus?: Text',
      'Review {{path}} carefully.\n{{focus}}',
      ['path=a.ts'],
      'Review a.ts carefully.\n',
    ],
    [
      'an optional parameter that is given',
      'path: Text, focus?: Text',
      '{{path}}: {{focus}}',
      ['path=a.ts', 'focus=names'],
      'a.ts: names',
    ],
    ['numbers and booleans', 'n: Number, b: Boolean', '{{n}} {{b}}', ['n=-0.5', 'b=false'], '-0.5 false'],
    ['structs render as compact JSON', 'trip: Trip', '{{trip}}', [`trip=${trip}`], trip],
    ['arrays render as compact JSON', 'tags: Text[]', '{{tags}}', ['tags=["a","b c"]'], '["a","b c"]'],
    ['Json renders as compact JSON', 'any: Json', '{{any}}', ['any={ "a" : [ 1, null ] }'], '{"a":[1,null]}'],
    ['dotted paths', 'trip: Trip', '{{trip.home.city}} {{trip.home.zip}}.', [`trip=${trip}`], 'Graz .'],
    ['a section of an array', 'trip: Trip', '{{#trip.stops}}{{city}};{{/trip.stops}}', [`trip=${trip}`], 'Rome;Bari;'],
    [
      'a section that is shown',
      'focus?: Text',
      '{{#focus}}Look at {{focus}}.{{/focus}}{{^focus}}Look.{{/focus}}',
      ['focus=names'],
      'Look at names.',
    ],
    [
      'a section that is not',
      'focus?: Text',
      '{{#focus}}Look at {{focus}}.{{/focus}}{{^focus}}Look.{{/focus}}',
      [],
      'Look.',
    ],
    ['\\{{ is a literal', 'n: Number', '\\{{n}} is {{n}}', ['n=1'], '{{n}} is 1'],
    ['nothing is escaped', 't: Text', '{{t}}', ['t=<b>&"\''], '<b>&"\''],
  ])('%s', async (_, params, text, words, expected) => {
    expect(await printed(params, text, words)).toBe(expected);
  });

  it('values are never read as templates', async () => {
    expect(await printed('a: Text, b: Text', '{{a}} {{b}}', ['a={{b}}', 'b=\\{{a}} {{#a}}'])).toBe(
      '{{b}} \\{{a}} {{#a}}',
    );
  });

  it.each(['instruct', 'context', 'user', 'assistant', 'tool'])('%s is a template', async (block) => {
    const more = block === 'user' || block === 'instruct' || block === 'context' ? '' : '  user: Go.\n';
    const { sent } = await kit.ask(
      `thunk go(topic: Text):\n  ${block}: About {{topic}}.\n${more === '' && block !== 'user' ? '  user: Go.\n' : more}`,
      ['topic=bees'],
    );
    expect(`${sent.system}${JSON.stringify(sent.messages)}`).toContain('About bees.');
  });

  it('a reusable template is a template for each thunk that uses it', async () => {
    const source = 'instruct about:\n  About {{topic}}.\n\nthunk go(topic: Text):\n  instruct: about\n  user: Go.\n';
    expect((await kit.ask(source, ['topic=bees'])).sent.system).toMatch(/\n\nAbout bees\.$/);
    const wrong = await kit.ask('instruct:\n  About {{topic}}.\n\nthunk go(title: Text):\n  user: Go.\n', ['title=x']);
    expect([wrong.code, wrong.requests]).toEqual([2, []]);
    expect(wrong.err).toContain('"topic"');
  });

  it('psyche, skill and service bodies are never templates', async () => {
    const source =
      'psyche calm:\n  Be {{input}}.\n\nskill deep:\n  description = For {{input}}.\n  Do {{input}}.\n\nthunk:\n  user: Go.\n';
    const { sent, requests } = await kit.ask(source, ['x'], {
      answers: [{ calls: [{ tool: 'skill', args: { name: 'deep' } }] }, { text: 'Done.' }],
    });
    expect(sent.system).toContain('Be {{input}}.');
    expect(sent.system).toContain('For {{input}}.');
    expect(JSON.stringify(requests[1]?.messages)).toContain('Do {{input}}.');
  });

  it('typed input is read from free text, and printed as JSON', async () => {
    const source = `${types}thunk go(input: Place):\n  user: It is {{input.city}}.\n`;
    const { sent } = await kit.ask(source, ['The place is {"city": "Graz"}, I think.']);
    expect(finalOf(sent)).toBe('It is Graz.');
    const plain = await kit.ask(`${types}thunk go(input: Place):\n  tools -= filesystem\n`, [
      '{"city": "Graz", "zip": 8010}',
    ]);
    expect(finalOf(plain.sent)).toBe('{"city":"Graz","zip":8010}');
  });

  it.each([
    ['Json', 'hello', 'hello'],
    ['Json', '"123"', '123'],
    ['Json', '{"a": 1}', '{"a":1}'],
    ['Text', '{"a": 1}', '{"a": 1}'],
    ['Text', '42', '42'],
    ['Number', '42', '42'],
    ['Boolean', 'false', 'false'],
    ['Text[]', '["a"]', '["a"]'],
    ['Message', '{"role": "user", "content": "x"}', '{"role": "user", "content": "x"}'],
  ])('input of the type %s: %s', async (type, word, expected) => {
    const { sent, err } = await kit.ask(`thunk go(input: ${type}):\n  tools -= filesystem\n`, [word]);
    expect([finalOf(sent), err]).toEqual([expected, expect.any(String)]);
  });
});
