// Fills in the fixtures of `spec/too/` and the workflows of `spec/toon/` what the parser and the checker say:
// `node scripts/spec.mjs --update [FILE…]`. Without `--update` it only says which cases differ. What is written must be
// read before it is kept: a wrong tree or place is a bug, not a fixture.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

/**
 * @typedef {{ text: typeof import('../src/text/index.ts'), too: typeof import('../src/too/index.ts'),
 *   program: typeof import('../src/program/index.ts'), tool: typeof import('../src/tool/index.ts'),
 *   caps: typeof import('../src/caps/index.ts'), config: typeof import('../src/config/index.ts'),
 *   sys: typeof import('../src/sys/index.ts'), expr: typeof import('../src/expr/index.ts'),
 *   toon: typeof import('../src/toon/index.ts'), plan: typeof import('../src/plan/index.ts'), run: typeof import('../src/run/index.ts'),
 *   model: typeof import('../src/model/index.ts'), suite: typeof import('../src/cli/test/check-suite.ts') }} FrontEnd
 * @typedef {{ tools?: Record<string, string[]>, models?: string[], hands?: string[], files?: string[],
 *   caps?: { kind: 'psyche' | 'skill' | 'service' | 'prompt', name: string, scope: 'home' | 'root' }[] }} SpecHost
 * @typedef {{ code: string, at: string, fix?: string }} SpecDiagnostic
 * @typedef {{ name: string, rule: string, input: string, host?: SpecHost, accept: boolean,
 *   tree?: import('../src/too/index.ts').Sexp, texts?: string[], docs?: [string, string][],
 *   diagnostics: SpecDiagnostic[] }} SpecCase
 * @typedef {{ about: string, stage: 'parse' | 'check' | 'uses', shows?: 'texts' | 'docs', cases: SpecCase[] }} SpecFile
 * @typedef {{ code: string, at: string, file?: string, fix?: string }} WorkflowDiagnostic
 * @typedef {{ name: string, rule: string, input: string, files?: Record<string, string>, strict?: true,
 *   accept: boolean, diagnostics: WorkflowDiagnostic[] }} WorkflowCase
 * @typedef {{ about: string, stage: 'workflow', cases: WorkflowCase[] }} WorkflowFile
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @returns {{ file: string, path: string, spec: SpecFile }[]} */
export function readSpecs() {
  return readFolder('too', /\.json$/);
}

/** The fixtures of whole workflow files; those of TOON alone are read by `toon-spec.mjs`. */
/** @returns {{ file: string, path: string, spec: WorkflowFile }[]} */
export function readWorkflowSpecs() {
  return readFolder('toon', /^(?!syntax-).*\.json$/);
}

/**
 * @param {string} name
 * @param {RegExp} wanted
 */
function readFolder(name, wanted) {
  const folder = join(root, 'spec', name);
  const files = readdirSync(folder).filter((file) => wanted.test(file));
  return files.sort().map((file) => {
    const path = join(folder, file);
    return { file, path, spec: JSON.parse(readFileSync(path, 'utf8')) };
  });
}

/**
 * What the front end says of an input at a stage.
 * @param {FrontEnd} api
 * @param {SpecFile['stage']} stage
 * @param {string} input
 * @param {SpecHost | undefined} host
 */
export function look(api, stage, input, host) {
  const source = api.text.createSource('input.too', input);
  const parsed = api.too.parse(source);
  if (stage === 'parse') return { source, parsed, found: parsed.diagnostics };
  const { diagnostics } = api.program.checkProgram(parsed, toHost(api, host));
  const uses = stage === 'uses' ? api.caps.checkUsesFile(parsed.program) : [];
  return { source, parsed, found: api.text.byPosition([...diagnostics, ...uses]) };
}

/**
 * The parts of a case that are filled in.
 * @param {FrontEnd} api
 * @param {Pick<SpecFile, 'stage' | 'shows'>} spec
 * @param {Pick<SpecCase, 'input' | 'host'>} given
 * @returns {Pick<SpecCase, 'accept' | 'tree' | 'texts' | 'docs' | 'diagnostics'>}
 */
export function outcome(api, { stage, shows }, { input, host }) {
  const { source, parsed, found } = look(api, stage, input, host);
  const accept = !api.text.hasErrors(found);
  const diagnostics = found.map((d) => {
    const { start, end } = api.text.rangeOf(source, d.span);
    const at = `${start.line}:${start.column}-${end.line}:${end.column}`;
    return { code: d.code, at, ...(d.fix && { fix: api.text.applyEdits(input, d.fix.edits).text }) };
  });
  const { program } = parsed;
  return {
    accept,
    ...(stage === 'parse' && accept && { tree: api.too.toSexp(program) }),
    ...(shows === 'texts' && accept && { texts: textsOf(program) }),
    ...(shows === 'docs' && accept && { docs: docsOf(program) }),
    diagnostics,
  };
}

/**
 * The texts of caps, templates and blocks as they are meant, in written order.
 * @param {import('../src/too/index.ts').Program} program
 */
function textsOf(program) {
  return program.items.flatMap((item) => {
    if (item.kind === 'thunk') return item.blocks.map((block) => block.value?.text ?? '');
    return 'body' in item && item.body ? [item.body.text] : [];
  });
}

/**
 * What is documented, and how.
 * @param {import('../src/too/index.ts').Program} program
 * @returns {[string, string][]}
 */
function docsOf(program) {
  /** @type {[string, string | undefined][]} */
  const docs = [['program', program.doc]];
  for (const item of program.items) {
    const name = item.kind === 'use' ? item.ref.text : (item.name?.text ?? 'default');
    docs.push([`${item.kind} ${name}`, item.doc]);
    if (item.kind === 'struct') for (const field of item.fields) docs.push([`field ${field.name.text}`, field.doc]);
  }
  return docs.flatMap(([what, doc]) => (doc === undefined ? [] : [[what, doc]]));
}

/**
 * @param {FrontEnd} api
 * @param {SpecHost | undefined} host
 * @returns {import('../src/program/index.ts').Host}
 */
function toHost(api, host) {
  if (!host) return { tools: api.tool.builtinTools, caps: [], hands: [], hasFile: () => false };
  const { tools, models, caps, hands, files } = host;
  return {
    ...(tools && { tools: new Map(Object.entries(tools)) }),
    ...(models && { models }),
    ...(caps && { caps }),
    ...(hands && { hands }),
    ...(files && { hasFile: (path) => files.includes(path) }),
  };
}

/** Where the workflow file of a case stands; the others stand beside it, in memory. */
const home = '/home/ann/work';

/**
 * What planning says of a workflow file.
 * @param {FrontEnd} api
 * @param {Pick<WorkflowCase, 'input' | 'files' | 'strict'>} given
 * @param {{ name?: string, modules?: import('../src/plan/index.ts').ModuleLoader }} [options]
 */
export async function lookWorkflow(api, { input, files = {}, strict }, { name = 'input.toon', modules } = {}) {
  const source = api.text.createSource(name, input);
  const read = memoryReader(files);
  const { plan, diagnostics } = await api.plan.planWorkflow(source, {
    file: `${home}/${name}`,
    read,
    thunks: (path) => thunksOf(api, path, read),
    tools: async () => ({ builtIn: api.tool.builtinTools, services: async () => [] }),
    strictToon: strict === true,
    ...(modules && { modules }),
  });
  return { source, plan, found: diagnostics };
}

/**
 * @param {Readonly<Record<string, string>>} files
 * @returns {import('../src/plan/index.ts').FileReader}
 */
function memoryReader(files) {
  return async (path) => {
    const name = path.replaceAll('\\', '/').replace(`${home}/`, '');
    const text = Object.hasOwn(files, name) ? files[name] : undefined;
    return text === undefined ? { ok: false, message: `"${name}" does not exist` } : { ok: true, text };
  };
}

/**
 * @param {FrontEnd} api
 * @param {string} path
 * @param {import('../src/plan/index.ts').FileReader} read
 */
async function thunksOf(api, path, read) {
  const answer = await read(path);
  if (!answer.ok) return answer;
  const name = path.replaceAll('\\', '/').replace(`${home}/`, '');
  return api.program.signaturesOf(api.text.createSource(name, answer.text));
}

/**
 * The parts of a workflow case that are filled in.
 * @param {FrontEnd} api
 * @param {Pick<WorkflowCase, 'input' | 'files' | 'strict'>} given
 * @returns {Promise<Pick<WorkflowCase, 'accept' | 'diagnostics'>>}
 */
export async function workflowOutcome(api, given) {
  const { source, found } = await lookWorkflow(api, given);
  const diagnostics = found.map((d) => {
    const { start, end } = api.text.rangeOf(d.source, d.span);
    const at = `${start.line}:${start.column}-${end.line}:${end.column}`;
    const fix = d.fix && { fix: api.text.applyEdits(d.source.text, d.fix.edits).text };
    return { code: d.code, at, ...(d.source !== source && { file: d.source.name }), ...fix };
  });
  return { accept: !api.text.hasErrors(found), diagnostics };
}

/**
 * The front end, bundled, because Node 20 does not read TypeScript. It stands in the repository for as long as the
 * process lives, so that packages are found from there, and the host of users' modules too.
 * @returns {Promise<FrontEnd>}
 */
export async function loadFrontEnd() {
  mkdirSync(join(root, '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, '.cache', 'front-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  const entry = 'virtual:front-end';
  const parts = ['text', 'too', 'program', 'tool', 'caps', 'config', 'sys', 'expr', 'toon', 'plan', 'run', 'model'];
  const built = await rolldown({
    input: { 'front-end': entry, host: join(root, 'src/run/host/main.ts') },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'jiti', '@swc/wasm-typescript', 'effect'],
    plugins: [
      {
        name: 'front-end',
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? [
                ...parts.map((part) => [part, `src/${part}/index.ts`]),
                ['hub', 'test/hub.ts'],
                ['suite', 'src/cli/test/check-suite.ts'],
              ]
                .map(([part, file = '']) => `export * as ${part} from ${JSON.stringify(join(root, file))};`)
                .join('\n')
            : undefined,
      },
    ],
  });
  await built.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' });
  await built.close();
  return import(pathToFileURL(join(dir, 'front-end.js')).href);
}

/**
 * One case a block, one diagnostic and one item of the tree a line.
 * @param {SpecFile} spec
 */
export function printSpec(spec) {
  const cases = spec.cases.map((c) => {
    const lines = [
      `"name": ${JSON.stringify(c.name)}`,
      `"rule": ${JSON.stringify(c.rule)}`,
      `"input": ${JSON.stringify(c.input)}`,
      ...(c.host ? [`"host": ${JSON.stringify(c.host)}`] : []),
      `"accept": ${c.accept}`,
      ...(c.tree ? [`"tree": ${list(c.tree)}`] : []),
      ...(c.texts ? [`"texts": ${list(c.texts)}`] : []),
      ...(c.docs ? [`"docs": ${list(c.docs)}`] : []),
      `"diagnostics": ${list(c.diagnostics)}`,
    ];
    return `    {\n      ${lines.join(',\n      ')}\n    }`;
  });
  const head = [
    `"about": ${JSON.stringify(spec.about)}`,
    `"stage": ${JSON.stringify(spec.stage)}`,
    ...(spec.shows ? [`"shows": ${JSON.stringify(spec.shows)}`] : []),
  ];
  return `{\n  ${head.join(',\n  ')},\n  "cases": [\n${cases.join(',\n')}\n  ]\n}\n`;
}

/**
 * One case a block, one diagnostic a line.
 * @param {WorkflowFile} spec
 */
export function printWorkflowSpec({ about, stage, cases }) {
  const blocks = cases.map((c) => {
    const lines = [
      `"name": ${JSON.stringify(c.name)}`,
      `"rule": ${JSON.stringify(c.rule)}`,
      `"input": ${JSON.stringify(c.input)}`,
      ...(c.files ? [`"files": ${JSON.stringify(c.files)}`] : []),
      ...(c.strict ? ['"strict": true'] : []),
      `"accept": ${c.accept}`,
      `"diagnostics": ${list(c.diagnostics)}`,
    ];
    return `    {\n      ${lines.join(',\n      ')}\n    }`;
  });
  const head = `"about": ${JSON.stringify(about)},\n  "stage": ${JSON.stringify(stage)}`;
  return `{\n  ${head},\n  "cases": [\n${blocks.join(',\n')}\n  ]\n}\n`;
}

/** @param {readonly unknown[]} items */
function list(items) {
  const short = JSON.stringify(items);
  return short.length <= 100
    ? short
    : `[\n${items.map((item) => `        ${JSON.stringify(item)}`).join(',\n')}\n      ]`;
}

/**
 * @param {string[]} only
 * @param {boolean} update
 */
async function main(only, update) {
  const api = await loadFrontEnd();
  let differing = 0;
  const tell = (/** @type {string} */ words) => {
    differing++;
    console.error(words);
  };
  const compare = (
    /** @type {string} */ file,
    /** @type {{ name: string, accept: boolean }} */ given,
    /** @type {{ accept: boolean }} */ said,
  ) => {
    const { name, accept } = given;
    // Whether an input is right is the author's word, never the program's.
    if (said.accept !== accept) tell(`${file}: ${name}: meant to be ${accept ? 'accepted' : 'refused'}, but it is not`);
    const filled = { ...said, accept };
    const before = Object.keys(filled).map((key) => /** @type {any} */ (given)[key]);
    if (!update && JSON.stringify(before) !== JSON.stringify(Object.values(filled))) tell(`${file}: ${name}: differs`);
    return filled;
  };
  for (const { file, path, spec } of readSpecs()) {
    if (only.length > 0 && !only.includes(file)) continue;
    const cases = spec.cases.map((given) => {
      const { name, rule, input, host } = given;
      return { name, rule, input, ...(host && { host }), ...compare(file, given, outcome(api, spec, given)) };
    });
    if (update) writeFileSync(path, printSpec({ ...spec, cases: /** @type {SpecCase[]} */ (cases) }));
  }
  for (const { file, path, spec } of readWorkflowSpecs()) {
    if (only.length > 0 && !only.includes(file)) continue;
    const cases = [];
    for (const given of spec.cases)
      cases.push({ ...given, ...compare(file, given, await workflowOutcome(api, given)) });
    if (update) writeFileSync(path, printWorkflowSpec({ ...spec, cases: /** @type {WorkflowCase[]} */ (cases) }));
  }
  if (differing > 0) process.exitCode = 1;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true });
  await main(positionals, values.update === true);
}
