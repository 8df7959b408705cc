// LangGraph.js with its SQLite checkpointer: a step is a node, a run is a thread.
import { loaderOf } from '../contract.mjs';

/** @type {import('../contract.mjs').System} */
export const langgraph = {
  title: 'LangGraph.js',
  packages: [
    '@langchain/langgraph@1.4.18',
    '@langchain/langgraph-checkpoint-sqlite@1.0.4',
    '@langchain/core@1.2.13',
    'zod@^4',
  ],
  native: ['better-sqlite3'],
  env: { LANGSMITH_TRACING: 'false', LANGCHAIN_TRACING_V2: 'false' },
  variants: {
    '': 'a node for each step',
    loop: 'one node in a loop',
    full: 'a node for each step, durability sync, synchronous=FULL',
  },
  async open(folder, file, variant) {
    const load = await loaderOf(folder);
    const { Annotation, END, START, StateGraph } = await load('@langchain/langgraph');
    const { SqliteSaver } = await load('@langchain/langgraph-checkpoint-sqlite');
    const saver = SqliteSaver.fromConnString(file);
    if (variant === 'full') saver.db.pragma('synchronous = FULL');
    const State = Annotation.Root({ n: Annotation() });
    const Sum = Annotation.Root({ n: Annotation({ reducer: add, default: () => 0 }) });

    /** @param {number} steps */
    function createRuns(steps) {
      /** @type {Map<string, () => void>} by thread */
      const calls = new Map();
      // As users do: a node finds its own run in its configuration.
      const node = async (
        /** @type {{ n: number }} */ { n },
        /** @type {{ configurable: { thread_id: string } }} */ config,
      ) => {
        calls.get(config.configurable.thread_id)?.();
        return { n: n + 1 };
      };
      /** @returns {import('../contract.mjs').Program} */
      const programOf = (/** @type {any} */ graph) => {
        const compiled = graph.compile({ checkpointer: saver });
        const go = async (/** @type {string} */ id, /** @type {unknown} */ input, /** @type {() => void} */ call) => {
          calls.set(id, call);
          const { n } = await compiled.invoke(input, {
            configurable: { thread_id: id },
            recursionLimit: steps + 10,
            ...(variant === 'full' && { durability: 'sync' }),
          });
          calls.delete(id);
          if (n !== steps) throw new Error(`the state is ${n} after ${steps} steps`);
        };
        return {
          start: (id, called) => go(id, { n: 0 }, called),
          resume: (id, called) => go(id, null, called),
        };
      };
      return { node, programOf };
    }

    return {
      async settings() {
        const [mode, level] = ['journal_mode', 'synchronous'].map((name) => saver.db.pragma(name, { simple: true }));
        return { mode: String(mode), level: Number(level) };
      },
      async define(steps) {
        const { node, programOf } = createRuns(steps);
        const graph = new StateGraph(State);
        if (variant === 'loop') {
          graph.addNode('s', node).addEdge(START, 's');
          graph.addConditionalEdges('s', (/** @type {{ n: number }} */ { n }) => (n < steps ? 's' : END), ['s', END]);
        } else {
          for (let i = 1; i <= steps; i++) graph.addNode(`s${i}`, node).addEdge(i === 1 ? START : `s${i - 1}`, `s${i}`);
          graph.addEdge(`s${steps}`, END);
        }
        return programOf(graph);
      },
      async fan(steps) {
        const { node, programOf } = createRuns(steps);
        const one = async (/** @type {any[]} */ ...args) => ({ ...(await node(args[0], args[1])), n: 1 });
        const graph = new StateGraph(Sum);
        for (let i = 1; i <= steps; i++) graph.addNode(`s${i}`, one).addEdge(START, `s${i}`).addEdge(`s${i}`, END);
        return programOf(graph);
      },
      async close() {
        saver.db.close();
      },
    };
  },
};

/**
 * @param {number} a
 * @param {number} b
 */
function add(a, b) {
  return a + b;
}
