import { expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { checkSource } from './check.ts';
import { previewThunk } from './preview.ts';

function preview(text: string, name = 'default') {
  const { program } = checkSource(createSource('a.too', text));
  const thunk = program.thunks.get(name);
  if (!thunk) throw new Error('no thunk');
  return previewThunk(program, thunk, {});
}

it('prints the signature with the defaults that were left out', () => {
  expect(preview('thunk:\n').signature).toBe('default(input: Message) -> Message');
  expect(preview('thunk a(x?: Text[]) -> Json:\n', 'a').signature).toBe('a(x?: Text[]) -> Json');
});

it('gives the parameters and the output as JSON Schema', () => {
  const { parameters, output } = preview(
    'struct A:\n  ## Why.\n  b?: Number\nthunk(n: Number, t?: Text) -> A:\n  user: x\n',
  );
  expect(parameters.required).toEqual(['n']);
  expect(Object.keys(parameters.properties ?? {})).toEqual(['n', 't']);
  expect(output).toMatchObject({ type: 'object', additionalProperties: false });
  expect(output.properties?.b?.description).toBe('Why.');
});

it('puts the context before the last user block and the input after it', () => {
  const { messages } = preview('thunk:\n  context: Facts.\n  user: One.\n  assistant: Two.\n  user: Three.\n');
  expect(messages).toEqual([
    { role: 'user', text: 'One.', parts: ['block'] },
    { role: 'assistant', text: 'Two.', parts: ['block'] },
    { role: 'user', text: 'Facts.\n\nThree.\n\n<input>', parts: ['context', 'block', 'input'] },
  ]);
});

it('does not add the input where a block mentions it', () => {
  const { messages } = preview('thunk:\n  user: {{#input}}Say {{input}}{{/input}}\n');
  expect(messages).toEqual([{ role: 'user', text: 'Say <input>', parts: ['block'] }]);
});

it('makes a new user message when the last block is not one', () => {
  const { messages } = preview('thunk:\n  assistant: Hello.\n');
  expect(messages.map((m) => `${m.role} ${m.text}`)).toEqual(['assistant Hello.', 'user <input>']);
});

it('says where instructions come from', () => {
  const text = 'instruct default:\n  D\ninstruct x:\n  X\n';
  expect(preview(`${text}thunk:\n`).instructions).toEqual({ from: 'template', why: 'no "instruct:" line', text: 'D' });
  expect(preview(`${text}thunk:\n  instruct: x\n`).instructions.text).toBe('X');
  expect(preview(`${text}thunk:\n  instruct: none\n`).instructions).toEqual({
    from: 'none',
    why: '"instruct: none"',
    text: '',
  });
  expect(preview(`${text}thunk:\n  instruct: Be brief, please.\n`).instructions.from).toBe('thunk');
});
