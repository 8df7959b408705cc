/** `toolang explain`: what a thunk would send, how a workflow runs, or what a code means. */
import { readTextFile } from '../../sys/index.ts';
import { closest, codes, didYouMean } from '../../text/index.ts';
import { type Args, UsageError } from '../command.ts';
import type { Context } from '../context.ts';
import { docsFile } from '../docs.ts';
import { type ExitCode, exit } from '../exit.ts';
import { languageOf, STDIN } from '../input.ts';
import { jsonText } from '../json.ts';

export async function run(args: Args, context: Context): Promise<ExitCode> {
  const [what = '', ...more] = args.positionals;
  const number = /^(?:TOO)?(\d+)$/i.exec(what)?.[1];
  if (number !== undefined) {
    const [word] = more;
    if (word !== undefined) throw new UsageError(`a code has no thunks; "${word}" is one word too many.`);
    return explainCode(`TOO${number}`, args.switches.json ?? false, context);
  }
  const stdinName = args.texts['stdin-name'];
  if (languageOf({ path: undefined, name: what === STDIN ? (stdinName ?? what) : what }) !== 'agent') {
    refuseOfAgents(args);
    const [, word] = more;
    if (word !== undefined) throw new UsageError(`"${word}" is one word too many.`, 'Name one step of the workflow.');
    const { explainWorkflowFile } = await import('./explain-workflow.ts');
    return explainWorkflowFile(args, context);
  }
  if (args.switches.cost === true) {
    throw new UsageError(
      '--cost is for workflows.',
      'How much an agent asks is up to it; the limits of config.toml end it.',
    );
  }
  const { explainAgent } = await import('../explain/agent.ts');
  return explainAgent(args, context);
}

/** What says how an agent would be run. */
function refuseOfAgents({ switches, texts, lists }: Args): void {
  const given = [
    ...(['shared', 'global', 'connect'] as const).filter((name) => switches[name] !== undefined),
    ...(['thread', 'script'] as const).filter((name) => texts[name] !== undefined),
    ...(['models', 'tools', 'caps'] as const).filter((name) => lists[name] !== undefined),
  ];
  const [first] = given;
  if (first !== undefined)
    throw new UsageError(`--${first} is for agents.`, 'A workflow is explained as it is written.');
}

/** The shape of `--json` is in `spec/json/explain-code.schema.json`. */
async function explainCode(code: string, json: boolean, context: Context): Promise<ExitCode> {
  if (!Object.hasOwn(codes, code)) {
    const near = didYouMean(closest(code, Object.keys(codes)));
    throw new UsageError(`there is no code ${code}.${near}`, 'All codes are in docs/errors/README.md.');
  }
  const page = await readTextFile(docsFile(`errors/${code}.md`));
  if (!page.ok) throw new Error(page.problem.message);
  context.stdout.write(json ? jsonText({ version: 1, code, page: page.text }) : page.text);
  return exit.done;
}
