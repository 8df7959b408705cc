/** Checks a cap by the rules of its kind; every violation has its place and says what to write instead. */
import { isCapName } from '../config/index.ts';
import { byPosition, type Diagnostic, hasErrors, type Source } from '../text/index.ts';
import type { Cap, CapKind } from '../too/index.ts';
import { type CapRead, type CapText, capFromFile, capFromTree } from './cap.ts';
import type { CheckedCap } from './checked-cap.ts';
import { type Checker, report } from './checker.ts';
import { checkFree } from './free-cap.ts';
import { checkService } from './service-cap.ts';
import { checkSkill } from './skill-cap.ts';

export interface ValidateOptions {
  /** A remote skill may say more than its description; what we wrote may not. */
  readonly origin?: 'local' | 'remote';
}

export interface ValidatedCap {
  /** Missing when there are errors. */
  readonly cap?: CheckedCap;
  readonly diagnostics: readonly Diagnostic[];
}

export function validateCap(text: CapText, options: ValidateOptions = {}): ValidatedCap {
  const c: Checker = { cap: text, diagnostics: [] };
  if (text.form === 'file' && !isCapName(text.name)) reportFileName(c);
  const cap = checkKind(c, options.origin === 'remote');
  const diagnostics = byPosition(c.diagnostics);
  const right = cap && text.name !== '' && !hasErrors(diagnostics);
  return { ...(right && { cap }), diagnostics };
}

/** Reads and checks an inline cap of a parsed `.too` file. */
export function validateInlineCap(source: Source, node: Cap): ValidatedCap {
  return validateRead(capFromTree(source, node), {});
}

/** Reads and checks a cap file; `name` is that of the file without `.md`, or of the skill's directory. */
export function validateCapFile(
  kind: CapKind,
  name: string,
  source: Source,
  options: ValidateOptions = {},
): ValidatedCap {
  return validateRead(capFromFile(kind, name, source, { fold: options.origin === 'remote' }), options);
}

function validateRead(read: CapRead, options: ValidateOptions): ValidatedCap {
  const checked = validateCap(read.cap, options);
  const diagnostics = byPosition([...read.diagnostics, ...checked.diagnostics]);
  return hasErrors(diagnostics) ? { diagnostics } : { ...checked, diagnostics };
}

function checkKind(c: Checker, remote: boolean): CheckedCap | undefined {
  switch (c.cap.kind) {
    case 'psyche':
    case 'prompt':
      return checkFree(c, c.cap.kind);
    case 'skill':
      return checkSkill(c, remote);
    case 'service':
      return checkService(c);
  }
}

function reportFileName(c: Checker): void {
  const { kind, name, nameSpan } = c.cap;
  const what = kind === 'skill' ? 'directory' : 'file';
  report(c, 'TOO5233', nameSpan, `"${name}" is not a name that agents can use.`, {
    help: `Name the ${what} with letters, digits, "_", "-" and "."; it begins and ends with a letter, a digit or "_".`,
  });
}
