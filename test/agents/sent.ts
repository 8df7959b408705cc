/** What was sent to a fake service, in one form, whoever it was sent to. */
/** A request, whoever it was sent to. Texts of a message are kept apart. */
export interface Sent {
  readonly system: string;
  readonly messages: readonly SentMessage[];
  /** As they are on the wire. */
  readonly tools: readonly string[];
  /** The form of the answer that the service is given. */
  readonly schema: unknown;
}

export type SentMessage =
  | { readonly user: readonly string[] }
  | { readonly assistant: readonly string[]; readonly calls?: readonly SentCall[] }
  | { readonly results: readonly SentResult[] };

export interface SentCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

export interface SentResult {
  readonly id: string;
  readonly text: string;
}

export type Body = Readonly<Record<string, unknown>>;
type Item = Readonly<Record<string, unknown>>;

export function sentOf(kind: 'openai-responses' | 'anthropic' | 'google', body: Body): Sent {
  if (kind === 'anthropic') return ofAnthropic(body);
  return kind === 'google' ? ofGoogle(body) : ofResponses(body);
}

function ofResponses(body: Body): Sent {
  const system: string[] = [];
  const messages: SentMessage[] = [];
  for (const item of body.input as Item[]) {
    const last = messages.at(-1);
    if (item.role === 'developer' || item.role === 'system') system.push(String(item.content));
    else if (item.role === 'user') messages.push({ user: (item.content as Item[]).map(partText) });
    else if (item.role === 'assistant') messages.push({ assistant: (item.content as Item[]).map(partText) });
    else if (item.type === 'function_call') {
      const call = { id: String(item.call_id), name: String(item.name), args: JSON.parse(String(item.arguments)) };
      const before = last && 'assistant' in last ? last : undefined;
      if (before) messages.pop();
      messages.push({ assistant: before?.assistant ?? [], calls: [...(before?.calls ?? []), call] });
    } else if (item.type === 'function_call_output') {
      const result = { id: String(item.call_id), text: String(item.output) };
      if (last && 'results' in last) messages.pop();
      messages.push({ results: [...(last && 'results' in last ? last.results : []), result] });
    }
  }
  const { format } = (body.text ?? {}) as { format?: { schema?: unknown } };
  return { system: system.join('\n'), messages, tools: namesOf(body.tools), schema: format?.schema };
}

function ofAnthropic(body: Body): Sent {
  const messages = (body.messages as { role: string; content: Item[] }[]).map(({ role, content }): SentMessage => {
    const texts = content.filter(({ type }) => type !== 'tool_use' && type !== 'tool_result').map(partText);
    if (role === 'assistant') {
      const calls = content.flatMap(({ type, id, name, input }) =>
        type === 'tool_use' ? [{ id: String(id), name: String(name), args: input }] : [],
      );
      return calls.length > 0 ? { assistant: texts, calls } : { assistant: texts };
    }
    const results = content.flatMap(({ type, tool_use_id: id, content: text }) =>
      type === 'tool_result' ? [{ id: String(id), text: String(text) }] : [],
    );
    return results.length > 0 && texts.length === 0
      ? { results }
      : { user: [...results.map(({ text }) => text), ...texts] };
  });
  const system = ((body.system ?? []) as Item[]).map(partText).join('\n');
  const { format } = (body.output_config ?? {}) as { format?: { schema?: unknown } };
  return { system, messages, tools: namesOf(body.tools), schema: format?.schema };
}

function ofGoogle(body: Body): Sent {
  const messages = (body.contents as { role: string; parts: Item[] }[]).map(({ role, parts }): SentMessage => {
    const texts = parts.filter((part) => !part.functionCall && !part.functionResponse).map(partText);
    if (role === 'model') {
      const calls = parts.flatMap(({ functionCall: call }) =>
        call ? [{ id: '', name: String((call as Item).name), args: (call as Item).args }] : [],
      );
      return calls.length > 0 ? { assistant: texts, calls } : { assistant: texts };
    }
    const results = parts.flatMap(({ functionResponse: given }) =>
      given ? [{ id: '', text: String(((given as Item).response as Item).content) }] : [],
    );
    return results.length > 0 && texts.length === 0
      ? { results }
      : { user: [...results.map(({ text }) => text), ...texts] };
  });
  const { parts = [] } = (body.systemInstruction ?? {}) as { parts?: Item[] };
  const declared = ((body.tools ?? []) as { functionDeclarations?: Item[] }[]).flatMap(
    (each) => each.functionDeclarations ?? [],
  );
  const config = (body.generationConfig ?? {}) as { responseSchema?: unknown };
  return { system: parts.map(partText).join('\n'), messages, tools: namesOf(declared), schema: config.responseSchema };
}

function namesOf(tools: unknown): string[] {
  return ((tools ?? []) as Item[]).map(({ name }) => String(name));
}

/** A file is told by its type. */
function partText(part: Item): string {
  if (typeof part.text === 'string') return part.text;
  const data = JSON.stringify(part);
  return `<${/(image|application|text)\/[a-z]+/.exec(data)?.[0] ?? 'file'}>`;
}

/** What the last message says: the user's. */
export function finalOf({ messages }: Sent): string {
  const last = messages.at(-1);
  return last && 'user' in last ? last.user.join('\n---\n') : JSON.stringify(last);
}
