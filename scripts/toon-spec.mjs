// Fills in the fixtures `spec/toon/syntax-*.json` what the reader says: `node scripts/toon-spec.mjs --update [FILE…]`.
// Without `--update` it only says which cases differ. What is written must be read before it is kept.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';

/**
 * @typedef {{ text: typeof import('../src/text/index.ts'), toon: typeof import('../src/toon/index.ts') }} FrontEnd
 * @typedef {{ code: string, at: string, fix?: string }} SyntaxDiagnostic
 * @typedef {{ name: string, rule: string, input: string, profile?: true, accept: boolean, value?: unknown,
 *   relaxations?: string[], diagnostics: SyntaxDiagnostic[] }} SyntaxCase
 * @typedef {{ about: string, stage: 'syntax', cases: SyntaxCase[] }} SyntaxFile
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'spec/toon');

/** @returns {{ file: string, path: string, spec: SyntaxFile }[]} */
export function readSyntaxSpecs() {
  const files = readdirSync(folder).filter((name) => /^syntax-.*\.json$/.test(name));
  return files.sort().map((file) => {
    const path = join(folder, file);
    return { file, path, spec: JSON.parse(readFileSync(path, 'utf8')) };
  });
}

/**
 * The parts of a case that are filled in.
 * @param {FrontEnd} api
 * @param {Pick<SyntaxCase, 'input' | 'profile'>} given
 * @returns {Pick<SyntaxCase, 'accept' | 'value' | 'relaxations' | 'diagnostics'>}
 */
export function syntaxOutcome({ text, toon }, { input, profile }) {
  const source = text.createSource('input.toon', input);
  const { document, diagnostics, relaxations } = toon.parseToon(source, { profile: profile === true });
  const accept = !text.hasErrors(diagnostics);
  return {
    accept,
    ...(accept && { value: toon.toPlain(document.root) }),
    ...(relaxations.length > 0 && { relaxations: relaxations.map((one) => one.name) }),
    diagnostics: diagnostics.map((d) => {
      const { start, end } = text.rangeOf(source, d.span);
      const at = `${start.line}:${start.column}-${end.line}:${end.column}`;
      return { code: d.code, at, ...(d.fix && { fix: text.applyEdits(input, d.fix.edits).text }) };
    }),
  };
}

/**
 * One case a block, one diagnostic a line.
 * @param {SyntaxFile} spec
 */
export function printSyntaxSpec({ about, stage, cases }) {
  const blocks = cases.map((c) => {
    const lines = [
      `"name": ${JSON.stringify(c.name)}`,
      `"rule": ${JSON.stringify(c.rule)}`,
      `"input": ${JSON.stringify(c.input)}`,
      ...(c.profile ? ['"profile": true'] : []),
      `"accept": ${c.accept}`,
      ...('value' in c ? [`"value": ${JSON.stringify(c.value)}`] : []),
      ...(c.relaxations ? [`"relaxations": ${JSON.stringify(c.relaxations)}`] : []),
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

/** The reader, bundled, because Node 20 does not read TypeScript. @returns {Promise<FrontEnd>} */
async function loadFrontEnd() {
  const dir = mkdtempSync(join(tmpdir(), 'toolang-toon-'));
  try {
    const entry = 'virtual:toon';
    const load = ['text', 'toon'].map(
      (part) => `export * as ${part} from ${JSON.stringify(join(root, 'src', part, 'index.ts'))};`,
    );
    const built = await rolldown({
      input: entry,
      cwd: root,
      platform: 'node',
      external: /^node:/,
      plugins: [
        {
          name: 'toon',
          resolveId: (id) => (id === entry ? id : undefined),
          load: (id) => (id === entry ? load.join('\n') : undefined),
        },
      ],
    });
    await built.write({ dir, format: 'esm', entryFileNames: 'toon.mjs' });
    await built.close();
    return await import(pathToFileURL(join(dir, 'toon.mjs')).href);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/**
 * @param {string[]} only
 * @param {boolean} update
 */
async function main(only, update) {
  const api = await loadFrontEnd();
  let differing = 0;
  for (const { file, path, spec } of readSyntaxSpecs()) {
    if (only.length > 0 && !only.includes(file)) continue;
    const cases = spec.cases.map((given) => {
      const { name, rule, input, profile, accept } = given;
      const said = syntaxOutcome(api, given);
      // Whether an input is right is the author's word, never the program's.
      if (said.accept !== accept) {
        differing++;
        console.error(`${file}: ${name}: meant to be ${accept ? 'accepted' : 'refused'}, but it is not`);
      }
      const filled = { name, rule, input, ...(profile && { profile }), ...said, accept };
      if (!update && JSON.stringify(given) !== JSON.stringify(filled)) {
        differing++;
        console.error(`${file}: ${name}: differs`);
      }
      return filled;
    });
    if (update) writeFileSync(path, printSyntaxSpec({ ...spec, cases }));
  }
  if (differing > 0) process.exitCode = 1;
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { update: { type: 'boolean' } }, allowPositionals: true });
  await main(positionals, values.update === true);
}
