/** `bracketTools`: a middleware of the AI SDK with which every model can call tools, as text. */
import { STOP } from '../../calls/index.ts';
import { readAnswer } from './content.ts';
import { writeHistory } from './history.ts';
import { placeInstructions, writeInstructions } from './instructions.ts';
import type { BracketToolsOptions } from './options.ts';
import type { CallParams, GenerateResult, Part, StreamResult } from './sdk.ts';
import { keepSession, openSession, type Session, sessionOf } from './session.ts';
import { readStream } from './stream.ts';

/** Fits `LanguageModelV3Middleware` of `ai@6`, without its types. */
export interface BracketTools {
  readonly specificationVersion: 'v3';
  readonly transformParams: <P extends CallParams>(options: { readonly params: P }) => Promise<P>;
  readonly wrapGenerate: <R extends GenerateResult>(options: {
    readonly doGenerate: () => PromiseLike<R>;
    readonly params: { readonly prompt: object };
  }) => Promise<R>;
  readonly wrapStream: <R extends StreamResult>(options: {
    readonly doStream: () => PromiseLike<R>;
    readonly params: { readonly prompt: object };
  }) => Promise<R>;
}

/** The most stop sequences that common providers take. */
const mostStops = 4;

export function bracketTools(options: BracketToolsOptions = {}): BracketTools {
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      return offerInText(params, openSession(params, options));
    },
    async wrapGenerate({ doGenerate, params }) {
      const session = sessionOf(params);
      const result = await doGenerate();
      const { content, finishReason } = readAnswer(result, session);
      return { ...result, content, finishReason, warnings: [...result.warnings, ...session.warnings] };
    },
    async wrapStream({ doStream, params }) {
      const session = sessionOf(params);
      const result = await doStream();
      return { ...result, stream: readStream(result.stream as ReadableStream<Part>, session) };
    },
  };
}

/** The request without tools; what they were is in its messages. */
function offerInText<P extends CallParams>(params: P, session: Session): P {
  const { options, plans, mayCall, warnings } = session;
  const { tools: _tools, toolChoice: _choice, ...rest } = params;
  const changed: CallParams = { ...rest };
  changed.prompt = writeHistory(params.prompt, plans, (warning) => warnings.push(warning));
  const text = writeInstructions(params, session);
  if (text !== undefined) changed.prompt = placeInstructions(changed.prompt, text, options.placement ?? 'system');
  if (mayCall) {
    if (options.stop !== false) changed.stopSequences = withStop(params.stopSequences, session.reading.names);
    if (params.responseFormat?.type === 'json') {
      delete changed.responseFormat;
      warnings.push({
        type: 'compatibility',
        feature: 'responseFormat',
        details: 'A model that may write JSON only cannot call tools in text, so it is asked for JSON in words.',
      });
    }
  }
  keepSession(changed, session);
  return changed as P;
}

/** What a made-up result begins with; an answer is cut there in any case, this only saves the tokens behind it. */
function withStop(stops: string[] = [], names: readonly string[]): string[] {
  // A tool whose name begins like that must not be stopped.
  const stop = names.some((name) => name.startsWith('result')) ? `${STOP} ` : STOP;
  return stops.length >= mostStops || stops.includes(stop) ? stops : [...stops, stop];
}
