/** The shape of a command: what the table says of it, and what its module exports. */
import type { Context } from './context.ts';
import { type ExitCode, exit } from './exit.ts';

export interface Flag {
  /** Without the dashes. A `switch` also has the form `--no-name`. */
  readonly name: string;
  /** One letter. */
  readonly alias?: string;
  readonly type: 'switch' | 'text' | 'count';
  /** What stands for the value in help: `DIR`. */
  readonly value?: string;
  readonly doc: string;
  /** Help and completion offer `--no-name` too. */
  readonly both?: boolean;
  /** A text that may be given several times. */
  readonly many?: boolean;
  /** A text that may be left out, as `--name`, which then is a switch; with `--name=VALUE` it is a text. */
  readonly bare?: boolean;
}

export interface Positional {
  /** In capitals: `FILE`. */
  readonly name: string;
  readonly doc: string;
  readonly optional?: boolean;
  /** It takes all that is left; only the last one may. */
  readonly many?: boolean;
  /** The only words allowed. */
  readonly choices?: readonly string[];
  /** What a shell offers for it. */
  readonly complete?: 'file' | 'command';
}

export interface Example {
  readonly run: string;
  readonly doc: string;
}

export interface Command {
  /** One word, or two: the family's name and its own. */
  readonly name: string;
  readonly group: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Replaces the usage made from the positionals, where they do not say it all. One string a form. */
  readonly usage?: readonly string[];
  /** What help says below the summary. */
  readonly about?: string;
  readonly positionals: readonly Positional[];
  readonly flags: readonly Flag[];
  readonly examples: readonly Example[];
  /** With arguments its module shows the help: that of what they name. */
  readonly helpsItself?: boolean;
  readonly load: () => Promise<CommandModule>;
}

/** Commands that share their first word. */
export interface Family {
  readonly name: string;
  readonly group: string;
  readonly summary: string;
  readonly about: string;
}

/** A command line that was read by the table. */
export interface Args {
  readonly positionals: readonly string[];
  /** Switches: true for `--name`, false for `--no-name`, absent when not given. */
  readonly switches: Readonly<Record<string, boolean>>;
  readonly texts: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Of texts that may be given several times, in their order. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
}

export interface CommandModule {
  readonly run: (args: Args, context: Context) => ExitCode | Promise<ExitCode>;
}

/**
 * Thrown by a command for a wrong argument that the table cannot see; it ends the command with exit 2. What is no mistake of
 * the caller, as a run that somebody else drives, has another code.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;
  readonly code: ExitCode;

  constructor(message: string, help?: string, code: ExitCode = exit.usage) {
    super(message);
    this.help = help;
    this.code = code;
  }
}
