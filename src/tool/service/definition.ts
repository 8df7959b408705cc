/** A service as its cap says it, checked. What is here is the part of `Service` in `caps` that running one needs. */

interface Base {
  /** The first part of the names of its tools. */
  readonly name: string;
  readonly description?: string;
  /** As it is written. */
  readonly target: string;
  /** Variables that must be set; a command is given them. */
  readonly env: readonly string[];
}

export interface HttpDefinition extends Base {
  readonly transport: 'http';
  /** As written: `$NAME` and `${NAME}` are variables. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StdioDefinition extends Base {
  readonly transport: 'stdio';
  /** The target, split as a shell would split it; no shell reads it. */
  readonly argv: readonly string[];
}

export type ServiceDefinition = HttpDefinition | StdioDefinition;

/** How much is waited for and taken. Tests take less. */
export interface ServiceLimits {
  /** From the start of a server until it can be called. */
  readonly connectMs: number;
  /** How long a server may be silent about which protocol it speaks, until the older one is tried. */
  readonly probeMs: number;
  /** A call that hears nothing for so long is given up; progress that the server tells begins it anew. */
  readonly callMs: number;
  /** However much progress is told. */
  readonly longestCallMs: number;
  /** How long a server may take to end. */
  readonly closeMs: number;
  /** Of one message, in bytes. What is longer is not kept. */
  readonly messageBytes: number;
  /** How often a server that died is started again, in one run. */
  readonly restarts: number;
  readonly tools: number;
  /** Of the names, descriptions and schemas of all tools of a server together, in characters of JSON. */
  readonly listChars: number;
  /** Of one description. */
  readonly descriptionChars: number;
  /** Of one schema, as JSON. */
  readonly schemaChars: number;
}

export const serviceLimits: ServiceLimits = {
  connectMs: 30_000,
  probeMs: 5_000,
  callMs: 60_000,
  longestCallMs: 600_000,
  closeMs: 2_000,
  messageBytes: 16_000_000,
  restarts: 3,
  tools: 512,
  listChars: 1024 * 1024,
  descriptionChars: 4_096,
  schemaChars: 64 * 1024,
};
