/** What an approval gives when it was decided. */
import { booleanType, field, structOf, type Type, textType } from '../type/index.ts';

export const approvalType: Type = structOf([
  field('approved', booleanType),
  field('note', textType, { optional: true }),
  field('decidedBy', textType, { optional: true }),
  field('decidedAt', textType),
]);
