/** Caps that are right: plain data, ready to be synced, listed and used. */
import type { Span } from '../text/index.ts';
import type { CapProperty } from './property.ts';

interface Base {
  readonly name: string;
  readonly form: 'inline' | 'file';
  /** The file it is written in, and the place of its name there. */
  readonly file: string;
  readonly nameSpan: Span;
  /** LF line ends, without outer blank lines. */
  readonly body: string;
}

export type PropertyValue = CapProperty['value'];

export interface Psyche extends Base {
  readonly kind: 'psyche';
  /** Frontmatter is free, and kept. */
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

export interface Prompt extends Base {
  readonly kind: 'prompt';
  /** Shown where prompts are listed, when the free frontmatter has one. */
  readonly description?: string;
  readonly properties: Readonly<Record<string, PropertyValue>>;
}

export interface Skill extends Base {
  readonly kind: 'skill';
  readonly description: string;
  /** What a remote skill says beyond its description: kept for the lock, without effect. */
  readonly extra: Readonly<Record<string, PropertyValue>>;
}

interface ServiceBase extends Base {
  readonly kind: 'service';
  /** Missing only inline, with a warning. */
  readonly description?: string;
  readonly target: string;
  /** The names that "env" lists. */
  readonly env: readonly string[];
  /** Every variable that must be set: those of "env" and those that headers refer to. */
  readonly requires: readonly string[];
}

export interface HttpService extends ServiceBase {
  readonly transport: 'http';
  /** As written: `$NAME` is put in when the service is called, and never stored. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StdioService extends ServiceBase {
  readonly transport: 'stdio';
  /** The target, split; it is run without a shell. */
  readonly argv: readonly string[];
}

export type Service = HttpService | StdioService;
export type CheckedCap = Psyche | Skill | Service | Prompt;
