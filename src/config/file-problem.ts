/** Gives the problems of reading a file their codes. */
import { quotePath, type ReadProblem } from '../sys/index.ts';
import { type Code, createSource, type Diagnostic, diagnostic, span } from '../text/index.ts';

const codeOf: Readonly<Record<ReadProblem['kind'], Code>> = {
  missing: 'TOO5001',
  directory: 'TOO5002',
  denied: 'TOO5003',
  'too-large': 'TOO5004',
  binary: 'TOO5005',
  'not-utf8': 'TOO5006',
  other: 'TOO5007',
};

const helpOf: Partial<Readonly<Record<ReadProblem['kind'], string>>> = {
  missing: 'Check the spelling of the path.',
  directory: 'Name a file in it.',
  denied: 'Check the permissions of the file and of its directories.',
  'not-utf8': 'Save the file as UTF-8 in your editor.',
};

/**
 * `name` is the file's shown path, which stands before the message: there its `path` is not said again. There is no text
 * to point into: the message says where, when there is a where.
 */
export function fileDiagnostic(name: string, problem: ReadProblem, path?: string): Diagnostic {
  const help = helpOf[problem.kind];
  const whole = path === undefined ? '' : quotePath(path);
  const { message } = problem;
  const short = whole !== '' && message.startsWith(`${whole} `) ? `this ${message.slice(whole.length + 1)}` : message;
  return diagnostic(codeOf[problem.kind], createSource(name, ''), span(0, 0), short, {
    ...(help !== undefined && { help }),
  });
}
