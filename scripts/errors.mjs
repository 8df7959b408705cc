// Refreshes what Toolang says in the pages of `docs/errors/`, and their index: `node scripts/errors.mjs --update`.
// Without `--update` it only names the pages that differ. A page is written by hand but for its heading and its block marked `text`.
import {
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
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadFrontEnd } from './spec.mjs';

/**
 * @typedef {import('./spec.mjs').FrontEnd} FrontEnd
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
  return page.blocks.find(({ words }) => words[0] !== 'text' && !words.includes('right'));
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
 * What is wrong with a sample; undefined for one that is no file's text.
 * @param {FrontEnd} api
 * @param {Block} block
 * @returns {readonly Diagnostic[] | undefined}
 */
export function diagnosticsOf(api, { words, text }) {
  const [language, , kind] = words;
  const option = (/** @type {string} */ name) =>
    words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  if (words.includes('console')) return undefined;
  if (language === 'too') {
    const models = option('models')?.split(',');
    const host = { tools: api.tool.builtinTools, caps: [], hands: [], hasFile: () => false, ...(models && { models }) };
    if (words.includes('uses')) {
      const parsed = api.too.parse(api.text.createSource('agents.too', text));
      return [...api.program.checkProgram(parsed, host).diagnostics, ...api.caps.checkUsesFile(parsed.program)];
    }
    return api.program.checkSource(api.text.createSource('agent.too', written(words, text)), host).diagnostics;
  }
  if (language === 'toml') return api.config.loadConfig(api.text.createSource('config.toml', text)).diagnostics;
  if (language === 'md' && kind === 'skill') {
    const origin = words.includes('remote') ? 'remote' : 'local';
    const name = option('name')?.replaceAll('_', ' ') ?? 'review';
    const source = api.text.createSource(`skills/${name}/SKILL.md`, text);
    return api.caps.validateCapFile('skill', name, source, { origin }).diagnostics;
  }
  throw new Error(`a sample marked "${words.join(' ')}" is not known`);
}

/**
 * What Toolang says of the page's mistake.
 * @param {FrontEnd} api
 * @param {Page} page
 * @returns {Promise<string>}
 */
export async function saidOf(api, page) {
  const wrong = wrongSample(page);
  if (!wrong) throw new Error(`${page.code} has no sample`);
  const found = diagnosticsOf(api, wrong);
  if (found) return found.map((d) => `${api.text.renderDiagnostic(d, { color: false, columns: 100 })}\n`).join('');
  const made = await make(api, page.code, wrong);
  if (made.code !== page.code) throw new Error(`${page.code}: the mistake gives ${made.code}`);
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
    ['TOO50', 'Files'],
    ['TOO51', 'Config and homes'],
    ['TOO52', 'Caps and their frontmatter'],
    ['TOO53', 'References'],
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
 * A sample as it is meant: `\u{7}` and `«3×x»` stand for what cannot be shown.
 * @param {string[]} words
 * @param {string} text
 */
function written(words, text) {
  if (words.includes('repeated')) return text.replace(/«(\d+)×([^»]*)»/g, (_, n, part) => part.repeat(Number(n)));
  if (!words.includes('escaped')) return text;
  return text.replace(/\\u\{([0-9A-F]+)\}/g, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
}

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
  if (code === 'TOO5111') {
    const edited = api.config.setEntry(api.text.createSource('config.toml', sample.text), ['skills', 'review'], {
      ref: 'openhat/review',
    });
    if (edited.ok) throw new Error('the edit was possible');
    return edited.diagnostic;
  }
  if (code === 'TOO9001') return { code, message: 'a bug of ours: the words of the failure' };
  const host = {
    path: posix,
    cwd: '/home/ann/work',
    env: {},
    homeDirectory: '/home/ann',
    isDirectory: () => false,
    realPath: (/** @type {string} */ path) => path,
  };
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
  const api = await loadFrontEnd();
  const files = await Promise.all(
    readPages().map(async (page) => ({ path: page.path, text: await refreshed(api, page) })),
  );
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
