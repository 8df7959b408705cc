/** How OpenAI's responses are answered: items that are added, grow and are done. */
import { argsText, finishOf, pieces, type Said, saidUsage } from './answer.ts';
import { openaiFailed } from './openai-words.ts';
import { type Kept, sealed } from './responses-request.ts';
import { type Ids, type Question, sse, type Voice } from './service.ts';

export const responsesVoice: Voice = {
  streamType: 'text/event-stream',
  events: responseEvents,
  whole: (said, question, ids) => {
    const items = itemsOf(said, question, ids);
    return responseOf(
      question,
      ids('resp_'),
      said,
      items.map(({ done }) => done),
    );
  },
  failed: (failed, { model }) => openaiFailed(failed, model, 'input'),
  errorEvent: () =>
    sse(
      {
        type: 'error',
        sequence_number: 99,
        code: 'server_error',
        message: 'The server had an error while processing your request. Sorry about that!',
        param: null,
      },
      'error',
    ),
  garbageEvent: 'event: response.output_text.delta\ndata: {"type":"response.output_te\n\n',
};

interface MadeItem {
  readonly added: Record<string, unknown>;
  /** The events between, without their place. */
  readonly grows: readonly Record<string, unknown>[];
  readonly done: Record<string, unknown>;
}

function responseEvents(said: Said, question: Question, ids: Ids): string[] {
  const id = ids('resp_');
  const events: string[] = [];
  const push = (data: Record<string, unknown>) =>
    events.push(sse({ ...data, sequence_number: events.length }, String(data.type)));
  const begun = { ...responseOf(question, id, said, []), status: 'in_progress', usage: null };
  push({ type: 'response.created', response: begun });
  push({ type: 'response.in_progress', response: begun });
  const items = itemsOf(said, question, ids);
  for (const [index, { added, grows, done }] of items.entries()) {
    push({ type: 'response.output_item.added', output_index: index, item: added });
    for (const grown of grows) push({ ...grown, item_id: done.id, output_index: index });
    push({ type: 'response.output_item.done', output_index: index, item: done });
  }
  if (finishOf(said) === 'none') return events;
  const response = responseOf(
    question,
    id,
    said,
    items.map(({ done }) => done),
  );
  push({ type: `response.${response.status}`, response });
  return events;
}

function itemsOf(said: Said, question: Question, ids: Ids): MadeItem[] {
  const { body, memory } = question;
  const items: MadeItem[] = [];
  let after: string | undefined;
  if (said.reasoning !== undefined) {
    const made = reasoningItem(said, body, ids);
    after = String(made.done.id);
    items.push(made);
  }
  if (said.text !== undefined) items.push(messageItem(said.text, said.chunk, ids));
  for (const call of said.calls ?? []) {
    const id = ids('fc_');
    const whole = {
      id,
      type: 'function_call',
      call_id: call.id ?? ids('call_'),
      name: call.tool,
      arguments: argsText(call),
    };
    items.push({
      added: { ...whole, arguments: '', status: 'in_progress' },
      grows: [
        ...pieces(whole.arguments, said.chunk).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          delta,
        })),
        { type: 'response.function_call_arguments.done', arguments: whole.arguments, name: whole.name },
      ],
      done: { ...whole, status: 'completed' },
    });
  }
  if (body.store !== false) {
    for (const { done } of items) {
      const kept: Kept = { item: done, ...(after === undefined || done.id === after ? {} : { after }) };
      memory?.set(String(done.id), kept);
    }
  }
  return items;
}

/** A summary is given to those who ask for one; what seals the thoughts, too. */
function reasoningItem(said: Said, body: Question['body'], ids: Ids): MadeItem {
  const id = ids('rs_');
  const asked = (body.reasoning as { summary?: string | null } | null | undefined)?.summary;
  const include = (body.include ?? []) as string[];
  const seal = include.includes('reasoning.encrypted_content') ? { encrypted_content: sealed(id) } : {};
  const text = asked ? (said.reasoning ?? '') : '';
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  const grows = summary.flatMap((part) => [
    { type: 'response.reasoning_summary_part.added', summary_index: 0, part: { ...part, text: '' } },
    ...pieces(text, said.chunk).map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      summary_index: 0,
      delta,
    })),
    { type: 'response.reasoning_summary_text.done', summary_index: 0, text },
    { type: 'response.reasoning_summary_part.done', summary_index: 0, part },
  ]);
  return {
    added: { id, type: 'reasoning', summary: [], ...seal },
    grows,
    done: { id, type: 'reasoning', summary, ...seal },
  };
}

function messageItem(text: string, chunk: number | undefined, ids: Ids): MadeItem {
  const head = { id: ids('msg_'), type: 'message', role: 'assistant' };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  return {
    added: { ...head, status: 'in_progress', content: [] },
    grows: [
      { type: 'response.content_part.added', content_index: 0, part: { ...part, text: '' } },
      ...pieces(text, chunk).map((delta) => ({
        type: 'response.output_text.delta',
        content_index: 0,
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', content_index: 0, text, logprobs: [] },
      { type: 'response.content_part.done', content_index: 0, part },
    ],
    done: { ...head, status: 'completed', content: [part] },
  };
}

function responseOf({ model, body }: Question, id: string, said: Said, output: unknown[]) {
  const { input, output: written, cacheRead = 0, reasoning = 0 } = said.usage ?? saidUsage;
  const finish = finishOf(said);
  const reason = finish === 'length' ? 'max_output_tokens' : finish === 'filter' ? 'content_filter' : undefined;
  return {
    id,
    object: 'response',
    created_at: 1_700_000_000,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + written,
    },
    user: null,
    metadata: {},
  };
}
