/**
 * What we touch of the AI SDK's language model interface, version 3 (`ai@6`), in our own words: so that the published types
 * need no other package. `test/ai/types.test.ts` checks them against the SDK's own. What version 4 (`ai@7`) has more, or
 * calls otherwise, is in it too.
 */

/** What is kept for a provider with a part, as JSON: ours stands under the key `toolang`. */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TextPart {
  type: 'text';
  text: string;
  providerOptions?: ProviderData | undefined;
}

export interface FilePart {
  type: 'file';
  mediaType: string;
  /** A string, bytes or a URL; in version 4 an object that says which. */
  data: string | object;
  filename?: string | undefined;
  providerOptions?: ProviderData | undefined;
}

/** Parts that only version 4 has; they stay as they are. */
export interface OtherPart {
  type: 'custom' | 'reasoning-file';
  providerOptions?: ProviderData | undefined;
}

export interface ReasoningPart {
  type: 'reasoning';
  text: string;
  providerOptions?: ProviderData | undefined;
}

export interface ToolCallPart {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  input: unknown;
  providerExecuted?: boolean | undefined;
  providerOptions?: ProviderData | undefined;
}

export interface ToolResultPart {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  output: ToolOutput;
  providerOptions?: ProviderData | undefined;
}

export interface ApprovalPart {
  type: 'tool-approval-response';
  approvalId: string;
  approved: boolean;
}

export type ToolOutput =
  | { type: 'text' | 'error-text'; value: string }
  | { type: 'json' | 'error-json'; value: unknown }
  | { type: 'execution-denied'; reason?: string | undefined }
  | { type: 'content'; value: OutputPart[] };

export type OutputPart =
  | { type: 'text'; text: string }
  | { type: 'file'; data: object; mediaType: string; filename?: string | undefined }
  | { type: 'file-data'; data: string; mediaType: string; filename?: string | undefined }
  | { type: 'image-data'; data: string; mediaType: string }
  | { type: 'file-url'; url: string; mediaType?: string | undefined }
  | { type: 'image-url'; url: string }
  | { type: 'file-id' | 'image-file-id'; fileId: string | Record<string, string> }
  | { type: 'custom' };

export type AssistantPart = TextPart | FilePart | ReasoningPart | OtherPart | ToolCallPart | ToolResultPart;

export interface SystemMessage {
  role: 'system';
  content: string;
  providerOptions?: ProviderData | undefined;
}

export interface UserMessage {
  role: 'user';
  content: (TextPart | FilePart)[];
  providerOptions?: ProviderData | undefined;
}

export interface AssistantMessage {
  role: 'assistant';
  content: AssistantPart[];
  providerOptions?: ProviderData | undefined;
}

export interface ToolMessage {
  role: 'tool';
  content: (ToolResultPart | ApprovalPart)[];
  providerOptions?: ProviderData | undefined;
}

export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

export interface FunctionTool {
  type: 'function';
  name: string;
  description?: string | undefined;
  inputSchema: object | boolean;
  inputExamples?: { input: Readonly<Record<string, unknown>> }[] | undefined;
}

export interface ProviderTool {
  type: 'provider';
  id: string;
  name: string;
}

export type ToolChoice = { type: 'auto' | 'none' | 'required' } | { type: 'tool'; toolName: string };

export type ResponseFormat = { type: 'text' } | { type: 'json'; schema?: unknown };

export interface CallParams {
  prompt: Message[];
  tools?: (FunctionTool | ProviderTool)[] | undefined;
  toolChoice?: ToolChoice | undefined;
  stopSequences?: string[] | undefined;
  responseFormat?: ResponseFormat | undefined;
}

export type Warning =
  | { type: 'unsupported' | 'compatibility'; feature: string; details: string }
  | { type: 'other'; message: string };

export interface FinishReason {
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
  raw: string | undefined;
}

/** Any part of a stream or of an answer: those that we do not touch go through as they are. */
export interface Part {
  readonly type: string;
}

/** What may tell parts that are not ours apart: those of reasoning, of calls that the server itself understood. */
export interface ForeignPart extends Part {
  readonly id?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly providerExecuted?: boolean | undefined;
}

export interface TextStart {
  type: 'text-start';
  id: string;
  providerMetadata?: ProviderData;
}

export interface TextDelta {
  type: 'text-delta';
  id: string;
  delta: string;
  providerMetadata?: ProviderData;
}

export interface TextEnd {
  type: 'text-end';
  id: string;
  providerMetadata?: ProviderData;
}

export interface ToolInputStart {
  type: 'tool-input-start';
  id: string;
  toolName: string;
}

export interface ToolInputDelta {
  type: 'tool-input-delta';
  id: string;
  delta: string;
}

export interface ToolInputEnd {
  type: 'tool-input-end';
  id: string;
}

export interface ToolCall {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  /** JSON; or, for a call that must not run, the words that say why. */
  input: string;
  providerMetadata?: ProviderData;
}

export interface StreamStart {
  type: 'stream-start';
  warnings: Warning[];
}

export interface Finish {
  type: 'finish';
  finishReason: FinishReason;
}

/** A text of an answer that came as a whole. */
export interface TextContent {
  type: 'text';
  text: string;
  providerMetadata?: ProviderData;
}

export interface GenerateResult {
  content: Part[];
  finishReason: FinishReason;
  warnings: object[];
}

export interface StreamResult {
  stream: object;
}
