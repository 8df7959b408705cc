// Installs the CLI agents that tests drive, of the versions below, under `.cache/cli-agents/`: `node test/cli-agents/install.mjs`.
// No install script of theirs runs, and none of them is started: a CLI that runs reaches for the network, so that is left to
// tests, which have none for it. What is there stays; several may be at it at once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

/**
 * `omit`: optional packages are left out, which for some are the program itself and for others compiled extras.
 * @typedef {{ package: string, version: string, command: string, omit: boolean, file: () => string }} Tool
 */

const platform = `${process.platform}-${process.arch}`;

/** @satisfies {Readonly<Record<string, Tool>>} */
export const tools = {
  'claude-code': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.326',
    command: 'claude',
    omit: false,
    // Its install script copies the program of this platform over a placeholder; this is that program.
    file: () => `@anthropic-ai/claude-code-${platform}/claude`,
  },
  codex: {
    package: '@openai/codex',
    version: '0.169.0',
    command: 'codex',
    omit: false,
    file: () => '@openai/codex/bin/codex.js',
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    command: 'gemini',
    omit: true,
    file: () => '@google/gemini-cli/bundle/gemini.js',
  },
};

/** @typedef {keyof typeof tools} ToolName */

export const toolNames = /** @type {ToolName[]} */ (Object.keys(tools));

const root = fileURLToPath(new URL('../../.cache/cli-agents', import.meta.url));

/** @param {ToolName} name */
const folderOf = (name) => join(root, `${name}-${tools[name].version}`);

/**
 * The folder with the command of a CLI, for `PATH`; `undefined` where it is not installed.
 * @param {ToolName} name
 * @returns {string | undefined}
 */
export function installed(name) {
  const bin = join(folderOf(name), 'bin');
  return existsSync(join(bin, tools[name].command)) ? bin : undefined;
}

/**
 * The reason where it could not be installed.
 * @param {ToolName} name
 * @returns {string | undefined}
 */
function install(name) {
  if (installed(name) !== undefined) return undefined;
  const tool = tools[name];
  mkdirSync(root, { recursive: true });
  for (const old of readdirSync(root)) {
    const isOther = old.startsWith(`${name}-`) && !old.includes('.part-') && join(root, old) !== folderOf(name);
    if (isOther) rmSync(join(root, old), { recursive: true, force: true });
  }
  // Whoever else installs it has a folder of their own; the first that is done wins, with one that is whole.
  const part = mkdtempSync(`${folderOf(name)}.part-`);
  try {
    const spec = `${tool.package}@${tool.version}`;
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const ran = spawnSync(
      'npm',
      ['install', '--prefix', part, ...flags, ...(tool.omit ? ['--omit=optional'] : []), spec],
      { encoding: 'utf8', timeout: 300_000, shell: process.platform === 'win32' },
    );
    if (ran.status !== 0) return `npm could not install ${spec}: ${ran.error?.message ?? lastLine(ran.stderr)}`;
    const file = join(part, 'node_modules', tool.file());
    if (!existsSync(file)) return `${spec} has no program for ${platform} (${tool.file()})`;
    mkdirSync(join(part, 'bin'));
    symlinkSync(relative(join(part, 'bin'), file), join(part, 'bin', tool.command));
    try {
      renameSync(part, folderOf(name));
    } catch (error) {
      if (installed(name) === undefined) throw error;
    }
    return undefined;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** @param {string} text */
function lastLine(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.includes('A complete log'));
  return lines.slice(0, 3).join('; ') || 'it said nothing';
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const named = argv.slice(2);
  const wrong = named.filter((name) => !toolNames.some((known) => known === name));
  if (wrong.length > 0) {
    console.error(`there is no CLI agent ${wrong.map((name) => `"${name}"`).join(', ')}: ${toolNames.join(', ')}`);
    process.exit(2);
  }
  let failed = 0;
  for (const name of toolNames.filter((known) => named.length === 0 || named.includes(known))) {
    const reason = install(name);
    if (reason !== undefined) failed += 1;
    console.log(reason === undefined ? `${name} ${tools[name].version}` : `SKIPPED: ${reason}`);
  }
  process.exit(failed === 0 ? 0 : 1);
}
