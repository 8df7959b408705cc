/** A model that is offered its tools in text, and is for the rest one that has an interface for them. */
import { bracketTools } from './bracket-tools.ts';
import type { BracketToolsOptions } from './options.ts';
import type { CallParams, StreamResult } from './sdk.ts';

export interface StreamModel<P, R> {
  readonly doStream: (params: P) => PromiseLike<R>;
}

export function inText<P extends CallParams, R extends StreamResult>(
  model: StreamModel<P, R>,
  options: BracketToolsOptions = {},
): StreamModel<P, R> {
  const { transformParams, wrapStream } = bracketTools(options);
  return {
    async doStream(params) {
      const changed = await transformParams({ params });
      return wrapStream({ doStream: () => model.doStream(changed), params: changed });
    },
  };
}
