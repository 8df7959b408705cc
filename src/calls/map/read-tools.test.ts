/** Tool lists as they lie around in files. */
import { describe, expect, it } from 'vitest';
import { readTools } from './read-tools.ts';

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const tool = { name: 'read', description: 'Reads.', parameters };

describe('a list of tools is read', () => {
  it.each([
    ['as an array', [tool]],
    ['alone', tool],
    ['under "tools", as MCP answers', { tools: [{ name: 'read', description: 'Reads.', inputSchema: parameters }] }],
    ['in the shape of Anthropic', [{ name: 'read', description: 'Reads.', input_schema: parameters }]],
    ['in the shape of OpenAI', [{ type: 'function', function: tool }]],
    ['in the flat shape of OpenAI', [{ type: 'function', ...tool, strict: true }]],
  ])('%s', (_, value) => expect(readTools(value)).toEqual({ tools: [tool], problems: [] }));

  it('with the parameter that the body carries', () => {
    expect(readTools([{ ...tool, body: 'path' }]).tools[0]?.body).toBe('path');
    expect(readTools([{ ...tool, body: null }]).tools[0]?.body).toBeNull();
  });

  it('without parameters and description', () => {
    expect(readTools([{ name: 'now', parameters: null }]).tools).toEqual([{ name: 'now' }]);
  });
});

it.each([
  [null, 'tool 1 is not an object'],
  [[tool, 3], 'tool 2 is not an object'],
  [[{ description: 'x' }], 'tool 1 has no "name"'],
  [[tool, tool], 'tool 2 has the name "read", as one before it'],
  [[{ name: 'a', parameters: [] }], 'the parameters of "a" are not a JSON Schema'],
  [[{ name: 'a', body: 1 }], '"body" of "a" is not the name of a parameter'],
])('%j is refused in words', (value, words) => {
  expect(readTools(value).problems.join()).toContain(words);
});
