/** Tool lists as they lie around in files. */
import { describe, expect, it } from 'vitest';
import { planTool } from './plan.ts';
import { readTools } from './read-tools.ts';

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const mcp = { name: 'read', description: 'Reads.', inputSchema: parameters };
const tool = { name: 'read', description: 'Reads.', parameters };

describe('a list of tools is read', () => {
  it.each([
    ['as an array', [tool]],
    ['alone', tool],
    ['under "tools", as MCP answers', { tools: [{ name: 'read', description: 'Reads.', inputSchema: parameters }] }],
    ['in the shape of Anthropic', [{ name: 'read', description: 'Reads.', input_schema: parameters }]],
    ['in the shape of OpenAI', [{ type: 'function', function: tool }]],
    ['in the flat shape of OpenAI', [{ type: 'function', ...tool, strict: true }]],
    ['with a type and a schema', [{ type: 'custom', name: 'read', description: 'Reads.', input_schema: parameters }]],
    ['in the reply of an MCP server', { jsonrpc: '2.0', id: 1, result: { tools: [{ ...mcp, annotations: {} }] } }],
    [
      'in the shape of Bedrock',
      { toolConfig: { tools: [{ toolSpec: { ...mcp, inputSchema: { json: parameters } } }] } },
    ],
    ['in the inner shape of Bedrock', [{ ...mcp, inputSchema: { json: parameters } }]],
    ['in the shape of Gemini', { functionDeclarations: [tool] }],
    ['in the older shape of Gemini', { tools: [{ function_declarations: [tool] }] }],
    [
      'with types in capitals, as Gemini has them',
      [
        {
          functionDeclarations: [{ ...tool, parameters: { type: 'OBJECT', properties: { path: { type: 'STRING' } } } }],
        },
      ],
    ],
    ['with the JSON Schema of Gemini', [{ name: 'read', description: 'Reads.', parametersJsonSchema: parameters }]],
  ])('%s', (_, value) => expect(readTools(value)).toEqual({ tools: [tool], problems: [] }));

  it('with the parameter that the body carries', () => {
    expect(readTools([{ ...tool, body: 'path' }]).tools[0]?.body).toBe('path');
    expect(readTools([{ ...tool, body: null }]).tools[0]?.body).toBeNull();
  });

  it('with one text as its body, if it is a custom tool of OpenAI', () => {
    const custom = { name: 'patch', description: 'Patches.', format: { type: 'text' } };
    for (const shape of [
      { type: 'custom', ...custom },
      { type: 'custom', custom },
    ]) {
      const { tools, problems } = readTools([shape]);
      expect(problems).toEqual([]);
      expect(tools.map((spec) => planTool(spec).usage)).toEqual(['patch | body: input']);
    }
  });

  it('with properties and values that are named like types', () => {
    const odd = { type: 'OBJECT', properties: { type: { type: 'STRING', enum: ['STRING', 'NULL'] } } };
    expect(readTools({ functionDeclarations: [{ name: 'a', parameters: odd }] }).tools[0]?.parameters).toEqual({
      type: 'object',
      properties: { type: { type: 'string', enum: ['STRING', 'NULL'] } },
    });
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
  [[{ type: 'bash_20250124', name: 'bash' }], '"bash" is of the type "bash_20250124", which its provider runs'],
  [[{ type: 'web_search_preview' }], 'tool 1 is of the type "web_search_preview", which its provider runs'],
  [[{ name: 'a', schema: { type: 'object' } }], '"a" has no "parameters", but "schema"'],
  [[{ name: 'a', parameters: { x: { type: 'string' } } }], 'look like a table of properties; write { "type": "object"'],
  [[{ name: 'a', inputSchema: { type: { type: 'string' }, title: {} } }], 'look like a table of properties'],
  [[{ name: 'a', body: 1 }], '"body" of "a" is not the name of a parameter'],
])('%j is refused in words', (value, words) => {
  expect(readTools(value).problems.join()).toContain(words);
});
