/** Joins sync with the compiler of programs: what an agent is checked against is what lies around it. */
import type { Compile } from '../../caps/index.ts';
import type { HomeOptions } from '../../config/index.ts';
import { packProgram } from '../../program/index.ts';
import { checkAgent } from '../check-agent.ts';
import type { Context } from '../context.ts';
import { hostFinder } from '../host.ts';

export function compileFor(context: Context, options: HomeOptions): Compile {
  const find = hostFinder(context, [], options);
  return async (source, file) => {
    // What is wrong with the scopes around it, sync says itself.
    const described = await find({ path: file, name: source.name });
    const { program, diagnostics } = await checkAgent(source, described);
    const told = diagnostics.filter(({ severity }) => severity !== 'note');
    return { program: packProgram(program), caps: program.caps, uses: program.uses, diagnostics: told };
  };
}
