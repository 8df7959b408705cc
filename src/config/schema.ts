/**
 * The one schema of `config.toml`, as data: the loader checks by it, the types come from it, `docs/config.md` is made of
 * it. Every key has a type, a sentence, and its default where it has one.
 */

export type Schema = TextSchema | NumberSchema | ListSchema | MapSchema | TableSchema;

/** What a text must be, beyond not being empty. */
export type TextRule = 'ref' | 'word' | 'path' | 'env' | 'url' | 'host' | 'header' | 'permission';
export type NameRule = 'cap' | 'alias' | 'header';

interface Base {
  readonly doc: string;
  /** Only inside the tables of a map. */
  readonly required?: boolean;
}

export interface TextSchema extends Base {
  readonly kind: 'text';
  readonly rule?: TextRule;
  readonly values?: readonly string[];
  readonly default?: string;
  readonly example: string;
}

export interface NumberSchema extends Base {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly min: number;
  readonly max?: number;
  readonly default?: number;
  /** In words, where the default is not one number. */
  readonly unset?: string;
  readonly example?: number;
}

export interface ListSchema extends Base {
  readonly kind: 'list';
  readonly item: TextSchema;
  readonly default: readonly string[];
  /** The lists of root and home are joined: the home adds to it, and takes nothing away. */
  readonly joined?: boolean;
}

/** A table whose keys are the user's own names. */
export interface MapSchema extends Base {
  readonly kind: 'map';
  readonly name: NameRule;
  readonly value: TextSchema | TableSchema;
}

export interface TableSchema extends Base {
  readonly kind: 'table';
  readonly keys: Readonly<Record<string, Schema>>;
}

/** What a file says: everything may be left out, but what is required in a table of a map. */
export type Written<S> = S extends { kind: 'table'; keys: infer K }
  ? { readonly [N in RequiredKeys<K>]: Written<K[N]> } & {
      readonly [N in Exclude<keyof K, RequiredKeys<K>>]?: Written<K[N]>;
    }
  : S extends { kind: 'map'; value: infer V }
    ? Readonly<Record<string, Written<V>>>
    : Leaf<S>;

/** What holds after merging: tables, maps and keys with a default are always there. */
export type Settled<S> = S extends { kind: 'table'; keys: infer K }
  ? { readonly [N in SureKeys<K>]: Settled<K[N]> } & { readonly [N in Exclude<keyof K, SureKeys<K>>]?: Settled<K[N]> }
  : S extends { kind: 'map'; value: infer V }
    ? Readonly<Record<string, Written<V>>>
    : Leaf<S>;

type Leaf<S> = S extends { kind: 'text'; values: readonly (infer V)[] }
  ? V
  : S extends { kind: 'text' }
    ? string
    : S extends { kind: 'number' }
      ? number
      : S extends { kind: 'list' }
        ? readonly string[]
        : never;

type RequiredKeys<K> = { [N in keyof K]: K[N] extends { required: true } ? N : never }[keyof K];
type SureKeys<K> = {
  [N in keyof K]: K[N] extends { kind: 'table' | 'map' } | { default: unknown } ? N : never;
}[keyof K];

function wired(kind: string, example: string) {
  return {
    kind: 'map',
    name: 'cap',
    doc: `Remote ${kind}s wired by name. Each is \`{ ref = "…" }\`; the key is the ${kind}'s name.`,
    value: {
      kind: 'table',
      doc: `One wired ${kind}.`,
      keys: {
        ref: { kind: 'text', rule: 'ref', required: true, example, doc: `Where the ${kind} comes from.` },
      },
    },
  } as const satisfies MapSchema;
}

const pattern = {
  kind: 'text',
  rule: 'permission',
  example: 'shell(git *)',
  doc: 'A tool, or a tool and a pattern.',
} as const;

export const configSchema = {
  kind: 'table',
  doc: 'Settings of a root or of a home. The root is read first, then the home, and the home wins key by key.',
  keys: {
    models: {
      kind: 'table',
      doc: 'Which models agents use.',
      keys: {
        default: {
          kind: 'list',
          item: { kind: 'text', rule: 'word', example: 'anthropic/claude-sonnet-4-5', doc: 'A model or an alias.' },
          default: [],
          doc: 'The models of a thunk that names none, in order of preference. Empty: the first usable provider.',
        },
        aliases: {
          kind: 'map',
          name: 'alias',
          doc: 'Short names for models, and models of your own endpoints.',
          value: {
            kind: 'table',
            doc: 'One model.',
            keys: {
              ref: {
                kind: 'text',
                rule: 'word',
                required: true,
                example: 'openrouter/qwen/qwen3-coder',
                doc: 'The model: `provider/model`, or as its endpoint calls it.',
              },
              provider: {
                kind: 'text',
                rule: 'word',
                example: 'openai-compatible',
                doc: 'The provider that serves it.',
              },
              endpoint: {
                kind: 'text',
                rule: 'url',
                example: 'http://localhost:8080/v1',
                doc: 'The address of an endpoint of your own.',
              },
              key_env: {
                kind: 'text',
                rule: 'env',
                example: 'MY_API_KEY',
                doc: 'The environment variable that holds the key; never the key itself.',
              },
              tools: {
                kind: 'text',
                values: ['native', 'text'],
                example: 'text',
                doc: 'How the model calls tools: by its own interface, or in its text.',
              },
              price_in: {
                kind: 'number',
                integer: false,
                min: 0,
                unset: 'what is published',
                example: 0.5,
                doc: 'Dollars for a million tokens of input, 0 if it costs nothing; together with `price_out`.',
              },
              price_out: {
                kind: 'number',
                integer: false,
                min: 0,
                unset: 'what is published',
                example: 1.5,
                doc: 'Dollars for a million tokens of its answers.',
              },
              max_tokens: {
                kind: 'number',
                integer: true,
                min: 1,
                unset: 'what is published',
                example: 4096,
                doc: 'The most tokens of an answer.',
              },
              headers: {
                kind: 'map',
                name: 'header',
                doc: 'HTTP headers sent along; `$NAME` is taken from the environment.',
                value: { kind: 'text', rule: 'header', example: 'Bearer $MY_API_KEY', doc: 'The value of one header.' },
              },
            },
          },
        },
      },
    },
    tools: {
      kind: 'table',
      doc: 'Which tools agents have.',
      keys: {
        default: {
          kind: 'list',
          item: { kind: 'text', rule: 'word', example: 'filesystem', doc: 'A tool set, or one tool of it.' },
          default: ['filesystem'],
          doc: 'The tools of a thunk that names none.',
        },
        shell: {
          kind: 'table',
          doc: 'What commands of models are given.',
          keys: {
            env: {
              kind: 'list',
              item: { kind: 'text', rule: 'env', example: 'JAVA_HOME', doc: 'The name of an environment variable.' },
              default: [],
              doc: 'More environment variables that commands of models see. A secret that is named here can be read by every command that a model writes.',
            },
          },
        },
        web: {
          kind: 'table',
          doc: 'Where `web/fetch` may go.',
          keys: {
            private: {
              kind: 'list',
              item: { kind: 'text', rule: 'host', example: 'localhost:8080', doc: 'A host, or a host and a port.' },
              default: [],
              doc: 'Hosts that may be fetched from though their addresses are not public.',
            },
          },
        },
      },
    },
    permissions: {
      kind: 'table',
      doc: 'What tools may do: deny goes before allow, allow before ask.',
      keys: {
        deny: {
          kind: 'list',
          item: pattern,
          default: [],
          joined: true,
          doc: 'Calls that are refused. What the root refuses no home allows: the two lists are joined.',
        },
        allow: { kind: 'list', item: pattern, default: [], doc: 'Calls that go through unasked.' },
        ask: { kind: 'list', item: pattern, default: [], doc: 'Calls that a person is asked about.' },
      },
    },
    sandbox: {
      kind: 'table',
      doc: 'How tools are shut in.',
      keys: {
        shell: {
          kind: 'text',
          values: ['none', 'os'],
          default: 'none',
          example: 'os',
          doc: 'With `os`, shell commands run in the sandbox of the system; where there is none they fail.',
        },
        network: {
          kind: 'text',
          values: ['none', 'all'],
          default: 'none',
          example: 'none',
          doc: 'Whether commands in the sandbox reach the network, this machine included.',
        },
        read: {
          kind: 'list',
          item: { kind: 'text', rule: 'path', example: '~/.gitconfig', doc: 'A file or a folder.' },
          default: [],
          doc: 'Files and folders, absolute or from your home with `~`, that commands in the sandbox may read beside the workspace and the system.',
        },
      },
    },
    limits: {
      kind: 'table',
      doc: 'Where a run stops: at dollars and tokens it asks, at the others it fails.',
      keys: {
        usd: { kind: 'number', integer: false, min: 0, default: 1, doc: 'Dollars a run may cost.' },
        tokens: { kind: 'number', integer: true, min: 0, unset: 'no limit', doc: 'Tokens a run may use.' },
        model_calls: { kind: 'number', integer: true, min: 0, unset: 'no limit', doc: 'Model calls of a run.' },
        tool_calls: { kind: 'number', integer: true, min: 0, unset: 'no limit', doc: 'Tool calls of a run.' },
        minutes: { kind: 'number', integer: false, min: 0, unset: 'no limit', doc: 'Minutes a run may be at work.' },
        depth: { kind: 'number', integer: true, min: 0, default: 8, doc: 'How deep hands may call hands.' },
      },
    },
    psyches: wired('psyche', 'github://acme/agents/psyches/calm.md@main'),
    skills: wired('skill', 'github://acme/agents/skills/reviewer@main'),
    services: wired('service', 'github://acme/agents/services/github.md@main'),
    prompts: wired('prompt', 'github://acme/agents/prompts/rewrite.md@main'),
    hands: {
      kind: 'map',
      name: 'cap',
      doc: 'Short names for workflows that thunks may call as hands.',
      value: {
        kind: 'text',
        rule: 'path',
        example: './release.toon',
        doc: 'The file, relative to the home (in the root, to the root).',
      },
    },
    runs: {
      kind: 'table',
      doc: 'How runs are kept and driven.',
      keys: {
        keep_days: {
          kind: 'number',
          integer: true,
          min: 0,
          unset: 'for ever',
          doc: 'After how many days runs that have ended are old: `toolang runs prune` removes them. Nothing is removed by itself.',
        },
        concurrency: { kind: 'number', integer: true, min: 1, unset: 'no limit', doc: 'Runs at work at one time.' },
        hosts: {
          kind: 'number',
          integer: true,
          min: 1,
          unset: 'two for each core, at least 4',
          doc: 'Processes that run your own code at one time.',
        },
        env: {
          kind: 'list',
          item: { kind: 'text', rule: 'env', example: 'GITHUB_TOKEN', doc: 'The name of an environment variable.' },
          default: [],
          doc: 'Secrets of the environment that your own code may see. A variable is a secret when its name says so (`KEY`, `TOKEN`, `SECRET`, `PASSWORD`, `AUTH` …), or when its value is an address with a password; its value is never kept.',
        },
      },
    },
    backend: {
      kind: 'table',
      doc: 'Where durable runs are driven, if not in this process.',
      keys: {
        url: { kind: 'text', rule: 'url', example: 'restate://localhost:9070', doc: 'The durable-execution server.' },
        history: {
          kind: 'text',
          rule: 'url',
          example: 'postgres://localhost/toolang',
          doc: 'Where its workers keep history.',
        },
      },
    },
    server: {
      kind: 'table',
      doc: 'What `toolang serve` listens on.',
      keys: {
        port: { kind: 'number', integer: true, min: 1, max: 65535, default: 4646, doc: 'The port.' },
        host: {
          kind: 'text',
          rule: 'host',
          default: '127.0.0.1',
          example: '127.0.0.1',
          doc: 'The address; other machines reach it only when it is not a loopback one.',
        },
      },
    },
  },
} as const satisfies TableSchema;

/** What one `config.toml` says. */
export type Config = Written<typeof configSchema>;
/** What holds after root, home and defaults. */
export type Settings = Settled<typeof configSchema>;
export type ModelAlias = Written<(typeof configSchema)['keys']['models']['keys']['aliases']['value']>;
