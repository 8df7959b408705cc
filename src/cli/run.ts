/** From a command line to an exit code: finds the command, reads its arguments, runs it, reports what went wrong. */
import { version } from '../api/index.ts';
import { closest, didYouMean, printable, ToolangError } from '../text/index.ts';
import { asksFor, type Problem, parseCommand, parseFlags, splitCommand } from './args.ts';
import { type Args, type Command, type Family, UsageError } from './command.ts';
import { type Context, withColor } from './context.ts';
import { type ExitCode, exit } from './exit.ts';
import { commandHelp, familyHelp, mainHelp } from './help.ts';
import { printProblem } from './report.ts';
import { quoteForShell } from './shell.ts';
import { allCommands, commandNamed, familyNamed, firstWords, globalFlags, membersOf } from './table.ts';

export async function runCli(argv: readonly string[], context: Context): Promise<ExitCode> {
  const { before, name, after } = splitCommand(argv);
  const global = parseFlags(before, globalFlags);
  if (!global.ok) return complain(misplaced(before, global.problem), context);
  const own = withColor(context, global.args.switches.color);
  if (asksFor(before, 'version')) return printVersion(own);
  if (name === undefined) return print(own, mainHelp(own.stdout.color));
  const family = familyNamed(name);
  if (family !== undefined) return runFamily(family, before, after, own);
  const command = commandNamed(name);
  if (command === undefined) {
    const invoke = /\.too$/i.test(name) ? commandNamed('invoke') : undefined;
    if (invoke === undefined) return complain(unknownCommand(name), own);
    return runOrHelp(invoke, before, [...(name.startsWith('-') ? ['--'] : []), name, ...after], own);
  }
  const [second = '', ...rest] = after;
  const member = membersOf(name).get(second);
  return member === undefined ? runOrHelp(command, before, after, own) : runOrHelp(member, before, rest, own);
}

/** The second word names the command; flags that every command has may stand before it. */
function runFamily(
  family: Family,
  before: readonly string[],
  words: readonly string[],
  context: Context,
): Promise<ExitCode> | ExitCode {
  const { before: flags, name, after } = splitCommand(words);
  const command = name === undefined ? undefined : membersOf(family.name).get(name);
  if (command !== undefined) return runOrHelp(command, [...before, ...flags], [...flags, ...after], context);
  if (name === 'help' || asksFor([...before, ...words], 'help')) {
    return print(context, familyHelp(family, context.stdout.color));
  }
  if (asksFor(words, 'version')) return printVersion(context);
  return complain(unknownMember(family, name, words), context);
}

function runOrHelp(
  command: Command,
  before: readonly string[],
  after: readonly string[],
  context: Context,
): Promise<ExitCode> | ExitCode {
  const isHelp = asksFor([...before, ...after], 'help');
  const words = isHelp ? ['--help', ...after] : after;
  const parsed = isHelp ? parseCommand(command, words) : undefined;
  // Whatever else is wrong.
  if (isHelp && !(parsed?.ok && helpsItself(command, parsed.args)))
    return print(context, commandHelp(command, context.stdout.color));
  if (asksFor(after, 'version')) return printVersion(context);
  return runCommand(command, words, context);
}

function helpsItself(command: Command, { positionals }: Args): boolean {
  return command.helpsItself === true && positionals.length > 0;
}

/** One line for people; the stack is for us. */
export function reportError(error: unknown, context: Context): ExitCode {
  const { stderr } = context;
  const message = printable(messageOf(error));
  if (error instanceof UsageError) {
    complain({ message: error.message, ...helpOf(error) }, context);
    return error.code;
  }
  if (error instanceof ToolangError) printProblem(`${message} (${error.code})`, stderr);
  else if (isSystemError(error) || isStoreFailure(error)) printProblem(message, stderr);
  else {
    const debug = context.env.TOOLANG_DEBUG;
    const showsStack = debug !== undefined && debug !== '' && debug !== '0';
    const hint = showsStack ? '' : '; TOOLANG_DEBUG=1 shows where';
    printProblem(`a bug of ours: ${message} (TOO9001)${hint}`, stderr);
    if (showsStack) stderr.write(`${stackOf(error)}\n`);
  }
  return exit.failed;
}

async function runCommand(command: Command, argv: readonly string[], context: Context): Promise<ExitCode> {
  const parsed = parseCommand(command, argv);
  if (!parsed.ok) return complain(parsed.problem, context);
  const [word = ''] = parsed.args.positionals;
  if (membersOf(command.name).has(word)) {
    const help = `write flags behind it: toolang ${command.name} ${word} …`;
    return complain({ message: `flags stand before the command ${word}`, help }, context);
  }
  const own = { ...withColor(context, parsed.args.switches.color), places: placesOf(parsed.args) };
  if (parsed.args.switches.help === true && !helpsItself(command, parsed.args))
    return print(own, commandHelp(command, own.stdout.color));
  if (parsed.args.switches.version === true) return printVersion(own);
  try {
    const module = await command.load();
    return await module.run(parsed.args, own);
  } catch (error) {
    return reportError(error, own);
  }
}

function placesOf({ texts }: Args): readonly string[] {
  return ['root', 'home', 'store'].flatMap((name) => {
    const value = texts[name];
    return value === undefined ? [] : [`--${name}`, quoteForShell(value)];
  });
}

/** Wrong usage: what is wrong, what to write instead. */
function complain(problem: Problem, context: Context): ExitCode {
  printProblem(printable(problem.message), context.stderr);
  for (const line of problem.help?.split('\n') ?? []) context.stderr.write(`  ${printable(line)}\n`);
  return exit.usage;
}

function unknownMember(family: Family, name: string | undefined, words: readonly string[]): Problem {
  const names = [...membersOf(family.name).keys()];
  // The value of a flag before the command would be taken for the command.
  const later = words[0]?.startsWith('-') ? words.find((word) => names.includes(word)) : undefined;
  if (later !== undefined) {
    const help = `write flags behind it: toolang ${family.name} ${later} ${words[0]} …`;
    return { message: `${words[0]} stands before the command`, help };
  }
  const message =
    name === undefined
      ? `${family.name} needs a second word: ${names.join(', ')}.`
      : `unknown command "${family.name} ${name}".${didYouMean(closest(name, names))}`;
  return { message, help: `what there is: toolang ${family.name} --help` };
}

function unknownCommand(name: string): Problem {
  const names = firstWords();
  const near = closest(name, names);
  // People write the file first; say what to do with it.
  const file = quoteForShell(name);
  const isData = /\.(script|record)\.toon$/i.test(name);
  const isTest = /\.test\.toon$/i.test(name);
  const help = !/\.toon$/i.test(name)
    ? 'all commands: toolang --help'
    : isTest
      ? `to run the tests: toolang test ${file}`
      : isData
        ? `to check the file: toolang check ${file}`
        : `to run the workflow: toolang run ${file}`;
  return { message: `unknown command "${name}".${didYouMean(near)}`, help };
}

/** A flag of a command that stands before the command gets a better answer than "unknown". */
function misplaced(before: readonly string[], problem: Problem): Problem {
  for (const word of before) {
    const name = /^--(?:no-)?([^=]+)/.exec(word)?.[1];
    if (globalFlags.some((flag) => flag.name === name)) continue;
    if (allCommands().some((command) => command.flags.some((flag) => flag.name === name))) {
      return { message: `${word} stands before the command`, help: `write it after: toolang COMMAND ${word}` };
    }
  }
  return problem;
}

function print(context: Context, text: string): ExitCode {
  context.stdout.write(text);
  return exit.done;
}

function printVersion(context: Context): ExitCode {
  return print(context, `${version}\n`);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && 'errno' in error;
}

/** By its name: what keeps runs is not loaded by every command. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'StoreFailure';
}

function helpOf(error: UsageError): { help?: string } {
  return error.help === undefined ? {} : { help: error.help };
}

function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return stack.split('\n').map(printable).join('\n');
}
