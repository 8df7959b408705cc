/** The package's main entry, `import { … } from 'toolang'`. `docs/library.md` shows each part at work. */

export { parseTemplate, renderTemplate, type TemplateProblem } from '../expr/index.ts';
export {
  type AgentProgram,
  type Checked,
  checkSource,
  type Host,
  type HostCap,
  type Preview,
  previewThunk,
  type ThunkProgram,
} from '../program/index.ts';
export {
  applyEdits,
  byPosition,
  type Code,
  codes,
  createSource,
  type Diagnostic,
  type DiagnosticExtra,
  type DiagnosticJson,
  diagnostic,
  type Edit,
  type Fix,
  type FrameOptions,
  hasErrors,
  offsetAt,
  oneLine,
  type Position,
  positionAt,
  type Range,
  type Related,
  rangeOf,
  renderDiagnostic,
  type Severity,
  type Source,
  type Span,
  severityOf,
  ToolangError,
  titleOf,
  toJson,
} from '../text/index.ts';
export { format, type Parsed, type Program, parse, type Token, type TokenKind } from '../too/index.ts';
export {
  type JsonSchema,
  type ReadError,
  type ReadResult,
  readJson,
  type StructType,
  type Type,
  type TypeTable,
  toJsonSchema,
  validate,
} from '../type/index.ts';
export { version } from './version.ts';
