/** Workflow files made to be slow to check: each grows with `n`, and checking it must take time in proportion to it. */
import type { HugeShape } from './huge.ts';

const top = 'name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  repo: string\n';

/** The files that the imports of these workflows name. */
export async function readHuge(path: string): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  if (!path.endsWith('.toon')) return { ok: false, message: 'there is no such file' };
  return { ok: true, text: `name: other\ninput:\nsteps[1]:\n${run('s', 'return {}')}` };
}

export const hugeWorkflows: readonly HugeShape[] = [
  // Steps
  shape('steps that all read the first', 10_000, (n) => steps(n, (i) => step(`s${i}`, i === 0 ? '' : '{s0.text}'))),
  shape('steps that all read the one before', 10_000, (n) => steps(n, (i) => step(`s${i}`, before(i)))),
  shape('steps that all read the last', 5_000, (n) => steps(n, (i) => step(`s${i}`, `{s${n - 1}.text}`))),
  shape('siblings that each read the one before', 5_000, (n) => parallel(n, (i) => step(`s${i}`, before(i)))),
  shape('siblings that each read the one behind', 5_000, (n) =>
    parallel(n, (i) => step(`s${i}`, i === n - 1 ? '' : `{s${i + 1}.text}`)),
  ),
  shape('siblings that wait in a ring', 5_000, (n) => parallel(n, (i) => step(`s${i}`, `{s${(i + 1) % n}.text}`))),
  shape('pairs of siblings that wait for each other', 5_000, (n) =>
    parallel(n, (i) => step(`s${i}`, `{s${i ^ 1}.text}`)),
  ),
  shape('siblings whose code reads the one before', 1_000, (n) =>
    parallel(n, (i) => run(`s${i}`, i === 0 ? 'return {}' : `return { text: s${i - 1}.text }`)),
  ),
  shape('steps in 60 nested sequences', 50, (n) => `${top}${nested(0, 29, n)}`),
  shape('code', 2_000, (n) => steps(n, (i) => run(`s${i}`, `const x = ${i}; return { text: String(x) }`))),
  shape('one long code', 20_000, (n) =>
    steps(1, () => run('s', `${'await sh`ls`; '.repeat(n)}return { text: input.repo }`)),
  ),
  shape('duplicate ids', 5_000, (n) => steps(n, () => step('same', ''))),
  shape('nodes without ids', 10_000, (n) =>
    steps(n, () => `  - kind: sequence\n    children[1]:\n${indent(indent(step('', '')))}`),
  ),
  shape('loops one behind the other', 2_000, (n) =>
    steps(
      n,
      (i) =>
        `  - kind: loop\n    until: "{a${i}.text == '1'}"\n    children[1]:\n${indent(indent(step(`a${i}`, '{loop.iteration}')))}`,
    ),
  ),
  shape('steps behind a loop that read its count', 5_000, (n) =>
    steps(n + 1, (i) =>
      i === 0
        ? `  - kind: loop\n    until: "{a.text == '1'}"\n    children[1]:\n${indent(indent(step('a', '')))}`
        : step(`s${i}`, '{loop.iteration}'),
    ),
  ),
  shape(
    'a loop around many steps',
    5_000,
    (n) =>
      `${top}steps[1]:\n  - kind: loop\n    until: "{s0.text == '1'}"\n    children[${n}]:\n${each(n, (i) => indent(indent(step(`s${i}`, '{s0.text}'))))}`,
  ),
  shape('approvals that skip the rest', 3_000, (n) =>
    steps(
      n,
      (i) =>
        `  - kind: approval\n    id: a${i}\n    request:\n      title: "Go on? {${i === 0 ? 'input.repo' : `a${i - 1}.note`}}"\n    onDeny: skip\n`,
    ),
  ),
  shape('approvals whose denial nobody reads', 5_000, (n) =>
    steps(n, (i) => `  - kind: approval\n    id: a${i}\n    request:\n      title: Go on?\n    onDeny: continue\n`),
  ),
  shape('branches that all are read', 3_000, (n) =>
    steps(
      n,
      (i) =>
        `  - kind: branch\n    id: b${i}\n    condition: "{${i === 0 ? 'input.repo' : `b${i - 1}.text`} == 'x'}"\n    then[1]:\n${indent(indent(step(`s${i}`, '')))}    else[1]:\n${indent(indent(step(`t${i}`, '')))}`,
    ),
  ),
  shape(
    'a branch with a long arm',
    5_000,
    (n) =>
      `${top}steps[1]:\n  - kind: branch\n    id: b\n    condition: "{input.repo == 'x'}"\n    then[${n}]:\n${each(n, (i) => indent(indent(step(`s${i}`, before(i)))))}`,
  ),
  // Names
  shape('unknown names', 1_200, (n) => steps(n, (i) => step(`step-number-${i}`, `{stpe${i}.text}`))),
  shape('unknown names with hyphens', 1_200, (n) =>
    steps(n, (i) => step(`step-number-${i}`, `{step-nubmer-${n + i}.text}`)),
  ),
  shape('unknown fields', 3_000, (n) => steps(n, (i) => step(`s${i}`, i === 0 ? '' : `{s${i - 1}.txet}`))),
  shape('unknown fields of a wide input', 1_200, (n) =>
    wide(
      n,
      each(n, (i) => step(`s${i}`, `{input.feild${i}x}`)),
    ),
  ),
  shape(
    'unknown agents',
    1_200,
    (n) =>
      `name: huge\ninput:\nagents:\n${each(n, (i) => `  agent${i}:\n    type: scripted\n`)}steps[${n}]:\n${each(n, (i) => `  - id: s${i}\n    agent: agnet${i}x\n    prompt: a\n    output:\n      text: string\n`)}`,
  ),
  shape(
    'unknown types',
    1_200,
    (n) =>
      `name: huge\ninput:\n${each(n, (i) => `  f${i}: Tpye${i}\n`)}schemas:\n${each(n, (i) => `  Type${i}x:\n    a: string\n`)}steps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'unknown components',
    1_200,
    (n) =>
      `${top}components:\n${each(n, (i) => `  Part${i}:\n    steps[1]:\n${indent(indent(step('a', '')))}`)}steps[${n}]:\n${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Prat${i}x\n`)}`,
  ),
  shape('unknown workflows', 5_000, (n) => steps(n, (i) => `  - kind: workflow\n    id: w${i}\n    use: wokr${i}\n`)),
  shape('unknown kinds', 5_000, (n) => steps(n, (i) => `  - kind: lop${i}\n    id: w${i}\n`)),
  shape('unknown keys of one step', 20_000, (n) => `${top}steps[1]:\n  - id: s\n${each(n, (i) => `    key${i}: a\n`)}`),
  shape('unknown keys of many steps', 5_000, (n) =>
    steps(n, (i) => `${step(`s${i}`, '')}    promt: a\n    untli: b\n`),
  ),
  shape('unknown keys of a file', 20_000, (n) => `${top}${each(n, (i) => `key${i}: a\n`)}`),
  shape('needs that nothing has', 5_000, (n) => steps(n, (i) => `${step(`s${i}`, '')}    needs: setp${i}x\n`)),
  shape('needs that come later', 5_000, (n) => steps(n, (i) => `${step(`s${i}`, '')}    needs: s${n - 1}\n`)),
  shape('one step that needs all others', 10_000, (n) =>
    steps(n + 1, (i) =>
      i < n ? step(`s${i}`, '') : `${step('last', '')}    needs[${n}]: ${list(n, (j) => `s${j}`)}\n`,
    ),
  ),
  shape('one step that needs many unknown ones', 1_200, (n) =>
    steps(n + 1, (i) =>
      i < n ? step(`s${i}`, '') : `${step('last', '')}    needs[${n}]: ${list(n, (j) => `t${j}x`)}\n`,
    ),
  ),
  // Components
  shape('uses of one component', 5_000, (n) =>
    component(
      steps(
        n,
        (i) => `  - kind: component\n    id: c${i}\n    use: Part\n    with:\n      text: "${before(i, 'c')}"\n`,
      ),
    ),
  ),
  shape(
    'components that use the next',
    1_000,
    (n) =>
      `${top}components:\n${each(n, (i) => `  Part${i}:\n    steps[1]:\n${indent(indent(i === n - 1 ? step('a', '') : `  - kind: component\n    id: c\n    use: Part${i + 1}\n`))}`)}steps[1]:\n  - kind: component\n    id: c\n    use: Part0\n`,
  ),
  shape(
    'components that double',
    100,
    (n) =>
      `${top}components:\n${each(n, (i) => `  Part${i}:\n    steps[2]:\n${indent(indent(i === n - 1 ? step('a', '') + step('b', '') : `  - kind: component\n    id: c\n    use: Part${i + 1}\n  - kind: component\n    id: d\n    use: Part${i + 1}\n`))}`)}steps[1]:\n  - kind: component\n    id: c\n    use: Part0\n`,
  ),
  shape(
    'components that nothing uses',
    3_000,
    (n) =>
      `${top}components:\n${each(n, (i) => `  Part${i}:\n    steps[1]:\n${indent(indent(step('{id}-a', '')))}`)}steps[1]:\n${step('s', '')}`,
  ),
  shape(
    'steps of one component',
    5_000,
    (n) =>
      `${top}components:\n  Part:\n    steps[${n}]:\n${each(n, (i) => indent(indent(step(`{id}-s${i}`, ''))))}steps[1]:\n  - kind: component\n    id: c\n    use: Part\n`,
  ),
  shape(
    'parameters of one use',
    5_000,
    (n) =>
      `${top}components:\n  Part:\n    params:\n${each(n, (i) => `      p${i}: string\n`)}    steps[1]:\n${indent(indent(step('a', '')))}steps[1]:\n  - kind: component\n    id: c\n    use: Part\n    with:\n${each(n, (i) => `      p${i}: "{input.repo}"\n`)}`,
  ),
  shape(
    'wrong parameters of one use',
    1_200,
    (n) =>
      `${top}components:\n  Part:\n    params:\n${each(n, (i) => `      param${i}: string\n`)}    steps[1]:\n${indent(indent(step('a', '')))}steps[1]:\n  - kind: component\n    id: c\n    use: Part\n    with:\n${each(n, (i) => `      parma${i}x: "{input.repo}"\n`)}`,
  ),
  // Texts
  shape('holes of one prompt', 100_000, (n) => steps(1, () => step('s', '{input.repo} '.repeat(n)))),
  shape('holes of one prompt that are wrong', 20_000, (n) =>
    steps(1, () => step('s', '{inptu.repo} {input.rpeo} '.repeat(n))),
  ),
  shape('holes of one prompt that are broken', 50_000, (n) => steps(1, () => step('s', '{a b} '.repeat(n)))),
  shape('braces that are never closed', 100_000, (n) => steps(1, () => step('s', '{a '.repeat(n)))),
  shape('doubled braces', 200_000, (n) => steps(1, () => step('s', '{{}} '.repeat(n)))),
  shape('braces that read as records', 50_000, (n) => steps(1, () => step('s', "{a: 1} {'b': {c: 2}} ".repeat(n)))),
  shape('a line of text', 5_000_000, (n) => steps(1, () => step('s', 'a'.repeat(n)))),
  shape('a line of escapes', 500_000, (n) => steps(1, () => step('s', '\\n'.repeat(n)))),
  shape('a line of escapes with holes', 50_000, (n) => steps(1, () => step('s', '\\n{input.repo}\\n{x}'.repeat(n)))),
  shape('a prompt of many lines', 50_000, (n) =>
    steps(
      1,
      () =>
        `  - id: s\n    agent: writer\n    prompt[${n}]:\n${'      - "{input.repo} {x}"\n'.repeat(n)}    output:\n      text: string\n`,
    ),
  ),
  shape('a long path in a hole', 20_000, (n) => steps(1, () => step('s', `{input${'.repo'.repeat(n)}}`))),
  shape('a long sum in a hole', 50_000, (n) => steps(1, () => step('s', `{input.repo${' + 1'.repeat(n)}}`))),
  shape('a long list in a hole', 50_000, (n) => steps(1, () => step('s', `{[${'input.repo, '.repeat(n)}1].length}`))),
  shape('brackets in a hole', 100_000, (n) => steps(1, () => step('s', `{${'('.repeat(n)}1${')'.repeat(n)}}`))),
  shape('a condition of braces', 100_000, (n) =>
    steps(1, () => `${step('s', '')}    skipIf: "${'{'.repeat(n)}1${'}'.repeat(n)}"\n`),
  ),
  shape('hyphens in a hole', 100_000, (n) => steps(1, () => step('s', `{a${'-a'.repeat(n)}}`))),
  shape('values of a cache key', 10_000, (n) =>
    steps(1, () => `${step('s', '')}    cache:\n      by[${n}]: ${list(n, () => '"{input.repo}"')}\n`),
  ),
  // Types
  shape(
    'fields of the input',
    100_000,
    (n) => `name: huge\ninput:\n${each(n, (i) => `  f${i}: string\n`)}steps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'fields of an output that all are read',
    5_000,
    (n) =>
      `${top}steps[2]:\n  - id: a\n    run: return {}\n    output:\n${each(n, (i) => `      f${i}: string\n`)}${step(
        's',
        each(n, (i) => `{a.f${i}} `),
      )}`,
  ),
  shape(
    'choices of a type',
    20_000,
    (n) =>
      `name: huge\ninput:\n  a: ${Array.from({ length: n }, (_, i) => `"c${i}"`).join(' | ')}\nsteps[1]:\n${step('s', "{input.a == 'c1'}")}`,
  ),
  shape('choices of many siblings', 2_000, (n) =>
    parallel(n, (i) => `  - id: s${i}\n    run: return {}\n    output:\n      t: "c${i}"\n`),
  ),
  shape('siblings of different types', 2_000, (n) =>
    parallel(n, (i) => `  - id: s${i}\n    run: return {}\n    output:\n      f${i}: string\n`),
  ),
  shape('schemas that name the next', 20_000, (n) =>
    schemas(n, (i) => `  T${i}:\n    next: ${i === n - 1 ? 'string' : `T${i + 1}`}\n`),
  ),
  shape('schemas that name the one before', 20_000, (n) =>
    schemas(n, (i) => `  T${i}:\n    next: ${i === 0 ? 'string' : `T${i - 1}`}\n`),
  ),
  shape('schemas in a ring', 20_000, (n) => schemas(n, (i) => `  T${i}:\n    next: T${(i + 1) % n}\n`)),
  shape('schemas in an optional ring', 20_000, (n) => schemas(n, (i) => `  T${i}:\n    next: T${(i + 1) % n}?\n`)),
  shape('schemas that are the next', 20_000, (n) =>
    schemas(n, (i) => `  T${i}: ${i === n - 1 ? 'string' : `T${i + 1}`}\n`),
  ),
  shape('schemas that are each other in a ring', 20_000, (n) => schemas(n, (i) => `  T${i}: T${(i + 1) % n}\n`)),
  shape('schemas that are lists of the next', 20_000, (n) =>
    schemas(n, (i) => `  T${i}: "${i === n - 1 ? 'string' : `T${i + 1}`}[]"\n`),
  ),
  shape('schemas that name the next twice', 2_000, (n) =>
    schemas(
      n,
      (i) =>
        `  T${i}:\n    a: ${i === n - 1 ? 'string' : `T${i + 1}`}\n    b: ${i === n - 1 ? 'string' : `T${i + 1}`}\n`,
    ),
  ),
  shape('schemas that all name the first', 20_000, (n) =>
    schemas(n, (i) => `  T${i}:\n    a: ${i === 0 ? 'string' : 'T0'}\n`),
  ),
  shape('schemas that are written twice', 10_000, (n) => schemas(n, () => '  T0:\n    a: string\n')),
  // Declarations
  shape(
    'agents',
    10_000,
    (n) =>
      `name: huge\ninput:\nagents:\n${each(n, (i) => `  a${i}:\n    type: scripted\n`)}steps[1]:\n  - id: s\n    agent: a0\n    prompt: a\n    output:\n      t: string\n`,
  ),
  shape(
    'fields of an agent',
    10_000,
    (n) =>
      `name: huge\ninput:\nagents:\n  a:\n    type: codex\n${each(n, (i) => `    f${i}: x\n`)}steps[1]:\n  - id: s\n    agent: a\n    prompt: a\n    output:\n      t: string\n`,
  ),
  shape(
    'imports of one file',
    10_000,
    (n) =>
      `name: huge\nimports:\n  agents[${n}]{from,use,as}:\n${each(n, (i) => `    ./agents.ts,writer,a${i}\n`)}input:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'imports of one workflow',
    10_000,
    (n) =>
      `name: huge\nimports:\n  workflows[${n}]{from,as}:\n${each(n, (i) => `    ./other.toon,a${i}\n`)}input:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'imports of many files',
    5_000,
    (n) =>
      `name: huge\nimports:\n  workflows[${n}]{from,as}:\n${each(n, (i) => `    ./other${i}.toon,a${i}\n`)}input:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'names of one import',
    10_000,
    (n) =>
      `name: huge\nimports:\n  schemas[1]{from,use}:\n    ./schemas.ts,"${list(n, (i) => `T${i}`)}"\ninput:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'plugins',
    5_000,
    (n) =>
      `name: huge\nimports:\n  plugins[${n}]:\n${each(n, (i) => `    - from: "@a/b${i}"\n      config:\n        a: ${i}\n`)}input:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  // Lines
  shape(
    'nested keys',
    3_000,
    (n) =>
      `${top}steps[1]:\n${each(n, (i) => `${' '.repeat(2 * i + 2)}- kind: sequence\n${' '.repeat(2 * i + 4)}children[1]:\n`)}`,
  ),
  shape(
    'nested keys of an output',
    3_000,
    (n) =>
      `${top}steps[1]:\n  - id: s\n    run: return {}\n    output:\n${each(n, (i) => `${' '.repeat(2 * i + 6)}a:\n`)}`,
  ),
  shape('nested lists on one line', 100_000, (n) => `${top}steps[1]:\n${'- '.repeat(n)}a\n`),
  shape('comment lines', 100_000, (n) => `${top}${'# comment\n'.repeat(n)}steps[1]:\n${step('s', '')}`),
  shape('blank lines', 100_000, (n) => `${top}${'\n'.repeat(n)}steps[1]:\n${step('s', '')}`),
  shape('tabs', 50_000, (n) => `${top}${'\tx: y\n'.repeat(n)}`),
  shape('lines without a colon', 50_000, (n) => `${top}${'word\n'.repeat(n)}`),
  shape('wrong lengths', 10_000, (n) => `${top}${each(n, (i) => `k${i}[5]: a,b\n`)}`),
  shape('quotes never closed', 20_000, (n) => `${top}${each(n, (i) => `k${i}: "a\n`)}`),
  shape('trailing comments', 5_000, (n) => steps(n, (i) => `  - id: s${i} # a\n    run: return {} # b\n`)),
  shape('list items below a bare key', 20_000, (n) => `${top}steps:\n${each(n, (i) => step(`s${i}`, ''))}`),
  shape('cells of one row', 100_000, (n) => `${top}t[1]{a,b}:\n  ${list(n, () => 'x')}\n`),
];

function shape(name: string, n: number, write: (n: number) => string): HugeShape {
  return { name, n, write };
}

function each(n: number, write: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => write(i)).join('');
}

function list(n: number, write: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => write(i)).join(',');
}

function steps(n: number, write: (i: number) => string): string {
  return `${top}steps[${n}]:\n${each(n, write)}`;
}

function parallel(n: number, write: (i: number) => string): string {
  return `${top}steps[1]:\n  - kind: parallel\n    children[${n}]:\n${indent(indent(each(n, write)))}`;
}

function schemas(n: number, write: (i: number) => string): string {
  return `name: huge\ninput: T0\nschemas:\n${each(n, write)}steps[1]:\n${run('s', 'return {}')}`;
}

function wide(n: number, nodes: string): string {
  return `name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n${each(n, (i) => `  field${i}: string\n`)}steps[${n}]:\n${nodes}`;
}

function component(text: string): string {
  const part = step('{id}-a', '{params.text}');
  return text.replace(
    'steps[',
    `components:\n  Part:\n    params:\n      text: string?\n    steps[1]:\n${indent(indent(part))}steps[`,
  );
}

/** One step below another, `deep` levels of sequences, each with `n` steps. */
function nested(level: number, deep: number, n: number): string {
  const key = level === 0 ? 'steps' : 'children';
  const more = level === deep ? '' : `  - kind: sequence\n${indent(nested(level + 1, deep, n))}`;
  const text = `${key}[${level === deep ? n : n + 1}]:\n${each(n, (i) => step(`s${level}-${i}`, i === 0 ? '' : `{s${level}-${i - 1}.text}`))}${more}`;
  return level === 0 ? text : indent(text);
}

function before(i: number, name = 's'): string {
  return i === 0 ? '' : `{${name}${i - 1}.text}`;
}

function step(id: string, prompt: string): string {
  const head = id === '' ? '' : id.includes('{') ? `id: "${id}"\n    ` : `id: ${id}\n    `;
  return `  - ${head}agent: writer\n    prompt: "Do it: ${prompt}"\n    output:\n      text: string\n`;
}

function run(id: string, code: string): string {
  return `  - id: ${id}\n    run: "${code}"\n    output:\n      text: string?\n`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
