/** `toolang calls parse`: the texts and calls of a model's answer, one JSON line each, or the events as they come. */
import {
  type CallEvent,
  createCollector,
  type DiagnosticEvent,
  type FinishInfo,
  type ScanOptions,
  type Segment,
  scan,
} from '../../calls/index.ts';
import { checkInputs, noTools, readChunks, readToolFile } from '../call-input.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exit } from '../exit.ts';
import { jsonLine } from '../json.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  checkInputs(args);
  const options = await scanOptions(args, context);
  if (options === undefined) return exit.usage;
  const chunks = await readChunks(args.positionals[0], context);
  if (chunks === undefined) return exit.usage;
  const finish = (): FinishInfo => ({ reason: args.switches.length === true ? 'length' : 'stop' });
  const events = scan(chunks, { ...options, finish });
  if (args.switches.stream === true) {
    for await (const event of events) {
      context.stdout.write(jsonLine(eventLine(event)));
      if (!(await context.stdout.flush())) break;
    }
    return exit.done;
  }
  const collector = createCollector();
  for await (const event of events) collector.add(event);
  try {
    const { segments, diagnostics } = collector.result();
    for (const line of inOrder(segments, diagnostics)) context.stdout.write(jsonLine(line));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UsageError('a text of the answer is too long for one line.', 'with --stream it is printed in pieces');
  }
  return exit.done;
}

async function scanOptions(args: Args, context: Context): Promise<ScanOptions | undefined> {
  const { switches, texts, counts } = args;
  const unknownCalls = switches['unknown-calls'] === true;
  if (unknownCalls && texts.tools === undefined) {
    throw new UsageError('--unknown-calls says nothing without --tools', 'write --tools=FILE too');
  }
  const file = texts.tools === undefined ? noTools : await readToolFile(texts.tools, context);
  if (file === undefined) return undefined;
  return {
    strict: switches.strict === true,
    multilineHeader: switches['multiline-header'] === true,
    literalHeader: switches['literal-header'] === true,
    repair: switches.repair === true,
    ...(texts.tools !== undefined && { knownTools: file.plans, unknownCalls }),
    ...(counts['max-header'] !== undefined && { maxHeader: counts['max-header'] }),
    ...(counts['max-body'] !== undefined && { maxBody: counts['max-body'] }),
  };
}

/** Each diagnostic behind the segment that it starts in. */
function* inOrder(segments: readonly Segment[], diagnostics: readonly DiagnosticEvent[]): Generator<unknown> {
  const sorted = diagnostics.toSorted((a, b) => a.start - b.start);
  let next = 0;
  for (const segment of segments) {
    yield segment.type === 'text' ? { type: 'text', text: segment.text } : { type: 'call', ...segment.toJSON() };
    for (let found = sorted[next]; found !== undefined && found.start < segment.end; found = sorted[++next])
      yield found;
  }
}

/** In the words of the specification. */
function eventLine(event: CallEvent): unknown {
  if (event.type !== 'call-start') return event;
  const { type, index, toolName, rawArgs, ...rest } = event;
  return { type, index, tool_name: toolName, raw_args: rawArgs, ...rest };
}
