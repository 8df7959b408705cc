/** A model that was found by its name: who serves it, how it is reached, what is known of it. Plain data, without keys. */

export interface ResolvedModel {
  /** `provider/model`, as it is shown and recorded; of an alias that has an endpoint of its own, the alias. */
  readonly ref: string;
  /** `openai`, `anthropic`, `google`, `openrouter`, `deepseek`, `ollama`, `llamacpp`, `openai-compatible` …; `scripted` has no service. */
  readonly provider: string;
  /** As the service calls it. */
  readonly id: string;
  /** The address, where it is not the provider's own. */
  readonly endpoint?: string;
  /** The variables of the environment that may hold the key, the first that is set wins; none where no key is needed. */
  readonly keyEnv: readonly string[];
  /** Sent along; `$NAME` is taken from the environment when it is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How it calls tools. */
  readonly tools: 'native' | 'text';
  /** The name in the configuration that stands for it, where it was found by one. */
  readonly alias?: string;
  readonly info?: ModelInfo;
}

/** From published data. */
export interface ModelInfo {
  /** The most tokens of a request and its answer together. */
  readonly context?: number;
  /** The most tokens of an answer. */
  readonly output?: number;
  readonly price?: ModelPrice;
}

/** In dollars for a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Where the request has more input tokens than `above`, all of the call costs this. */
  readonly long?: {
    readonly above: number;
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
}
