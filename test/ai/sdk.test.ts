/** `bracketTools` in the AI SDK itself, with a model that answers from a script and tools that run. */
import {
  convertToModelMessages,
  generateText,
  InvalidToolInputError,
  jsonSchema,
  type ModelMessage,
  NoSuchToolError,
  Output,
  readUIMessageStream,
  stepCountIs,
  streamText,
  ToolChoiceViolationError,
  type ToolSet,
  tool,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { bracketTools } from '../../src/model/brackets/bracket-tools.ts';
import { end, M } from './given.ts';
import { type Ran, scripted, type Talk, talk, tools, usage, ways } from './model.ts';

/** The messages that the model was sent in a step, as `role: text`. */
function sentText({ sent }: Talk, step: number): string[] {
  return (sent[step]?.prompt ?? []).map(({ role, content }) => {
    const text =
      typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : part.type));
    return `${role}: ${[text].flat().join('|')}`;
  });
}

const paris = `${M}[weather Paris]\n${end}`;

describe.each(ways)('%s', (way) => {
  it('runs tools over several steps', async () => {
    const done = await talk(way, [
      { text: `Let me look.\n\n${paris}\n\n${M}[weather "New York" celsius]\n${end}` },
      { text: `${M}[create-file weather.md]\n# Weather\n\nParis: 21 "degrees" C:\\ ${M}\\[/end]\n${end}\n` },
      { text: 'Done.' },
    ]);
    expect(done.text).toBe('Done.');
    expect(done.ran).toEqual([
      { tool: 'weather', input: { city: 'Paris' } },
      { tool: 'weather', input: { city: 'New York', unit: 'celsius' } },
      {
        tool: 'create-file',
        input: { path: 'weather.md', content: `# Weather\n\nParis: 21 "degrees" C:\\ ${end}\n` },
      },
    ]);
    expect(done.steps.map(({ finishReason, text }) => [finishReason, text])).toEqual([
      ['tool-calls', 'Let me look.\n\n'],
      ['tool-calls', ''],
      ['stop', 'Done.'],
    ]);
    expect(sentText(done, 2).slice(1)).toEqual([
      'user: Go on.',
      `assistant: Let me look.\n\n${paris}\n${M}[weather "New York" celsius]\n${end}`,
      `user: ${M}[result 0 weather ok]\n{"city":"Paris","degrees":21}\n${end}\n${M}[result 1 weather ok]\n{"city":"New York","degrees":21}\n${end}`,
      `assistant: ${M}[create-file weather.md]\n# Weather\n\nParis: 21 "degrees" C:\\ ${M}\\[/end]\n${end}`,
      `user: ${M}[result 0 create-file ok]\n45 characters\n${end}`,
    ]);
  });

  it('sends the model no tools, but instructions and a stop sequence', async () => {
    const { sent } = await talk(way, [{ text: 'Hello.' }], { system: 'Be kind.', toolChoice: 'auto' });
    expect(sent).toMatchObject([{ stopSequences: [`${M}[result`] }]);
    expect(Object.keys(sent[0] ?? {})).not.toContain('tools');
    expect(Object.keys(sent[0] ?? {})).not.toContain('toolChoice');
    expect(sent[0]?.prompt[0]?.content).toMatch(/^Be kind\.\n\nYou can call tools\./);
  });

  it('tells the model in our words which calls did not run, and runs the others', async () => {
    const done = await talk(way, [
      { text: `${M}[weather Rome kelvin]\n${end}\n${M}[wether x]\n${end}\n${paris}\n${M}[create-file]\nx\n${end}` },
      { text: 'Sorry.' },
    ]);
    expect(done.ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
    expect(done.steps[0]?.toolCalls.map((call) => ('invalid' in call ? call.error : undefined))).toEqual([
      expect.toSatisfy(InvalidToolInputError.isInstance),
      expect.toSatisfy(NoSuchToolError.isInstance),
      undefined,
      expect.toSatisfy(InvalidToolInputError.isInstance),
    ]);
    expect(sentText(done, 1).slice(2)).toEqual([
      `assistant: ${M}[weather Rome kelvin]\n${end}\n${M}[wether x]\n${end}\n${paris}\n${M}[create-file]\nx\n${end}`,
      [
        `user: ${M}[result 0 weather error]`,
        'enum: "unit" must be one of "celsius", "fahrenheit", but is "kelvin"',
        'usage: weather <city> [unit=celsius|fahrenheit]',
        end,
        `${M}[result 1 wether error]`,
        'unknown-tool: there is no tool "wether"; did you mean "weather"?',
        'usage: weather <city> [unit=celsius|fahrenheit]',
        end,
        `${M}[result 2 weather ok]`,
        '{"city":"Paris","degrees":21}',
        end,
        `${M}[result 3 create-file error]`,
        'missing: "path" is missing',
        'usage: create-file <path> | body: content',
        end,
      ].join('\n'),
    ]);
  });

  it('runs no call of an answer that reached its length limit, explains it, and goes on', async () => {
    const done = await talk(way, [
      { text: `${paris}\n${M}[create-file a.txt]\nhello wor`, finish: 'length' },
      { text: 'I see.' },
    ]);
    expect(done.ran).toEqual([]);
    expect(done.text).toBe('I see.');
    expect(done.steps.map(({ finishReason }) => finishReason)).toEqual(['length', 'stop']);
    const [, , said, results] = sentText(done, 1);
    expect(said).toBe(`assistant: ${paris}\n${M}[create-file a.txt]\nhello wor\n${end}`);
    expect(results).toMatch(
      /^user: .*\[result 0 weather error\]\nlength: .*\n.*\n.*\[result 1 create-file error\]\nlength: /,
    );
  });

  it('tells the model what a tool threw', async () => {
    const done = await talk(way, [{ text: `${M}[weather Atlantis]\n${end}` }, { text: 'There is none.' }]);
    expect(sentText(done, 1).at(-1)).toBe(`user: ${M}[result 0 weather error]\nthere is no such city\n${end}`);
  });

  it('runs what stands before a made-up result, and nothing behind it', async () => {
    const made = `${M}[result 0 weather ok]\nfreezing\n${end}\nIt is freezing.\n${M}[weather Rome]\n${end}`;
    const done = await talk(way, [{ text: `${paris}\n${made}` }, { text: 'It is 21 degrees.' }]);
    expect(done.ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
    expect(done.steps[0]?.text).toBe('');
    expect(JSON.stringify(done.sent[1]?.prompt)).not.toContain('freezing');
  });

  it('gives each call an id of its own, over all steps', async () => {
    const done = await talk(way, [{ text: `${paris}\n${paris}` }, { text: paris }, { text: 'Done.' }]);
    const ids = done.steps.flatMap(({ toolCalls }) => toolCalls.map(({ toolCallId }) => toolCallId));
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^call_[0-9a-z]{20}$/);
  });

  it('goes on with messages of earlier talks', async () => {
    const first = await talk(way, [{ text: paris }, { text: '21 degrees.' }]);
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Paris?' },
      ...first.messages,
      { role: 'user', content: `And ${end}?` },
    ];
    const second = await talk(way, [{ text: 'Nothing.' }], { messages });
    expect(sentText(second, 0).slice(1)).toEqual([
      'user: Paris?',
      `assistant: ${paris}`,
      `user: ${M}[result 0 weather ok]\n{"city":"Paris","degrees":21}\n${end}`,
      'assistant: 21 degrees.',
      `user: And ${M}\\[/end]?`,
    ]);
  });

  it('leaves calls to tools that run elsewhere to the application', async () => {
    const ask: ToolSet[string] = tool({
      inputSchema: jsonSchema<{ question: string }>({ type: 'object', properties: { question: { type: 'string' } } }),
    });
    const first = await talk(way, [{ text: `${M}[ask How are you?]\n${end}` }], { tools: { ask } });
    const [call] = first.steps[0]?.toolCalls ?? [];
    expect(call).toMatchObject({ toolName: 'ask', input: { question: 'How are you?' } });
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Ask.' },
      ...first.messages,
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: call?.toolCallId ?? '',
            toolName: 'ask',
            output: { type: 'text', value: 'Well.' },
          },
        ],
      },
    ];
    const second = await talk(way, [{ text: 'Good.' }], { tools: { ask }, messages });
    expect(sentText(second, 0).at(-1)).toBe(`user: ${M}[result 0 ask ok]\nWell.\n${end}`);
  });

  it('lets the user approve of a call, or not', async () => {
    const ran: Ran[] = [];
    const guarded = { weather: { ...tools(ran).weather, needsApproval: true } };
    const first = await talk(way, [{ text: `${paris}\n${M}[weather Rome]\n${end}` }], { tools: guarded });
    expect(ran).toEqual([]);
    const asked = first.steps[0]?.content.filter((part) => part.type === 'tool-approval-request') ?? [];
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Paris? Rome?' },
      ...first.messages,
      {
        role: 'tool',
        content: asked.map(({ approvalId }, i) => ({
          type: 'tool-approval-response' as const,
          approvalId,
          approved: i === 0,
          ...(i === 0 ? {} : { reason: 'Too far.' }),
        })),
      },
    ];
    const second = await talk(way, [{ text: 'So.' }], { tools: guarded, messages });
    expect(ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
    expect(sentText(second, 0).at(-1)).toBe(
      `user: ${M}[result 0 weather ok]\n{"city":"Paris","degrees":21}\n${end}\n${M}[result 1 weather error]\ndenied: the user did not allow this call. Too far.\n${end}`,
    );
  });

  it('lets the application mend a call', async () => {
    const done = await talk(way, [{ text: `${M}[wether Paris]\n${end}` }, { text: 'Warm.' }], {
      experimental_repairToolCall: async ({ toolCall }) => ({
        ...toolCall,
        toolName: 'weather',
        input: '{"city":"Paris"}',
      }),
    });
    expect(done.ran).toEqual([{ tool: 'weather', input: { city: 'Paris' } }]);
    expect(sentText(done, 1).slice(2)).toEqual([
      `assistant: ${paris}`,
      `user: ${M}[result 0 weather ok]\n{"city":"Paris","degrees":21}\n${end}`,
    ]);
  });

  it('offers the tools of each step', async () => {
    const done = await talk(way, [{ text: paris }, { text: 'Warm.' }], {
      prepareStep: ({ stepNumber }) => ({ activeTools: stepNumber === 0 ? ['weather'] : [] }),
    });
    expect(sentText(done, 0)[0]).not.toContain('create-file');
    expect(sentText(done, 1)[0]).toMatch(/^system: No tools can be called/);
    expect(sentText(done, 1)[2]).toBe(`assistant: ${M}[weather @json]\n{"city":"Paris"}\n${end}`);
  });

  it('gives structured output beside tools', async () => {
    const schema = jsonSchema<{ degrees: number }>({ type: 'object', properties: { degrees: { type: 'number' } } });
    const done = await talk(way, [{ text: paris }, { text: '{"degrees":21}' }], { output: Output.object({ schema }) });
    expect(done.sent[0]?.responseFormat).toBeUndefined();
    expect(sentText(done, 0)[0]).toContain('one JSON value');
    expect(JSON.parse(done.text)).toEqual({ degrees: 21 });
    expect(done.steps[0]?.warnings).toMatchObject([{ type: 'compatibility', feature: 'responseFormat' }]);
  });
});

it('lets the SDK see that a demanded call did not come', async () => {
  const asked = talk('generateText', [{ text: 'No.' }], { toolChoice: 'required' });
  await expect(asked).rejects.toSatisfy(ToolChoiceViolationError.isInstance);
  const done = await talk('generateText', [{ text: paris }, { text: paris }], {
    toolChoice: { type: 'tool', toolName: 'weather' },
    stopWhen: stepCountIs(2),
  });
  expect(sentText(done, 0)[0]).toMatch(/Your answer must call weather\.$/);
  expect(done.ran.length).toBe(2);
});

it('brings the words about a refused call back from a browser', async () => {
  const model = wrapLanguageModel({
    model: scripted([{ text: `So. ${M}[weather Rome kelvin]\n${end}\n${M}[wether x]\n${end}` }]),
    middleware: bracketTools(),
  });
  const result = streamText({ model, tools: tools([]), prompt: 'Go on.' });
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: result.toUIMessageStream() })) message = state;
  // Through JSON, as it would be sent.
  const sentBack = JSON.parse(JSON.stringify([message])) as UIMessage[];
  const history = await convertToModelMessages(sentBack);
  const done = await talk('generateText', [{ text: 'Sorry.' }], {
    messages: [...history, { role: 'user', content: 'Well?' }],
  });
  const [, said, results] = sentText(done, 0);
  expect(said).toBe(`assistant: So. \n${M}[weather Rome kelvin]\n${end}\n${M}[wether x]\n${end}`);
  expect(results).toMatch(/error\]\nenum: "unit" must be one of/);
  expect(results).toMatch(/error\]\nunknown-tool: there is no tool "wether"; did you mean "weather"\?/);
  expect(results).toMatch(/\nWell\?$/);
});

it('keeps reasoning, sources, usage and metadata of a whole answer', async () => {
  const model = new MockLanguageModelV3({
    doGenerate: async () => ({
      content: [
        { type: 'reasoning', text: `hm ${paris}` },
        { type: 'text', text: 'Hello' },
        { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' },
      ],
      finishReason: { unified: 'stop', raw: 'eos' },
      usage,
      warnings: [{ type: 'other', message: 'w' }],
      providerMetadata: { p: { a: 1 } },
      response: { id: 'r' },
    }),
  });
  const wrapped = wrapLanguageModel({ model, middleware: bracketTools() });
  const result = await generateText({ model: wrapped, tools: tools([]), prompt: 'Go on.' });
  expect(result).toMatchObject({
    text: 'Hello',
    reasoningText: `hm ${paris}`,
    finishReason: 'stop',
    rawFinishReason: 'eos',
    usage: { inputTokens: 10, outputTokens: 5 },
    warnings: [{ type: 'other', message: 'w' }],
    providerMetadata: { p: { a: 1 } },
    response: { id: 'r' },
  });
  expect(result.sources.length).toBe(1);
});

it('keeps the order of texts and calls in UI messages, and in the history made of them', async () => {
  const rome = `${M}[weather Rome]\n${end}`;
  const text = `First.\n${paris}\nNow the second.\n${rome}\nWaiting.`;
  const model = wrapLanguageModel({ model: scripted([{ text }, { text: 'Done.' }]), middleware: bracketTools() });
  const result = streamText({ model, tools: tools([]), prompt: 'Go on.', stopWhen: stepCountIs(2) });
  let message: UIMessage | undefined;
  for await (const state of readUIMessageStream({ stream: result.toUIMessageStream() })) message = state;
  const types = message?.parts.map((part) => (part.type === 'text' ? part.text : part.type));
  expect(types).toEqual([
    'step-start',
    'First.\n',
    'tool-weather',
    '\nNow the second.\n',
    'tool-weather',
    '\nWaiting.',
    'step-start',
    'Done.',
  ]);
  const history = await convertToModelMessages([message as UIMessage]);
  const done = await talk('generateText', [{ text: 'So.' }], {
    messages: [{ role: 'user', content: 'Go on.' }, ...history, { role: 'user', content: 'Well?' }],
  });
  expect(sentText(done, 0)[2]).toBe(`assistant: ${text}`);
});

it('does not run another tool than the one that must be called', async () => {
  const done = await talk('streamText', [{ text: paris }, { text: 'Well.' }], {
    toolChoice: { type: 'tool', toolName: 'create-file' },
  });
  expect(done.ran).toEqual([]);
  expect(sentText(done, 1).at(-1)).toContain('tool-choice: this message must call "create-file"');
});

describe.each(ways)('%s', (way) => {
  it('tells the model what a call threw that the application mended', async () => {
    const now: ToolSet[string] = tool({
      inputSchema: jsonSchema<Record<string, never>>({ type: 'object', properties: {}, additionalProperties: false }),
      execute: async (): Promise<string> => {
        throw new Error('the clock is broken');
      },
    });
    const done = await talk(way, [{ text: `${M}[now please]\n${end}` }, { text: 'Sorry.' }], {
      tools: { now },
      experimental_repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: '{}' }),
    });
    expect(sentText(done, 1).slice(2)).toEqual([
      `assistant: ${M}[now]\n${end}`,
      `user: ${M}[result 0 now error]\nthe clock is broken\n${end}`,
    ]);
  });

  it('lets no markers into the text of a step without tools', async () => {
    const last = `I would like to\n${paris}\nagain.\n${M}[result 0 weather ok]\n13`;
    const done = await talk(way, [{ text: paris }, { text: last }], {
      prepareStep: ({ stepNumber }) => (stepNumber === 0 ? {} : { activeTools: [] }),
    });
    expect(done.text).toBe('I would like to\n\nagain.\n');
  });
});
