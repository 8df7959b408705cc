/** What runs need of tools before one is called, and nothing else of them: what is imported later is imported whole. */
export {
  builtInSources,
  createPolicy,
  createToolbox,
  guardOf,
  missingVariables,
  workspaceSecrets,
} from '../tool/index.ts';
