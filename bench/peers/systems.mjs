// All that are compared, ours first.
import { langgraph } from './systems/langgraph.mjs';
import { mastra } from './systems/mastra.mjs';
import { smithers } from './systems/smithers.mjs';
import { toolang } from './systems/toolang.mjs';

/** @type {Readonly<Record<string, import('./contract.mjs').System>>} */
export const systems = { toolang, smithers, langgraph, mastra };
