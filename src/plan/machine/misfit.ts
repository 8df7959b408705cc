/** Why a value does not fit a type, in the words of workflow files. */
import { printTypeShort, type ReadError, resolve, type Type, type TypeTable } from '../../type/index.ts';
import { shortTypeText } from '../type-text.ts';

const mostShown = 5;

export function misfit(errors: readonly ReadError[], type: Type, types: TypeTable): string {
  const shown = errors.slice(0, mostShown).map((error) => inOurWords(error, type, types));
  if (errors.length > shown.length) shown.push(`And ${errors.length - shown.length} more.`);
  return shown.join(' ');
}

function inOurWords({ pointer, message, expected }: ReadError, type: Type, types: TypeTable): string {
  const wanted = typeAt(pointer, type, types);
  // Some errors expect something that is no type, and some places are no field.
  if (wanted === undefined || printTypeShort(resolve(wanted, types)) !== expected) return message;
  return message.replace(`must be ${expected}`, () => `must be ${shortTypeText(wanted)}`);
}

function typeAt(pointer: string, type: Type, types: TypeTable): Type | undefined {
  let at: Type | undefined = type;
  for (const part of pointer.split('/').slice(1)) {
    if (at === undefined) return undefined;
    const holder: Type = resolve(at, types);
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (holder.kind === 'array') at = holder.item;
    else if (holder.kind === 'struct') at = holder.fields.find(({ name }) => name === key)?.type;
    else return undefined;
  }
  return at;
}
