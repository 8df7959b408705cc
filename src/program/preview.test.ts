import { expect, it } from 'vitest';
import { createSource } from '../text/index.ts';
import { checkSource } from './check.ts';
import { previewThunk, sampleArguments } from './preview.ts';

function thunkIn(text: string, name = 'default') {
  const { program } = checkSource(createSource('a.too', text));
  const thunk = program.thunks.get(name);
  if (!thunk) throw new Error('no thunk');
  return { program, thunk };
}

function preview(text: string, name = 'default') {
  const { program, thunk } = thunkIn(text, name);
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

it('has a sample for each parameter, also for those that may be left out', () => {
  const { program, thunk } = thunkIn('thunk(input: Message, n: Number, t?: Text[]):\n');
  expect(sampleArguments(program, thunk)).toEqual({ input: '<input>', n: 1, t: ['<t>'] });
});

it('says where instructions come from', () => {
  const text = 'instruct default:\n  D\ninstruct x:\n  X\n';
  expect(preview(`${text}thunk:\n`).instructions).toEqual({ from: 'template', why: 'no "instruct:" line' });
  expect(preview(`${text}thunk:\n  instruct: x\n`).instructions.why).toBe('"instruct: x"');
  expect(preview(`${text}thunk:\n  instruct: none\n`).instructions).toEqual({ from: 'none', why: '"instruct: none"' });
  expect(preview(`${text}thunk:\n  instruct: Be brief, please.\n`).instructions.from).toBe('thunk');
});
