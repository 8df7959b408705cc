/** Random workflows whose steps leave a line each, and always come to the same result, whoever drives them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseInterpolated } from '../../src/expr/index.ts';
import { nodesOf, type StepNode, type WorkflowNode, type WorkflowPlan } from '../../src/plan/index.ts';
import { generatePlan } from '../../src/plan/machine/index.ts';
import { createRandom } from '../generate/random.ts';

export const nameOf = (seed: number) => `made-${seed}`;

/** What does the steps: a line `id attempt key` when it begins, and a value that depends on nothing but its id. */
const library = `import { appendFileSync } from 'node:fs';
export function hash(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193) >>> 0;
  return hash;
}
export async function work({ key, attempt, isFlaky = false }) {
  const id = key.slice(key.indexOf('/') + 1);
  appendFileSync(new URL('./steps.txt', import.meta.url), id + ' ' + attempt + ' ' + key + '\\n');
  const number = hash(id);
  await new Promise((done) => setTimeout(done, number % 30));
  if (isFlaky && attempt === 1) throw new Error('not yet');
  return { text: 't' + (number % 100), score: number % 10, flag: number % 3 !== 0 };
}
`;

/** Writes what the plan of the seed needs into the folder. Of each version about a third of the steps are other ones. */
export function makeWorkflow(
  seed: number,
  folder: string,
  version = 0,
): { readonly plan: WorkflowPlan; readonly file: string } {
  const random = createRandom(seed);
  const next = () => random.below(1_000_000) / 1_000_000;
  const made = generatePlan(
    next,
    { size: 3 + (seed % 6), depth: 2, failures: false, workflows: seed % 3 === 0 },
    nameOf(seed),
  );
  const plan = toolsOf(fitted(made, { seed, version, isRoot: true }), seed);
  const file = join(folder, `${plan.name}.toon`);
  writeFileSync(join(folder, 'made.mjs'), library);
  writeFileSync(join(folder, `${plan.name}.script.toon`), scriptOf(plan));
  return { plan, file };
}

/** The writer of every second one calls a tool, which leaves a line too. Nothing to call is on Windows. */
function toolsOf(plan: WorkflowPlan, seed: number): WorkflowPlan {
  const { writer } = plan.agents;
  if (writer === undefined || seed % 2 === 1 || process.platform === 'win32') return plan;
  return { ...plan, agents: { ...plan.agents, writer: { ...writer, fields: { ...writer.fields, tools: ['shell'] } } } };
}

const leaveLine = 'echo "tool 1 $TOOLANG_IDEMPOTENCY_KEY" >> steps.txt';

interface Fit {
  readonly seed: number;
  readonly version: number;
  readonly isRoot: boolean;
}

function fitted(plan: WorkflowPlan, fit: Fit): WorkflowPlan {
  const { seed, version, isRoot } = fit;
  const workflows = Object.fromEntries(
    Object.entries(plan.workflows).map(([name, sub]) => [name, fitted(sub, { ...fit, isRoot: false })]),
  );
  return { ...plan, workflows, children: plan.children.map((node) => suited(node)) };

  function suited<T extends WorkflowNode>(node: T): T {
    if (node.kind === 'step') return step(node) as T;
    const out = { ...node } as Record<string, unknown>;
    for (const list of ['children', 'then', 'else']) {
      if (Array.isArray(out[list])) out[list] = (out[list] as WorkflowNode[]).map((each) => suited(each));
    }
    return out as unknown as T;
  }

  /** The last version in which the step was changed. */
  function editOf(id: string): number {
    let last = 0;
    for (let each = 1; each <= version; each++) if (createRandom(hashOf(id, each)).below(3) === 0) last = each;
    return last;
  }

  function hashOf(id: string, number: number): number {
    let sum = seed * 31 + number;
    for (const char of id) sum = (sum * 33 + char.charCodeAt(0)) % 1_000_003;
    return sum;
  }

  function step(node: StepNode): StepNode {
    const { action, retry } = node;
    const own = { ...node, retry: { ...retry, initialDelayMs: retry.initialDelayMs / 50 } };
    // Sub-workflows run beside each other, and would take replies from the same list.
    const edited = editOf(node.id);
    if (action.kind === 'prompt' && isRoot) {
      const { prompt } = action;
      const text =
        edited === 0 ? prompt : { ...parseInterpolated(`${prompt.text} ${edited}`).value, reads: prompt.reads };
      return { ...own, action: { ...action, prompt: text } };
    }
    if (action.kind === 'handler') return { ...own, action: { ...action, module: './made.mjs' } };
    const isFlaky = retry.maxAttempts > 1;
    const code = `const made = await import('./made.mjs');\nreturn made.work({ key, attempt, isFlaky: ${isFlaky} })${edited === 0 ? '' : `; // ${edited}`}`;
    return { ...own, action: { kind: 'run', code, edits: [], reads: [] } };
  }
}

/** Each reply is another one: a call that was in flight at a crash must get the same again. */
function scriptOf(plan: WorkflowPlan): string {
  const entries: string[] = [];
  for (const { node, plan: own } of nodesOf(plan)) {
    if (own !== plan || node.kind !== 'step' || node.action.kind !== 'prompt') continue;
    const hasTools = own.agents[node.action.agent]?.fields.tools !== undefined;
    for (let call = 1; call <= 60; call++) {
      const isError = call === 1 && node.retry.maxAttempts > 1;
      const calls = `      - tool: shell/run\n        args:\n          command: ${JSON.stringify(leaveLine)}\n`;
      const reply = isError
        ? '    error: 429'
        : hasTools && call % 3 !== 0
          ? `    calls[2]:\n${calls}${calls.trimEnd()}`
          : `    json:\n      text: r${call}\n      score: ${call % 10}\n      flag: ${call % 3 === 0}\n    pace: 3ms`;
      entries.push(`  - for: ${node.id}\n${reply}`);
    }
  }
  return `replies[${entries.length}]:\n${entries.join('\n')}\n`;
}
