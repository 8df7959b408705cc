/** What was changed, in words: `its prompt was changed, and draft is another value now`. */
import type { KeyPart } from '../plan/index.ts';
import type { WhyPart } from './why-part.ts';

/** At most so many values are named. */
const mostValues = 3;

export function changesText(parts: readonly WhyPart[]): string {
  const own = [...new Set(parts.flatMap((each) => (isValue(each) ? [] : [nameOf(each)])))];
  const values = [
    ...new Set(parts.flatMap(({ part, step }) => (part === 'values' && step !== undefined ? [step] : []))),
  ];
  const words: string[] = [];
  if (own.length > 0) words.push(`${own.join(' and ')} ${own.length > 1 ? 'were' : 'was'} changed`);
  const shown = values.slice(0, mostValues).join(', ') + (values.length > mostValues ? ', …' : '');
  if (values.length > 0) words.push(`${shown} ${values.length > 1 ? 'are other values' : 'is another value'} now`);
  return words.join(', and ');
}

/** What another step gave, and not what is written. */
function isValue({ part, step }: WhyPart): boolean {
  return part === 'values' && step !== undefined;
}

function nameOf({ part, module }: WhyPart): string {
  return part === 'agent' && module !== undefined ? 'the plugin of its agent' : partNames[part];
}

const partNames: Readonly<Record<KeyPart, string>> = {
  prompt: 'its prompt',
  agent: 'its agent',
  code: 'its code',
  handler: 'its handler, or a file that this imports,',
  output: 'its output type',
  request: 'what it asks',
  input: 'what it is given',
  fields: 'its fields',
  values: 'what its thunk is given',
  uses: 'a service or plugin that it uses',
};
