/**
 * The rules of who may import whom: reads them from the map's table, and the imports from the sources, and compares.
 * Nothing here touches the disk, so that made-up houses can be tried.
 */
import { dirname, join } from 'node:path/posix';
import { parseSync } from 'rolldown/utils';

/** For each folder of `src/`, the folders it may import. */
export type Rules = ReadonlyMap<string, ReadonlySet<string>>;

/** Texts by path from `src/`: `text/span.ts`. */
export type Files = ReadonlyMap<string, string>;

export interface Import {
  readonly target: string;
  /** `value` loads the file, `type` vanishes, `dynamic` loads it later. */
  readonly kind: 'value' | 'type' | 'dynamic';
}

const withoutText = new Set(['text', 'sys', 'calls']);

/** Reads the table with the header `| folder | it holds | may import |`. Words it does not know are an error. */
export function readRules(markdown: string): Rules {
  const rows = tableRows(markdown);
  const known = new Set(rows.flatMap((row) => row.folders));
  const rules = new Map<string, Set<string>>();
  const above: string[] = [];
  for (const { folders, allowed } of rows) {
    const set = readAllowed(allowed, above, known, rules);
    for (const folder of folders) {
      if (rules.has(folder)) throw new Error(`the map names the folder "${folder}" twice`);
      rules.set(folder, withoutText.has(folder) ? set : new Set([...set, 'text']));
    }
    above.push(...folders);
  }
  return rules;
}

/** Everything that breaks the rules, one sentence each. */
export function violations(rules: Rules, files: Files): string[] {
  const out: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, text] of files) {
    if (isTest(file)) continue;
    const folder = folderOf(file);
    const allowed = rules.get(folder);
    if (allowed === undefined) {
      out.push(`src/${file} is in no folder of the map`);
      continue;
    }
    const loads: string[] = [];
    for (const { target, kind } of importsOf(file, text)) {
      if (!target.startsWith('.')) continue;
      const path = join(dirname(file), target);
      if (kind === 'value') loads.push(path);
      const problem = judge(file, target, path, allowed, rules, files);
      if (problem !== undefined) out.push(problem);
    }
    graph.set(file, loads);
  }
  return [...out, ...cycles(graph)];
}

/** Every import of a TypeScript file, wherever it stands: static, `export from`, dynamic, `import('…')` as a type. */
export function importsOf(file: string, text: string): Import[] {
  const { program, errors } = parseSync(file, text, { lang: 'ts', sourceType: 'module' });
  if (errors.length > 0) throw new Error(`src/${file} cannot be read: ${errors[0]?.message}`);
  const found: Import[] = [];
  const todo: unknown[] = [program];
  for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const target = 'source' in node ? stringOf(node.source) : undefined;
    if (target !== undefined && 'type' in node) found.push({ target, kind: kindOf(node) });
    for (const child of Object.values(node)) {
      if (Array.isArray(child)) for (const item of child) todo.push(item ?? null);
      else if (typeof child === 'object' && child !== null) todo.push(child);
    }
  }
  return found.reverse();
}

function tableRows(markdown: string): { folders: string[]; allowed: string }[] {
  const lines = markdown.split(/\r?\n/);
  const head = lines.findIndex((line) => /^\|\s*folder\s*\|\s*it holds\s*\|\s*may import\s*\|\s*$/.test(line));
  if (head === -1) throw new Error('the map has no table "| folder | it holds | may import |"');
  const rows: { folders: string[]; allowed: string }[] = [];
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith('|')) break;
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const folders = (cells[1] ?? '').split(/[\s,`]+/).filter((word) => word !== '');
    if (cells.length !== 5 || folders.length === 0)
      throw new Error(`the map has a row that is not three cells: ${line}`);
    rows.push({ folders, allowed: cells[3] ?? '' });
  }
  if (rows.length === 0) throw new Error('the table of the map is empty');
  return rows;
}

/** `–`, names, `all above [but NAMES][, not each other]`, `as NAME[, and NAMES]`, `everything; nothing imports it`. */
function readAllowed(
  text: string,
  above: readonly string[],
  known: ReadonlySet<string>,
  rules: ReadonlyMap<string, ReadonlySet<string>>,
): Set<string> {
  const plain = text.replaceAll('`', '').trim();
  const names = (list: string): string[] => {
    const words = list.split(/[\s,]+/).filter((word) => word !== '' && word !== 'and');
    const unknown = words.find((word) => !known.has(word));
    if (unknown !== undefined) throw new Error(`the map allows "${unknown}", which is not one of its folders`);
    return words;
  };
  if (plain === '–' || plain === '-' || plain === '') return new Set();
  if (/^everything\b/.test(plain)) return new Set(known);
  const all = /^all above(?: but ([^,;]+))?(?:, not each other)?$/.exec(plain);
  if (all !== null) {
    const but = new Set(names(all[1] ?? ''));
    return new Set(above.filter((folder) => !but.has(folder)));
  }
  const as = /^as (\w+)(?:,? and (.+))?$/.exec(plain);
  if (as !== null) {
    const [like = ''] = names(as[1] ?? '');
    const base = rules.get(like);
    if (base === undefined) throw new Error(`the map says "as ${like}" above the row of "${like}"`);
    return new Set([...base, ...names(as[2] ?? '')]);
  }
  return new Set(names(plain));
}

/** Doors beside the index: what checks a workflow must not load what runs one, nor `toolang/ai` any model. */
const doors: ReadonlySet<string> = new Set([
  'plan/machine/index.ts',
  'caps/written/index.ts',
  'model/brackets/index.ts',
  'agent/cli/index.ts',
]);

function judge(
  file: string,
  target: string,
  path: string,
  allowed: ReadonlySet<string>,
  rules: Rules,
  files: Files,
): string | undefined {
  const from = folderOf(file);
  const to = folderOf(path);
  const says = `src/${file} imports "${target}"`;
  if (path.startsWith('..')) return `${says}, which is outside src`;
  if (!path.endsWith('.ts')) return `${says}: relative imports end in ".ts"`;
  if (!files.has(path)) return `${says}, which is not there`;
  if (isTest(path)) return `${says}, which is a test`;
  if (from === to) return undefined;
  if (!rules.has(to)) return `${says}, which is in no folder of the map`;
  if (!allowed.has(to)) return `${says}: "${from}" may not import "${to}"`;
  if (path !== `${to}/index.ts` && !doors.has(path)) {
    return `${says}: other folders are imported through "${to}/index.ts"`;
  }
  return undefined;
}

/** Circles of files that load each other: each is told once, with its way round. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const out: string[] = [];
  const done = new Set<string>();
  for (const start of graph.keys()) {
    // Depth first without recursion: `way` is the path from the start, `next` the place in each file's imports.
    const way: string[] = [];
    const next: number[] = [];
    const onWay = new Set<string>();
    const enter = (file: string) => {
      way.push(file);
      next.push(0);
      onWay.add(file);
    };
    if (!done.has(start)) enter(start);
    while (way.length > 0) {
      const file = way.at(-1) ?? '';
      const at = next.at(-1) ?? 0;
      const target = graph.get(file)?.[at];
      if (target === undefined) {
        done.add(file);
        onWay.delete(file);
        way.pop();
        next.pop();
        continue;
      }
      next[next.length - 1] = at + 1;
      if (onWay.has(target)) {
        const round = [...way.slice(way.indexOf(target)), target].map((name) => `src/${name}`);
        out.push(`imports go round in a circle: ${round.join(' → ')}`);
      } else if (!done.has(target) && graph.has(target)) enter(target);
    }
  }
  return out;
}

function kindOf(node: object): Import['kind'] {
  const { type, importKind, exportKind } = node as { type?: string; importKind?: string; exportKind?: string };
  if (type === 'ImportExpression') return 'dynamic';
  return type === 'TSImportType' || importKind === 'type' || exportKind === 'type' ? 'type' : 'value';
}

function stringOf(node: unknown): string | undefined {
  const isString = typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string';
  if (isString) return String(node.value);
  // import(`./x.ts`) without holes is as fixed as a string.
  const template = node as { type?: string; quasis?: { value: { cooked?: string } }[] } | null;
  if (template?.type === 'TemplateLiteral' && template.quasis?.length === 1) return template.quasis[0]?.value.cooked;
  return undefined;
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}

function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : '';
}
