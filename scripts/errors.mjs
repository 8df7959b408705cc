// Refreshes what Toolang says in the pages of `docs/errors/`, and their index: `node scripts/errors.mjs --update`.
// Without `--update` it only names the pages that differ. A page is written by hand but for its heading and its block marked `text`.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import native, { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeRemoteMistake } from './remote-mistakes.mjs';
import { loadFrontEnd, lookWorkflow } from './spec.mjs';
import { syncDiagnostics, syncFailure } from './sync-mistakes.mjs';

/**
 * @typedef {import('./spec.mjs').FrontEnd & Pick<import('./remote-mistakes.mjs').RemoteEnd, 'hub'>} FrontEnd
 * @typedef {import('../src/text/index.ts').Diagnostic} Diagnostic
 * @typedef {{ words: string[], text: string, start: number, end: number }} Block a fenced block: the words behind the
 *   backticks, its text, and where that stands in the page
 * @typedef {{ code: string, path: string, text: string, blocks: Block[] }} Page
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'docs/errors');

/** @returns {Page[]} */
export function readPages() {
  const names = readdirSync(folder).filter((name) => /^TOO\d{4}\.md$/.test(name));
  return names.sort().map((name) => {
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    return { code: name.slice(0, -3), path, text, blocks: readBlocks(text) };
  });
}

/**
 * Fenced blocks of a Markdown text.
 * @param {string} text
 * @returns {Block[]}
 */
export function readBlocks(text) {
  return [...text.matchAll(/^(`{3,})([^`\n]*)\n((?:.*\n)*?)\1$/gm)].map((found) => {
    const [, ticks = '', info = '', body = ''] = found;
    const start = found.index + ticks.length + info.length + 1;
    return { words: info.split(' ').filter((word) => word !== ''), text: body, start, end: start + body.length };
  });
}

/** The sample that shows the mistake. @param {Page} page */
export function wrongSample(page) {
  return page.blocks.find(
    (block) => block.words[0] !== 'text' && !block.words.includes('right') && optionOf(block, 'file') === undefined,
  );
}

/** @param {Page} page */
export function rightSample(page) {
  return page.blocks.find(({ words }) => words.includes('right'));
}

/** @param {Page} page */
export function outputBlock(page) {
  return page.blocks.find(({ words }) => words[0] === 'text');
}

/**
 * What is told of a test file, with the files of the page beside it.
 * @param {FrontEnd} api
 * @param {Record<string, string>} files
 * @param {string} text
 */
async function suiteDiagnostics(api, files, text) {
  const folder = resolve('/page');
  const read = async (/** @type {string} */ path) => {
    const name = relative(folder, path).split(sep).join('/');
    const found = files[name];
    return found === undefined
      ? { ok: /** @type {const} */ (false), message: `"${name}" does not exist` }
      : { ok: /** @type {const} */ (true), text: found };
  };
  const { diagnostics } = await api.suite.checkSuite(api.text.createSource('flow.test.toon', text), {
    cwd: folder,
    folder,
    read,
    plan: (file, source) => api.plan.planWorkflow(source, { file: file.path ?? file.name, read }),
  });
  return diagnostics;
}

/** The files that stand beside the samples of a page, marked `file=NAME`. @param {Page} page */
function filesOf(page) {
  return Object.fromEntries(
    page.blocks.flatMap((block) => {
      const name = optionOf(block, 'file');
      return name === undefined ? [] : [[name, block.text]];
    }),
  );
}

/**
 * `name=value` behind the backticks.
 * @param {Pick<Block, 'words'>} block
 * @param {string} name
 */
function optionOf({ words }, name) {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/**
 * What is wrong with a sample; undefined for one that is no file's text.
 * @param {FrontEnd} api
 * @param {Page} page
 * @param {Block} block
 * @returns {Promise<readonly Diagnostic[] | undefined>}
 */
export async function diagnosticsOf(api, page, block) {
  const { words, text } = block;
  const [language, , kind] = words;
  const option = (/** @type {string} */ name) => optionOf(block, name);
  if (words.includes('console')) return undefined;
  if (language === 'toon' && words.includes('test')) {
    return suiteDiagnostics(api, filesOf(page), text);
  }
  if (language === 'toon' && words.includes('script')) {
    const files = filesOf(page);
    const read = async (/** @type {string} */ path) => {
      const name = posix.normalize(path);
      const found = files[name];
      return found === undefined
        ? { ok: /** @type {const} */ (false), message: `"${name}" does not exist` }
        : { ok: /** @type {const} */ (true), text: found };
    };
    return (await api.model.checkScript(api.text.createSource('flow.script.toon', text), read)).diagnostics;
  }
  if (language === 'toon') return workflowDiagnostics(api, filesOf(page), block);
  if (language === 'js') return expressionDiagnostics(api, block);
  if (language === 'too') {
    const modelProblems = words.includes('models') ? await modelProblemsOf(api, text) : undefined;
    const around = { tools: api.tool.builtinTools, caps: [], hands: [], hasFile: () => false };
    const host = { ...around, ...(modelProblems && { modelProblems }) };
    if (words.includes('uses')) {
      const parsed = api.too.parse(api.text.createSource('agents.too', text));
      return [...api.program.checkProgram(parsed, host).diagnostics, ...api.caps.checkUsesFile(parsed.program)];
    }
    return api.program.checkSource(api.text.createSource('agent.too', written(words, text)), host).diagnostics;
  }
  if (language === 'toml') {
    const { layer, diagnostics } = api.config.loadConfig(api.text.createSource('config.toml', text));
    return words.includes('wired') ? api.caps.wiredCaps(layer, 'home', 'config.toml').diagnostics : diagnostics;
  }
  if (language === 'md' && kind === 'skill') {
    const origin = words.includes('remote') ? 'remote' : 'local';
    const name = option('name')?.replaceAll('_', ' ') ?? 'review';
    const source = api.text.createSource(`skills/${name}/SKILL.md`, text);
    return api.caps.validateCapFile('skill', name, source, { origin }).diagnostics;
  }
  throw new Error(`a sample marked "${words.join(' ')}" is not known`);
}

/** What takes a process is asked for once. @type {WeakMap<Block, Promise<readonly Diagnostic[]>>} */
const asked = new WeakMap();

/**
 * What is wrong with the names of models in a `.too` text, as `toolang check` has it.
 * @param {FrontEnd} api
 * @param {string} text
 */
async function modelProblemsOf(api, text) {
  const { models } = api.config.mergeConfig({
    root: api.config.loadConfig(api.text.createSource('config.toml', '')).layer,
  }).settings;
  /** @type {Map<string, { message: string, help?: string } | 'unknown'>} */
  const problems = new Map();
  for (const [, names = ''] of text.matchAll(/^ *models *= *(.*)$/gm)) {
    for (const name of names.split(',').map((each) => each.trim())) {
      const problem = await api.model.modelNameProblem(name, { models });
      if (problem) problems.set(name, problem.kind === 'unknown-model' ? 'unknown' : problem);
    }
  }
  return problems;
}

/**
 * A whole workflow file. Marked `strict` it is plain TOON; marked `document` it is no workflow. Marked `modules` or
 * `types` it stands in a real folder, because processes of their own look into modules and types.
 * @param {FrontEnd} api
 * @param {Readonly<Record<string, string>>} files
 * @param {Block} block
 * @returns {Promise<readonly Diagnostic[]>}
 */
async function workflowDiagnostics(api, files, block) {
  const { words, text } = block;
  const input = written(words, text);
  if (words.includes('document')) return api.toon.parseToon(api.text.createSource(flow, input)).diagnostics;
  if (words.includes('modules') || words.includes('types')) {
    const found = asked.get(block) ?? lookInFolder(api, files, input, words.includes('types'));
    asked.set(block, found);
    return found;
  }
  const given = { input, files, ...(words.includes('strict') && { strict: /** @type {const} */ (true) }) };
  return (await lookWorkflow(api, given, { name: flow })).found;
}

const flow = 'flow.toon';

/**
 * @param {FrontEnd} api
 * @param {Readonly<Record<string, string>>} files
 * @param {string} input
 * @param {boolean} types
 */
async function lookInFolder(api, files, input, types) {
  // Below the repository, so that its compiler is found from there.
  mkdirSync(join(root, '.cache'), { recursive: true });
  const cwd = mkdtempSync(join(root, '.cache', 'errors-'));
  const modules = api.run.createModuleHost({ cwd, timeoutMs: 40_000 });
  try {
    for (const [path, content] of Object.entries(files)) writeFileSync(join(cwd, path), content);
    const { diagnostics, typesCheck } = await api.plan.planWorkflow(api.text.createSource(flow, input), {
      file: join(cwd, flow),
      read: (path) => readIn(cwd, path),
      modules,
      ...(types && { typesRoot: api.run.tscRoot }),
    });
    if (!typesCheck) return diagnostics;
    const ran = await api.run.runTsc({ cwd, text: typesCheck.text, name: api.plan.typesFile });
    if (ran.kind !== 'done') throw new Error(`tsc: ${ran.kind}`);
    return [...diagnostics, ...typesCheck.diagnose(ran.output).diagnostics];
  } finally {
    await modules.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

/**
 * @param {string} cwd
 * @param {string} path
 */
async function readIn(cwd, path) {
  const name = relative(cwd, path);
  return existsSync(path)
    ? { ok: /** @type {const} */ (true), text: readFileSync(path, 'utf8') }
    : { ok: /** @type {const} */ (false), message: `"${name}" does not exist` };
}

/**
 * An expression while it is evaluated; `with={"input":…}` says what it can read.
 * @param {FrontEnd} api
 * @param {Block} block
 * @returns {Diagnostic[]}
 */
function expressionDiagnostics(api, block) {
  const expression = block.text.trimEnd();
  const source = api.text.createSource('expression', expression);
  const values = JSON.parse(optionOf(block, 'with') ?? '{}');
  const parsed = api.expr.parseExpression(expression);
  if (!parsed.expression) throw new Error(`"${expression}" is no expression`);
  const lookup = (/** @type {string} */ name) =>
    Object.hasOwn(values, name)
      ? { found: /** @type {const} */ (true), value: values[name] }
      : { found: /** @type {const} */ (false) };
  try {
    api.expr.evaluate(parsed.expression, { lookup, now: 0 });
    return [];
  } catch (error) {
    if (!api.expr.isExpressionError(error)) throw error;
    const { code, start, end, message, help } = error;
    return [api.text.diagnostic(code, source, { start, end }, message, help === undefined ? {} : { help })];
  }
}

/**
 * What Toolang says of the page's mistake.
 * @param {FrontEnd} api
 * @param {Page} page
 * @param {Awaited<ReturnType<typeof diagnosticsOf>>} [known] of its wrong sample, where it was checked before
 * @returns {Promise<string>}
 */
export async function saidOf(api, page, known) {
  const wrong = wrongSample(page);
  if (!wrong) throw new Error(`${page.code} has no sample`);
  const found =
    page.code === 'TOO4216'
      ? await planTooMuch(api)
      : ((await folderDiagnostics(api, page.code)) ??
        (await syncDiagnostics(api, page.code)) ??
        known ??
        (await diagnosticsOf(api, page, wrong)));
  if (found) return found.map((d) => `${api.text.renderDiagnostic(d, { color: false, columns: 100 })}\n`).join('');
  const made = await make(api, page.code, wrong);
  if (made.code !== page.code) throw new Error(`${page.code}: the mistake gives ${made.code}`);
  // In a program nobody catches it but Node, which adds where it was thrown.
  if (wrong.text.startsWith('$ node ')) return `ToolangError: ${made.message}\n    at … {\n  code: '${made.code}'\n}\n`;
  const hint = page.code === 'TOO9001' ? '; TOOLANG_DEBUG=1 shows where' : '';
  return `toolang: ${made.message} (${made.code})${hint}\n${made.help === undefined ? '' : `  ${made.help}\n`}`;
}

/**
 * The page with what Toolang says now.
 * @param {FrontEnd} api
 * @param {Page} page
 */
export async function refreshed(api, page) {
  const output = outputBlock(page);
  if (!output) throw new Error(`${page.code} has no block marked "text" for what Toolang says`);
  const text = page.text.slice(0, output.start) + (await saidOf(api, page)) + page.text.slice(output.end);
  return text.replace(/^# .*/, () => headingOf(api, page.code));
}

/**
 * @param {FrontEnd} api
 * @param {string} code
 */
export function headingOf(api, code) {
  return `# ${code} ${api.text.titleOf(/** @type {import('../src/text/index.ts').Code} */ (code))}`;
}

/**
 * The index of all pages.
 * @param {FrontEnd} api
 */
export function indexOf(api) {
  const groups = [
    ['TOO1', 'The syntax of `.too` files'],
    ['TOO2', 'Programs: names, types, directives, templates'],
    ['TOO30', 'The syntax of TOON'],
    ['TOO32', 'Expressions'],
    ['TOO33', 'Inline code'],
    ['TOO40', 'Shapes of workflow files'],
    ['TOO42', 'Workflows: names, order, types, imports'],
    ['TOO50', 'Files'],
    ['TOO51', 'Config and homes'],
    ['TOO52', 'Caps and their frontmatter'],
    ['TOO53', 'References'],
    ['TOO54', 'Sync and the lock'],
    ['TOO60', 'Runs'],
    ['TOO61', 'Expressions at run time'],
    ['TOO62', 'Runs of programs'],
    ['TOO63', 'Test files'],
    ['TOO70', 'Scripts of scripted models'],
    ['TOO71', 'Models and their providers'],
    ['TOO9', 'Bugs of ours'],
  ];
  const codes = /** @type {import('../src/text/index.ts').Code[]} */ (Object.keys(api.text.codes)).sort();
  const parts = groups.map(([prefix = '', title]) => {
    const rows = codes
      .filter((code) => code.startsWith(prefix))
      .map((code) => `| [${code}](${code}.md) | ${api.text.severityOf(code)} | ${api.text.titleOf(code)} |`);
    return `## ${title}\n\n| code | severity | what |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  const listed = codes.filter((code) => groups.some(([prefix = '']) => code.startsWith(prefix)));
  if (listed.length !== codes.length) throw new Error('a code belongs to no group of the index');
  return `# Errors, warnings and notes\n\nEach has a code that never changes its meaning. \`toolang explain CODE\` shows its page.\n\n${parts.join('\n')}`;
}

/**
 * A sample as it is meant: `\u{7}`, `«3×x»` and `«3↓x»` (lines, each deeper than the last) stand for what cannot be shown.
 * @param {string[]} words
 * @param {string} text
 */
function written(words, text) {
  if (words.includes('repeated')) {
    const nested = (/** @type {string} */ blanks, /** @type {string} */ n, /** @type {string} */ line) =>
      Array.from({ length: Number(n) }, (_, depth) => blanks + '  '.repeat(depth) + line).join('\n');
    return text
      .replace(/^( *)«(\d+)↓([^»]*)»$/gm, (_, blanks, n, line) => nested(blanks, n, line))
      .replace(/«(\d+)×([^»]*)»/g, (_, n, part) => part.repeat(Number(n)));
  }
  if (!words.includes('escaped')) return text;
  return text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

/** What `run` of a program says: `src/api/workflow/run.test.ts` and `test/program.test.ts` make each of them. */
const programMistakes = new Map([
  ['TOO6201', 'the store runs.db has no run 7f3a0c5e91xw'],
  ['TOO6202', 'the run 7f3a0c5e91xw is driven by the process 4711 on studio'],
  [
    'TOO6203',
    'the program or the input of the run 7f3a0c5e91xw was changed since it began (kept 3 · runs again charge). To go on so: yes: true',
  ],
  [
    'TOO6204',
    'the run 7f3a0c5e91xw has a step that is a function of a program (builder:ship/charge), and only that program can run it: go on with run(…, { resume }) there',
  ],
  ['TOO6205', 'the input does not fit the workflow: "/cents" is missing; it must be number.'],
  ['TOO6206', 'the store "runs.db" cannot be written: the disk is full'],
  [
    'TOO6207',
    'the run 7f3a0c5e91xw was left: its process died each of the last times that charge#1 was running. To try once more: again: true',
  ],
]);

/**
 * Mistakes that are not in a text are made for real, where that can be done on every machine.
 * @param {FrontEnd} api
 * @param {string} code
 * @param {Block} sample
 * @returns {Promise<{ code: string, message: string, help?: string | undefined }>}
 */
async function make(api, code, sample) {
  const file = sample.text.trim().split(' ').at(-1) ?? '';
  if (/^TOO50/.test(code)) return readBadly(api, code, file);
  if (/^TOO53/.test(code)) return makeRemoteMistake(api, code, sample.text);
  if (/^TOO710/.test(code)) return nameModelBadly(api, code, file.replaceAll("'", ''));
  if (code === 'TOO5404') {
    // `src/cli/caps/cap-add.test.ts` makes it.
    const message = '1 new reference must be accepted, and nobody can be asked here; nothing was changed.';
    return { code, message, help: 'Read what is shown above. To accept it: --yes' };
  }
  if (code === 'TOO5405' || code === 'TOO5406') return syncFailure(api, code);
  if (code === 'TOO5111') {
    const edited = api.config.setEntry(api.text.createSource('config.toml', sample.text), ['skills', 'review'], {
      ref: 'openhat/review',
    });
    if (edited.ok) throw new Error('the edit was possible');
    return edited.diagnostic;
  }
  if (code === 'TOO3322') {
    const help = 'Install it there: npm install --save-dev typescript';
    return { code, message: '--types needs TypeScript, and there is none for ".".', help };
  }
  if (code === 'TOO6001') {
    const what = 'event 7 (node.done draft#1) does not follow from its plan: nobody waits for draft#1';
    const after = 'Its journal was changed, or is damaged; other runs of the store are not touched by it';
    return { code, message: `the run 7f3a0c5e91xw cannot be read: ${what}. ${after}` };
  }
  if (code === 'TOO6002') {
    const numbers = 'its machine has the number 2, the newest known here is 1';
    return { code, message: `the run 7f3a0c5e91xw was made by a newer Toolang (${numbers}): go on with that one` };
  }
  if (code === 'TOO5245' || code === 'TOO5246') {
    const read = code === 'TOO5245' ? api.caps.readLocalRef(file) : api.caps.readSelector(file);
    if (read.ok) throw new Error(`${code} was not made`);
    return read.problem;
  }
  const ofProgram = programMistakes.get(code);
  if (ofProgram !== undefined) return { code, message: ofProgram };
  if (code === 'TOO9001') return { code, message: 'a bug of ours: the words of the failure' };
  const host = {
    path: posix,
    cwd: '/home/ann/work',
    env: {},
    homeDirectory: '/home/ann',
    isDirectory: () => false,
    realPath: (/** @type {string} */ path) => path,
  };
  if (code === 'TOO5247') {
    const found = api.caps.findAgents(file, { ...host, path: native, cwd: root });
    if (found.ok) throw new Error(`${code} was not made`);
    return found.problem;
  }
  const found =
    code === 'TOO5120'
      ? api.config.homeOfFile(file, host)
      : code === 'TOO5121'
        ? api.config.homeOfFile('review.too', host, { home: file })
        : api.config.homeOfResident(file, host);
  if (found.ok) throw new Error(`${code} was not made`);
  return found.problem;
}

/**
 * On a machine without keys and servers.
 * @param {FrontEnd} api
 * @param {string} code
 * @param {string} word
 */
async function nameModelBadly(api, code, word) {
  if (code === 'TOO7108') {
    const read = api.model.readModelSelector(word);
    if (read.ok) throw new Error(`${code} was not made`);
    return read;
  }
  const models = api.model.createModels({
    env: {},
    settings: api.config.defaultSettings(),
    clock: api.sys.realClock,
    fetch: async () => {
      throw new TypeError('fetch failed');
    },
  });
  const { problem } = await models.choose(code === 'TOO7107' ? [] : [word]);
  if (!problem) throw new Error(`${code} was not made`);
  return problem;
}

/**
 * Components of which each uses the one before it ten times.
 * @param {FrontEnd} api
 */
async function planTooMuch(api) {
  const names = [...'ABCDEF'];
  const components = names.map((name, index) => {
    const use = names[index - 1];
    const steps = use
      ? [...'abcdefghij'].map((id) => `      - kind: component\n        id: ${id}\n        use: ${use}`)
      : ['      - kind: approval\n        id: ask\n        request:\n          title: Go on?'];
    return `  ${name}:\n    steps[${steps.length}]:\n${steps.join('\n')}`;
  });
  const use = 'steps[1]:\n  - kind: component\n    id: all\n    use: F';
  const input = `name: flow\ninput:\ncomponents:\n${components.join('\n')}\n${use}\n`;
  return (await lookWorkflow(api, { input }, { name: 'generated.toon' })).found;
}

/** Folders of caps with a mistake in them, by what lies there. @type {ReadonlyMap<string, (dir: string) => void>} */
const folderMistakes = new Map([
  ['TOO5240', (dir) => writeIn(dir, 'skills/review/skill.md', '')],
  ['TOO5242', (dir) => writeIn(dir, 'skills/review.md', '')],
  [
    'TOO5243',
    (dir) => {
      writeIn(dir, '../notes/calm.md', '');
      mkdirSync(join(dir, 'psyches'), { recursive: true });
      symlinkSync('../../notes/calm.md', join(dir, 'psyches/calm.md'));
    },
  ],
  [
    'TOO5244',
    (dir) => {
      for (let i = 0; i <= 2000; i++) writeIn(dir, `skills/maps/assets/${i}`, '');
    },
  ],
]);

/**
 * @param {string} dir
 * @param {string} name
 * @param {string} text
 */
function writeIn(dir, name, text) {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
}

/**
 * What is said of a folder of caps; undefined for codes that are not about one.
 * @param {FrontEnd} api
 * @param {string} code
 * @returns {Promise<readonly Diagnostic[] | undefined>}
 */
async function folderDiagnostics(api, code) {
  const make = folderMistakes.get(code);
  if (!make) return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'toolang-errors-'));
  try {
    const within = join(dir, 'root');
    make(within);
    const shown = (/** @type {string} */ path) => relative(within, path).replaceAll(sep, '/');
    const found = await api.caps.readCapFolders(api.config.rootPlaces(within, native).caps, 'root', shown);
    return found.diagnostics;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {FrontEnd} api
 * @param {string} code
 * @param {string} name
 */
async function readBadly(api, code, name) {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-errors-'));
  try {
    const path = join(dir, name);
    if (code === 'TOO5002') mkdirSync(path);
    if (code === 'TOO5004') {
      writeFileSync(path, '');
      truncateSync(path, 20 * 1024 * 1024);
    }
    if (code === 'TOO5005') writeFileSync(path, 'PNG\0');
    if (code === 'TOO5006') writeFileSync(path, Buffer.from('thunk:\n  user: Gr\xfc\xdfe\n', 'latin1'));
    if (code === 'TOO5007') symlinkSync(name, path);
    const read = await api.sys.readTextFile(path);
    if (read.ok) throw new Error(`${code} was not made`);
    // Nobody is refused a file when the tests run as the superuser.
    const problem =
      code === 'TOO5003'
        ? {
            ...read.problem,
            kind: /** @type {const} */ ('denied'),
            message: `"${name}" may not be read: permission denied.`,
          }
        : read.problem;
    const made = api.config.fileDiagnostic(name, problem);
    return { code: made.code, message: made.message.replace(path, name), help: made.help };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** @param {boolean} update */
async function main(update) {
  const api = /** @type {FrontEnd} */ (await loadFrontEnd());
  // All of them end before one fails, so that no folder is left behind.
  const done = await Promise.allSettled(
    readPages().map(async (page) => ({ path: page.path, text: await refreshed(api, page) })),
  );
  const files = done.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  files.push({ path: join(folder, 'README.md'), text: indexOf(api) });
  for (const { path, text } of files) {
    if (update) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      console.error(`${path} differs`);
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { update: { type: 'boolean' } } });
  await main(values.update === true);
}
