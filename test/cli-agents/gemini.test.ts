/** Whole runs with the real CLI of this name. */
// Of the long tests (TOOLANG_DEEP): see vitest.config.ts.
import { testRealAgent } from './real-agent.ts';

testRealAgent('gemini');
