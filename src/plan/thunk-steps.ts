/** Steps whose agents are thunks: what they give to them (the prompt, `with`), and what they get. */
import { assignable, refTo, type StructType, structOf, type Type, type TypeTable, textType } from '../type/index.ts';
import type { DraftStep, DraftValue, Mark } from './draft.ts';
import type { Reader } from './names.ts';
import type { Value } from './node.ts';
import type { Reports } from './reports.ts';
import { renameType, type Schemas } from './schemas.ts';
import type { Site } from './site.ts';
import type { AgentThunk, ThunkSignature, Thunks } from './thunks.ts';
import { shortTypeText } from './type-text.ts';
import type { ValueLinker, Wanted } from './values.ts';

type Found = Extract<AgentThunk, { kind: 'thunk' }>;

/** What a step gets whose file does not say it; undefined where its agent is no thunk, or nothing is known of it. */
export type ThunkOutput = (site: Site) => Type | undefined;

/** Structs of a thunk become types of the plan, under names that are free there. */
export function createThunkOutputs(thunks: Thunks, schemas: Schemas): ThunkOutput {
  const known = new Map<ThunkSignature, Type>();
  return ({ draft, space }) => {
    if (draft.kind !== 'step' || draft.agent === undefined) return undefined;
    const found = thunks.of(draft.agent, space.unit);
    if (found.kind !== 'thunk') return undefined;
    const { signature } = found;
    let type = known.get(signature);
    if (type === undefined) {
      const { output } = signature;
      // What a model says to a workflow is a text.
      type = output.kind === 'message' ? textType : (schemas.adopt(output, signature.types) as Type);
      known.set(signature, type);
    }
    return type;
  };
}

export interface ThunkStepContext {
  readonly reports: Reports;
  readonly schemas: Schemas;
  readonly values: ValueLinker;
  readonly thunks: Thunks;
}

export interface ThunkSteps {
  /** Checks the keys of a step with an agent against what this is; gives its `with`. */
  readonly link: (site: Site, draft: DraftStep, reader: Reader) => Value | undefined;
}

export function createThunkSteps({ reports, schemas, values, thunks }: ThunkStepContext): ThunkSteps {
  const inputs = new Map<ThunkSignature, Wanted>();
  const joined = new Map<ThunkSignature, { readonly size: number; readonly table: TypeTable; readonly output: Type }>();

  function link(site: Site, draft: DraftStep, reader: Reader): Value | undefined {
    const found = thunks.of(draft.agent, site.space.unit);
    if (found.kind === 'unknown') return draft.with && values.link(draft.with, reader);
    if (found.kind === 'other') {
      tellOther(draft, found);
      return draft.with && values.link(draft.with, reader);
    }
    checkPrompt(draft, found);
    if (draft.output) checkOutput(draft.output, schemas.typeOf(draft.output, site.space.unit), found);
    const wanted = wantedBy(found);
    if (draft.with === undefined) {
      values.missing(draft.agent ?? draft.at, wanted);
      return undefined;
    }
    return values.link(withoutInput(draft.with, found, reader), reader, wanted);
  }

  /** All that only thunks may have, or may do without. */
  function tellOther(draft: DraftStep, { type, isImported }: Extract<AgentThunk, { kind: 'other' }>): void {
    const { id, agent, at, prompt, promptFrom, output } = draft;
    if (draft.with) {
      // The whole block would be underlined, so only its first key is.
      const first = draft.with.kind === 'record' ? draft.with.fields[0]?.key : undefined;
      reports.add('TOO4244', first ?? draft.with, `"with" is for thunks, and "${agent?.text}" is of type ${type}`, {
        help: 'Write what it has to know into "prompt"; an agent of type too has parameters.',
      });
    }
    const missing = [...(output ? [] : ['"output"']), ...(prompt || promptFrom ? [] : ['"prompt"'])];
    // Of those that the file declares its reader has told it.
    if (isImported && missing.length > 0) {
      const what = `a step with an agent of type ${type}`;
      reports.add('TOO4002', id ?? at, `${what} needs ${missing.join(' and ')}`, {
        help: 'Only agents of type too say themselves what they take and give.',
      });
    }
  }

  function checkPrompt(draft: DraftStep, { name, signature }: Found): void {
    const prompt = draft.prompt ?? draft.promptFrom;
    const takes = signature.params.some((param) => param.name === 'input');
    if (prompt && !takes) {
      reports.add('TOO4244', prompt, `the thunk "${name}" takes no input, so it cannot have a prompt`, {
        help: signature.params.length > 0 ? 'Give it what it takes in "with".' : 'Leave the prompt out.',
      });
    }
    if (!prompt && takes) {
      reports.add('TOO4243', draft.agent ?? draft.at, `the thunk "${name}" needs an input`, {
        help: 'Its input is the prompt of the step: write "prompt: …".',
      });
    }
  }

  /** A thunk that gives a message can be asked for anything. */
  function checkOutput(at: Mark, wanted: Type, { name, signature }: Found): void {
    if (signature.output.kind === 'message') return;
    const { output, table } = joinedWith(signature);
    if (assignable(output, wanted, table)) return;
    const [given, asked] = [inFull(signature.output, signature.types), inFull(wanted, schemas.table)];
    reports.add('TOO4282', at, `the thunk "${name}" gives ${given}, not ${asked}`, {
      help: 'Leave "output" out: the step gives what its thunk gives.',
    });
  }

  /** One table for both: names of the thunk have a mark that no name can hold. */
  function joinedWith(signature: ThunkSignature) {
    const size = schemas.table.size;
    let known = joined.get(signature);
    if (known?.size !== size) {
      const apart = (type: Type) => renameType(type, (name) => refTo(`${name}\n`));
      const own = [...signature.types].map(([name, struct]) => [`${name}\n`, apart(struct) as StructType] as const);
      known = { size, table: new Map([...schemas.table, ...own]), output: apart(signature.output) };
      joined.set(signature, known);
    }
    return known;
  }

  function wantedBy({ name, signature }: Found): Wanted {
    let wanted = inputs.get(signature);
    if (wanted === undefined) {
      const params = signature.params.filter((param) => param.name !== 'input');
      wanted = { type: structOf(params), table: signature.types, by: `the thunk "${name}"` };
      inputs.set(signature, wanted);
    }
    return wanted;
  }

  function withoutInput(given: DraftValue, { name, signature }: Found, reader: Reader): DraftValue {
    if (given.kind !== 'record' || !signature.params.some((param) => param.name === 'input')) return given;
    const input = given.fields.find(({ key }) => key.text === 'input');
    if (input === undefined) return given;
    reports.add('TOO4244', input.key, `the input of the thunk "${name}" is the prompt, and nothing in "with"`, {
      help: 'Write it as "prompt: …".',
    });
    values.link(input.value, reader);
    return { ...given, fields: given.fields.filter((each) => each !== input) };
  }

  return { link };
}

/** A struct with its fields, since its name says nothing to who has not written it. */
function inFull(type: Type, table: TypeTable): string {
  if (type.kind === 'ref') return shortTypeText({ ...(table.get(type.name) ?? structOf([])) });
  return shortTypeText(type);
}
