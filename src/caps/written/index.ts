/** Caps as they stand in a text: the door for whoever makes programs of texts, and has no use for homes, git and syncs. */
export type { CheckedCap } from '../checked-cap.ts';
export { checkUseRef } from '../ref.ts';
export { caseDiagnostics, type PlacedName } from '../scope/ref-problem.ts';
export { validateInlineCap } from '../validate.ts';
