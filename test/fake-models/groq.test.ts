/** What Groq refuses that others take. */
import { refused, testRefusals } from './refusals.ts';

testRefusals(
  {
    kind: 'groq',
    path: '/openai/v1/chat/completions',
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    body: {
      model: 'openai/gpt-oss-120b',
      stream_options: { include_usage: true },
      messages: [
        { role: 'user', content: 'Hi.' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Go on.' },
      ],
    },
  },
  [],
  [
    refused(
      'thoughts',
      (body) => (body.messages[1].reasoning_content = 'Hm.'),
      "property 'reasoning_content' is unsupported",
    ),
    refused('a field that it does not know', (body) => (body.thinking = true), "property 'thinking' is unsupported"),
    refused('a form with tools', withForm, 'json mode cannot be combined'),
    refused('an unknown model', (body) => (body.model = 'x'), 'The model `x` does not exist', 404),
  ],
);

// biome-ignore lint/suspicious/noExplicitAny: as rows are.
function withForm(body: any): void {
  body.response_format = { type: 'json_object' };
  body.tools = [{ type: 'function', function: { name: 'a', parameters: { type: 'object', properties: {} } } }];
}
