/** What is wrong with a piece of code, in offsets of the code as it was written. */
import type { ExpressionProblem } from '../../expr/index.ts';

/** Its `replacement` is code, which whoever puts it into a file escapes as the file does. */
export type CodeProblem = ExpressionProblem;
