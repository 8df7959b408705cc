/** Whether a call may run: only if it is complete, its tool is there, its arguments fit, and nothing speaks against it. */
import type { Call } from '../call.ts';
import type { CallDiagnosticCode, DiagnosticEvent, FinishInfo } from '../event.ts';
import type { ErrorReport, Problem } from '../write/write.ts';
import { closestNames } from './closest.ts';
import { mapCall } from './map.ts';
import type { ToolPlan } from './plan.ts';
import { showName } from './value.ts';

/** What is known of the text that the call stands in. */
export interface CallContext {
  readonly finish?: FinishInfo | undefined;
  /** Of the whole text; only those that explain something are taken. */
  readonly diagnostics?: readonly DiagnosticEvent[] | undefined;
}

/** With `run: false`, what `writeErrors` needs to tell the model. */
export type Verdict = Permission | Refusal;

export interface Permission {
  readonly run: true;
  readonly args: Record<string, unknown>;
}

export interface Refusal extends ErrorReport {
  readonly run: false;
  readonly hints: readonly string[];
}

const mostNames = 20;

/** What can explain that a call has no end; what can explain that its arguments do not fit. */
const ofEnd: readonly CallDiagnosticCode[] = ['near-miss-end', 'spaced-marker', 'damaged-marker', 'nested-start'];
const suspect = 'header-bracket-suspect';
const ofArgs: readonly CallDiagnosticCode[] = [suspect, 'nested-start'];

/** All that speaks against the call, in words for the model. `plans` by the name of the tool. */
export function judgeCall(call: Call, plans: ReadonlyMap<string, ToolPlan>, context: CallContext = {}): Verdict {
  const { finish, diagnostics = [] } = context;
  const plan = plans.get(call.toolName);
  const problems: Problem[] = [];
  const made = diagnostics.find(({ code, start }) => code === 'fabricated-result' && start < call.start);
  if (made !== undefined) problems.push(fabricated);
  const cut = finish?.reason === 'length' || call.reason === 'length';
  if (!call.complete) problems.push(incomplete(call, cut));
  else if (cut) problems.push(afterLimit);
  if (plan === undefined) problems.push(unknownTool(call.toolName, [...plans.keys()]));
  const isCut =
    call.rawArgs.includes('[') &&
    // That JSON stands in the header is the mistake then, and is told.
    !/^@json\s/i.test(call.rawArgs) &&
    diagnostics.some(({ code, start }) => code === suspect && start === call.start);
  if (isCut) problems.push(cutHeader(call.toolName));
  // The arguments of half a call, or of half a header, would only be wrong because of that.
  const mapped = plan === undefined || !call.complete || isCut ? undefined : mapCall(call, plan);
  for (const { code, message } of mapped?.errors ?? []) problems.push({ code, message });
  if (mapped !== undefined && problems.length === 0) return { run: true, args: mapped.args };
  const wrong = isCut || (mapped !== undefined && mapped.errors.length > 0);
  const explaining = call.complete ? (wrong ? ofArgs : []) : ofEnd;
  const inside = diagnostics.filter(
    ({ code, start, end }) =>
      explaining.includes(code) && start >= call.start && end <= call.end && !(isCut && code === suspect),
  );
  // The same mistake many times needs to be explained once.
  const hints = [...new Set(inside.map(({ hint }) => hint))];
  const [close] = plan === undefined ? closestNames(call.toolName, plans.keys()) : [];
  const meant = plan ?? plans.get(close ?? '');
  const usage = meant && (plan === undefined || wrong || !call.complete) ? { usage: meant.usage } : {};
  return { run: false, problems, ...usage, hints };
}

const fabricated: Problem = {
  code: 'fabricated-result',
  message:
    'a result that no tool gave stands before this call, so the call did not run; results come in the next message: write the call again without one',
};

/** A path like `app/[slug]/page.tsx`: what came before the bracket would be taken for all of it, the rest for the body. */
const cutHeader = (tool: string): Problem => ({
  code: suspect,
  message: `the first "]" ended the header, so a value with "[" and "]" in it was cut and the call did not run; the brackets around optional arguments are not written; where a value has brackets, write ${showName(`${tool} @json`)} as the header, and all arguments as one JSON object in the body`,
});

const afterLimit: Problem = {
  code: 'length',
  message:
    'the message reached its length limit, so none of its calls ran; write them again, with shorter bodies or fewer in one message',
};

function incomplete({ reason }: Call, cut: boolean): Problem {
  if (reason === 'too-long') {
    return {
      code: 'too-long',
      message: 'the body is longer than is allowed, so the call did not run; write it in several smaller calls',
    };
  }
  if (cut) {
    return {
      code: 'length',
      message:
        'the message reached its length limit in the middle of this call, so the call did not run; write it again, with a shorter body or in several smaller calls',
    };
  }
  return {
    code: 'unterminated',
    message:
      'the message ends before this call does, so the call did not run; write it again, with the end marker behind its body',
  };
}

function unknownTool(name: string, names: readonly string[]): Problem {
  const close = closestNames(name, names);
  const shown = (close.length > 0 ? close : names.slice(0, mostNames)).map(showName);
  let help = 'there are no tools';
  if (close.length > 0) help = `did you mean ${shown.join(' or ')}?`;
  else if (names.length > 0) help = `the tools are ${shown.join(', ')}${names.length > mostNames ? ', ...' : ''}`;
  return { code: 'unknown-tool', message: `there is no tool ${showName(name)}; ${help}` };
}
