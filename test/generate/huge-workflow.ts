/** Workflow files made to be slow to check: each grows with `n`, and checking it must take time in proportion to it. */
import type { HugeShape } from './huge.ts';

const top = 'name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  repo: string\n';

/**
 * The files that these workflows name: `chain-7.toon` calls `chain-6.toon`, `double-7.toon` calls `double-6.toon` twice,
 * `parts-7.toon` uses what `parts-6.toon` has.
 */
export async function readHuge(path: string): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
  if (path.endsWith('.md')) return { ok: true, text: 'Read {input.repo}. '.repeat(2_000) };
  if (!path.endsWith('.toon')) return { ok: false, message: 'there is no such file' };
  const [, kind, number] = /(chain|double|parts)-(\d+)\.toon$/.exec(path) ?? [];
  const next = Number(number) - 1;
  const last = `name: other\ninput:\nsteps[1]:\n${run('s', 'return {}')}`;
  const part = (inner: string) => `components:\n  Part:\n    steps[1]:\n${indent(indent(inner))}`;
  if (kind === 'parts') {
    const use = '  - kind: component\n    id: c\n    use: Next\n';
    if (next < 0) return { ok: true, text: part(run('s', 'return {}')) };
    return {
      ok: true,
      text: `imports:\n  components[1]{from,use,as}:\n    ./parts-${next}.toon,Part,Next\n${part(use)}`,
    };
  }
  if (kind === undefined || next < 0) return { ok: true, text: last };
  const calls = each(kind === 'double' ? 2 : 1, (i) => `  - kind: workflow\n    id: w${i}\n    use: next\n`);
  return {
    ok: true,
    text: `name: other\nimports:\n  workflows[1]{from,as}:\n    ./${kind}-${next}.toon,next\ninput:\nsteps[${kind === 'double' ? 2 : 1}]:\n${calls}`,
  };
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
  shape('siblings that wait in a ring, and all for the first', 3_000, (n) =>
    parallel(n, (i) => step(`s${i}`, `{s${(i + 1) % n}.text} {s0.text}`)),
  ),
  shape('siblings whose code reads the one before', 1_000, (n) =>
    parallel(n, (i) => run(`s${i}`, i === 0 ? 'return {}' : `return { text: s${i - 1}.text }`)),
  ),
  shape('siblings whose code reads the first, each behind another', 1_000, (n) =>
    parallel(
      n,
      (i) =>
        `${run(`s${i}`, i === 0 ? 'return {}' : 'return { text: s0.text }')}${i === 0 ? '' : `    needs: s${i - 1}\n`}`,
    ),
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
  // Results of many nodes
  shape('steps that read a whole parallel', 2_000, (n) =>
    steps(n + 1, (i) => (i === 0 ? wideParallel(n) : step(`r${i}`, '{p}'))),
  ),
  shape('steps that read the first of a whole parallel', 2_000, (n) =>
    steps(n + 1, (i) => (i === 0 ? wideParallel(n) : step(`r${i}`, '{p[0]}'))),
  ),
  shape('steps that read a branch of branches', 1_000, (n) =>
    steps(2 * n, (i) => (i < n ? branch(`b${i}`, `c${i}`) : step(`r${i}`, `{b${i - n}.text}`))),
  ),
  shape('parallels in parallels', 1_000, (n) => `${top}steps[1]:\n${inside(20, 'parallel', n)}`),
  shape('loops in loops', 1_000, (n) => `${top}steps[1]:\n${inside(20, 'loop', n)}`),
  shape('branches in branches', 1_000, (n) => `${top}steps[1]:\n${inside(15, 'branch', n)}`),
  shape('worktrees', 3_000, (n) =>
    steps(
      n,
      (i) =>
        `  - kind: worktree\n    path: "w/{input.repo}"\n    branch: b${i}\n    children[1]:\n${indent(indent(step(`s${i}`, '')))}`,
    ),
  ),
  shape('a condition that reads all steps, around as many', 2_000, (n) =>
    steps(n + 1, (i) =>
      i < n
        ? step(`s${i}`, '')
        : `  - kind: branch\n    condition: "${Array.from({ length: n }, (_, j) => `{s${j}.text == 'x'}`).join(' || ')}"\n    then[${n}]:\n${each(n, (j) => indent(indent(step(`t${j}`, ''))))}`,
    ),
  ),
  shape('steps that need all before them', 200, (n) =>
    steps(n, (i) => `${step(`s${i}`, '')}${i === 0 ? '' : `    needs[${i}]: ${list(i, (j) => `s${j}`)}\n`}`),
  ),
  shape('siblings that need all before them', 200, (n) =>
    parallel(n, (i) => `${step(`s${i}`, '')}${i === 0 ? '' : `    needs[${i}]: ${list(i, (j) => `s${j}`)}\n`}`),
  ),
  shape('siblings that read all before them', 200, (n) =>
    parallel(n, (i) =>
      step(
        `s${i}`,
        each(i, (j) => `{s${j}.text}`),
      ),
    ),
  ),
  shape('handlers', 3_000, (n) =>
    steps(n, (i) => `  - id: s${i}\n    handler: ./checks.ts#check${i}\n    output:\n      text: string\n`),
  ),
  // What is written once and used often
  shape('uses of a component with a long prompt', 2_000, (n) =>
    used(n, step('{id}-a', '{input.repo} and so on, '.repeat(n))),
  ),
  shape('uses of a component with long code', 1_000, (n) =>
    used(n, run('a', `${'await sh`ls`; '.repeat(n)}return { text: input.repo }`)),
  ),
  shape('uses of a component with a wide output', 2_000, (n) =>
    used(n, `  - id: a\n    run: return {}\n    output:\n${each(n, (i) => `      f${i}: string?\n`)}`),
  ),
  shape(
    'uses of a component with many parameters',
    2_000,
    (n) =>
      `${top}components:\n  Part:\n    params:\n${each(n, (i) => `      p${i}: string?\n`)}    steps[1]:\n${indent(indent(step('a', '{params.p0}')))}steps[${n}]:\n${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n`)}`,
  ),
  shape(
    'uses of a component that lack many parameters',
    1_000,
    (n) =>
      `${top}components:\n  Part:\n    params:\n${each(n, (i) => `      p${i}: string\n`)}    steps[1]:\n${indent(indent(step('a', '{params.p0}')))}steps[${n}]:\n${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n`)}`,
  ),
  shape('steps with a prompt from one file', 2_000, (n) =>
    steps(n, (i) => `  - id: s${i}\n    agent: writer\n    promptFrom: ./long.md\n    output:\n      text: string\n`),
  ),
  shape(
    'steps with one wide output',
    2_000,
    (n) =>
      `${top}schemas:\n  Wide:\n${each(n, (i) => `    f${i}: string?\n`)}steps[${n}]:\n${each(n, (i) => `  - id: s${i}\n    run: return {}\n    output: Wide\n`)}`,
  ),
  shape(
    'steps that return too little for one wide output',
    1_000,
    (n) =>
      `${top}schemas:\n  Wide:\n${each(n, (i) => `    f${i}: string\n`)}steps[${n}]:\n${each(n, (i) => `  - id: s${i}\n    run: "return { f0: 'a' }"\n    output: Wide\n`)}`,
  ),
  shape('steps that read the whole of a wide input', 2_000, (n) =>
    wide(
      n,
      each(n, (i) => step(`s${i}`, '{input}')),
    ),
  ),
  shape('steps that read a field of a wide input', 5_000, (n) =>
    wide(
      n,
      each(n, (i) => step(`s${i}`, `{input.field${n - 1 - i}}`)),
    ),
  ),
  shape(
    'uses that are given a wide record',
    1_000,
    (n) =>
      `${top}components:\n  Part:\n    params:\n      all:\n${each(n, (i) => `        f${i}: string\n`)}    steps[1]:\n${indent(indent(step('a', '{params.all.f0}')))}steps[${n + 1}]:\n  - id: a\n    run: return {}\n    output:\n${each(n, (i) => `      f${i}: string\n`)}${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n    with:\n      all: "{a}"\n`)}`,
  ),
  shape(
    'uses that are given a wrong wide record',
    1_000,
    (n) =>
      `${top}components:\n  Part:\n    params:\n      all:\n${each(n, (i) => `        f${i}: string\n`)}    steps[1]:\n${indent(indent(step('a', '{params.all.f0}')))}steps[${n + 1}]:\n  - id: a\n    run: return {}\n    output:\n${each(n, (i) => `      f${i}: number\n`)}${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n    with:\n      all: "{a}"\n`)}`,
  ),
  shape(
    'uses that are given one of many choices',
    1_000,
    (n) =>
      `name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  a: ${choices(n)}\ncomponents:\n  Part:\n    params:\n      a: ${choices(n)}\n    steps[1]:\n${indent(indent(step('a', '{params.a}')))}steps[${n}]:\n${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n    with:\n      a: "{input.a}"\n`)}`,
  ),
  shape(
    'a use that is given a type in a ring',
    5_000,
    (n) =>
      `${top}schemas:\n${each(n, (i) => `  A${i}:\n    next: A${(i + 1) % n}?\n  B${i}:\n    next: B${(i + 1) % n}?\n`)}components:\n  Part:\n    params:\n      a: A0\n    steps[1]:\n${indent(indent(step('a', '{params.a}')))}steps[2]:\n  - id: b\n    run: return {}\n    output: B0\n  - kind: component\n    id: c\n    use: Part\n    with:\n      a: "{b}"\n`,
  ),
  shape(
    'steps with the schemas of a chain',
    2_000,
    (n) =>
      `${top}schemas:\n${each(n, (i) => `  T${i}:\n    next: ${i === n - 1 ? 'string' : `T${i + 1}`}?\n`)}steps[${n}]:\n${each(n, (i) => `  - id: s${i}\n    run: return {}\n    output: T${i}\n`)}`,
  ),
  shape(
    'steps with the schemas of a ring',
    2_000,
    (n) =>
      `${top}schemas:\n${each(n, (i) => `  T${i}:\n    next: T${(i + 1) % n}?\n`)}steps[${n}]:\n${each(n, (i) => `  - id: s${i}\n    run: return {}\n    output: T${i}\n`)}`,
  ),
  shape('calls of one workflow', 5_000, (n) =>
    calling(
      './other.toon',
      steps(n, (i) => `  - kind: workflow\n    id: w${i}\n    use: other\n`),
    ),
  ),
  shape('calls of workflows that call the next', 200, (n) => chain(n, 'chain')),
  shape('calls of workflows that call the next twice', 30, (n) => chain(n, 'double')),
  shape('calls of one workflow that calls many', 1_000, (n) =>
    calling(
      './double-12.toon',
      steps(n, (i) => `  - kind: workflow\n    id: w${i}\n    use: other\n`),
    ),
  ),
  shape(
    'files whose components use those of the next',
    200,
    (n) =>
      `name: huge\nimports:\n  components[${n}]{from,use,as}:\n${each(n, (i) => `    ./parts-${n - 1 - i}.toon,Part,Part${n - 1 - i}\n`)}input:\nsteps[1]:\n  - kind: component\n    id: c\n    use: Part${n - 1}\n`,
  ),
  shape(
    'unknown names of one import',
    1_200,
    (n) =>
      `name: huge\nimports:\n  components[1]{from,use}:\n    ./parts-0.toon,"${list(n, (i) => `Pra${i}`)}"\ninput:\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  // Expressions
  hole('a record', 20_000, (n) => `({${list(n, (i) => `f${i}: ${i}`)}}).f1`),
  hole('a list of different records', 3_000, (n) => `[${list(n, (i) => `({f${i}: ${i}})`)}].length`),
  hole('a list of different literals', 20_000, (n) => `[${list(n, (i) => `'c${i}'`)}].includes('c')`),
  hole('choices of many literals', 5_000, (n) => `${each(n, (i) => `input.repo == 'x${i}' ? 'c${i}' : `)}''`),
  hole(
    'choices of many records',
    1_000,
    (n) => `(${each(n, (i) => `input.repo == 'x${i}' ? ({f${i}: 1}) : `)}({})).f0`,
  ),
  hole('conditions in brackets', 1_000, (n) => `${'(input.repo ? '.repeat(n)}1${' : 2)'.repeat(n)}`),
  hole('a chain of "and"', 20_000, (n) => `input.repo${' && input.repo'.repeat(n)}`),
  hole('a chain of "or"', 20_000, (n) => `input.repo${each(n, (i) => ` || input.repo == 'c${i}'`)}`),
  hole('a chain of "??"', 20_000, (n) => `input.repo${' ?? input.repo'.repeat(n)}`),
  hole('a chain of calls', 5_000, (n) => `input.repo${'.trim()'.repeat(n)}`),
  hole('a chain of optional members', 20_000, (n) => `input${'?.repo'.repeat(n)}`),
  hole('signs', 20_000, (n) => `${'!'.repeat(n)}input.repo`),
  hole('functions in functions', 2_000, (n) => `${each(n, (i) => `[1].map((x${i}) => `)}1${')'.repeat(n)}`),
  hole('functions one behind the other', 5_000, (n) => `[${list(n, () => '[1].map((x) => x + 1)')}].length`),
  hole('template literals', 20_000, (n) => `[${list(n, (i) => `\`a\${input.repo}${i}\``)}].length`),
  hole('template literals in template literals', 2_000, (n) => `${'`a${'.repeat(n)}1${'}`'.repeat(n)}`),
  hole('a long template literal', 20_000, (n) => `\`${'a${input.repo}'.repeat(n)}\``),
  hole('a long string', 500_000, (n) => `'${'a'.repeat(n)}'.length`),
  hole('a long number', 100_000, (n) => '1'.repeat(n)),
  hole('a long name', 500_000, (n) => 'a'.repeat(n)),
  hole('a long regular expression', 50_000, (n) => `/${'a?'.repeat(n)}/.test(input.repo)`),
  hole('groups of a regular expression', 2_000, (n) => `/${'('.repeat(n)}a${')'.repeat(n)}/.test(input.repo)`),
  hole('named groups of a regular expression', 5_000, (n) => `/${each(n, (i) => `(?<g${i}>a)`)}/.test(input.repo)`),
  hole('choices of a regular expression', 50_000, (n) => `/${'a|'.repeat(n)}b/.test(input.repo)`),
  hole('classes of a regular expression', 20_000, (n) => `/${'[a-z]'.repeat(n)}/.test(input.repo)`),
  hole('counts of a regular expression', 50, (n) => `/${'(?:'.repeat(n)}a${'){99}'.repeat(n)}/.test(input.repo)`),
  hole('regular expressions', 10_000, (n) => `[${list(n, () => '/a+b/.test(input.repo)')}].length`),
  hole('comments', 50_000, (n) => `1${' /* a */'.repeat(n)}`),
  hole('commas', 50_000, (n) => `(1${', 1'.repeat(n)})`),
  hole('assignments', 10_000, (n) => `${'a = '.repeat(n)}1`),
  hole('members by number', 20_000, (n) => `[1]${'[0]'.repeat(n)}`),
  hole('spreads', 5_000, (n) => `[${list(n, () => '...[1, 2]')}].length`),
  condition('braces one behind the other', 20_000, (n) => `[${list(n, () => '{input.repo}')}].length`),
  condition('records', 5_000, (n) => `[${list(n, () => '({a: 1})')}].length`),
  condition('template literals', 20_000, (n) => `[${list(n, () => '`a${input.repo}`')}].length`),
  condition('functions', 5_000, (n) => `[${list(n, () => '[1].map((x) => x + 1)')}].length`),
  condition('regular expressions', 10_000, (n) => `[${list(n, () => '/a{2}b/.test(input.repo)')}].length`),
  condition('a chain of "or"', 20_000, (n) => `{input.repo}${' || {input.repo}'.repeat(n)}`),
  shape(
    'choices that are compared one by one',
    1_000,
    (n) =>
      `name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  a: ${choices(n)}\nsteps[1]:\n${step('s', `{${Array.from({ length: n }, (_, i) => `input.a == 'c${i}'`).join(' || ')}}`)}`,
  ),
  shape(
    'choices that are compared with each other',
    2_000,
    (n) =>
      `name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  a: ${choices(n)}\n  b: ${choices(n)}\nsteps[1]:\n${step('s', '{input.a == input.b}')}`,
  ),
  shape(
    'choices that are joined',
    300,
    (n) =>
      `name: huge\nagents:\n  writer:\n    type: scripted\ninput:\n  a: ${choices(n)}\nsteps[1]:\n${step('s', '{`${input.a}-${input.a}`} {input.a + input.a + input.a}')}`,
  ),
  shape('hyphens between known ids', 5_000, (n) =>
    steps(n, (i) =>
      step(`a-${i}`, i < n - 1 ? '' : `{${Array.from({ length: n }, (_, j) => `a-${j % (n - 1)}`).join('-')}}`),
    ),
  ),
  shape('long ids', 300, (n) =>
    steps(n, (i) => step(`s${i}-${'a'.repeat(n)}`, i === 0 ? '' : `{s${i - 1}-${'a'.repeat(n)}.text}`)),
  ),
  shape('one long id', 1_000_000, (n) => steps(1, () => step('a'.repeat(n), ''))),
  // Code
  shape('names of one code', 5_000, (n) =>
    code(`${each(n, (i) => `const x${i} = ${i === 0 ? '1' : `x${i - 1} + 1`}; `)}return { text: String(x0) }`),
  ),
  shape('unknown names of one code', 1_200, (n) => code(`${each(n, (i) => `unknwon${i}(); `)}return {}`)),
  shape('unknown names of code among many', 1_200, (n) =>
    steps(n, (i) => run(`step-number-${i}`, `return { text: stpe${i}.text }`)),
  ),
  shape('unknown fields of one code', 1_200, (n) =>
    code(`return { text: [${list(n, (i) => `input.reop${i}`)}].join() }`),
  ),
  shape('unknown fields that code returns', 1_200, (n) => code(`return { ${list(n, (i) => `txet${i}: 1`)} }`)),
  shape('returns of one code', 5_000, (n) =>
    code(`${"if (input.repo === 'a') return { text: 'a' }; ".repeat(n)}return {}`),
  ),
  shape('blocks in blocks of code', 2_000, (n) => code(`${'{'.repeat(n)}${'}'.repeat(n)} return {}`)),
  shape('functions in functions of code', 1_000, (n) => code(`return ${'(() => '.repeat(n)}({})${')()'.repeat(n)}`)),
  shape('names in functions in functions of code', 300, (n) =>
    code(`${each(n, (i) => `const x${i} = () => { `)}${each(n, (i) => `x${i}; `)}${'}; '.repeat(n)}return {}`),
  ),
  shape('brackets in code', 2_000, (n) => code(`return { text: ${'('.repeat(n)}1${')'.repeat(n)} }`)),
  shape('template literals in code', 10_000, (n) => code(`return { text: ${'`a${input.repo}` + '.repeat(n)}'' }`)),
  shape('template literals in template literals of code', 1_000, (n) =>
    code(`return { text: ${'`${'.repeat(n)}1${'}`'.repeat(n)} }`),
  ),
  shape('a long sum of code', 3_000, (n) => code(`return { text: String(1${' + 1'.repeat(n)}) }`)),
  shape('a long record of code', 10_000, (n) =>
    code(`const x = { ${list(n, (i) => `f${i}: ${i}`)} }; return { text: String(x) }`),
  ),
  shape('types of code', 5_000, (n) => code(`${each(n, (i) => `const x${i}: number = 1; `)}return {}`)),
  shape('code with types at many steps', 500, (n) => steps(n, (i) => run(`s${i}`, 'const x: number = 1; return {}'))),
  shape('broken code', 20_000, (n) => code(`${'a b '.repeat(n)}`)),
  shape('broken code at many steps', 1_000, (n) => steps(n, (i) => run(`s${i}`, 'const = 1'))),
  shape('code of escapes', 100_000, (n) => code(`return { text: '${'\\\\n'.repeat(n)}' }`)),
  shape('hyphens in code', 5_000, (n) =>
    steps(2, (i) => (i === 0 ? step('a-b', '') : run('s', `return { text: [${list(n, () => 'a-b.text')}].join() }`))),
  ),
  shape('steps that one code reads', 3_000, (n) =>
    steps(n + 1, (i) =>
      i < n ? step(`s${i}`, '') : run('last', `return { text: [${list(n, (j) => `s${j}.text`)}].join() }`),
    ),
  ),
  shape('comments in code', 20_000, (n) => code(`${'/* a */ '.repeat(n)}return {}`)),
  shape('groups of a regular expression in code', 10_000, (n) =>
    code(`return { text: String(/${'('.repeat(n)}a${')'.repeat(n)}/) }`),
  ),
  shape('regular expressions in code', 5_000, (n) => code(`${'/a+b/.test(input.repo); '.repeat(n)}return {}`)),
  // More lines
  shape('columns of a table', 20_000, (n) => `${top}t[1]{${list(n, (i) => `c${i}`)}}:\n  ${list(n, () => 'x')}\n`),
  shape(
    'columns and rows of a table',
    200,
    (n) => `${top}t[${n}]{${list(n, (i) => `c${i}`)}}:\n${each(n, () => `  ${list(n, () => 'x')}\n`)}`,
  ),
  shape('equal columns of a table', 20_000, (n) => `${top}t[1]{${list(n, () => 'c')}}:\n  ${list(n, () => 'x')}\n`),
  shape('rows of a table that are too short', 10_000, (n) => `${top}t[${n}]{a,b,c}:\n${'  x,y\n'.repeat(n)}`),
  shape('groups of fields in groups', 2_000, (n) => `${top}t[1]{${'a{'.repeat(n)}b${'}'.repeat(n)}}:\n  x\n`),
  shape(
    'agents in a table',
    10_000,
    (n) =>
      `name: huge\ninput:\nagents[${n}:]{type,model}:\n${each(n, (i) => `  a${i}: anthropic,m\n`)}steps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'steps in a table',
    5_000,
    (n) => `${top}steps[${n}]{id,agent,prompt}:\n${each(n, (i) => `  s${i},writer,"Do {s${i - 1}}"\n`)}`,
  ),
  shape('duplicate keys of one step', 10_000, (n) => `${top}steps[1]:\n  - id: s\n${'    prompt: a\n'.repeat(n)}`),
  shape('duplicate keys of the file', 10_000, (n) => `${top}${'name: a\n'.repeat(n)}`),
  shape('duplicate agents', 5_000, (n) => `name: huge\ninput:\nagents:\n${'  a:\n    type: scripted\n'.repeat(n)}`),
  shape('mixed line ends', 20_000, (n) => `${top}${'# a\r\n# b\n# c\r'.repeat(n)}\n`),
  shape('blanks at the end of a line', 500_000, (n) => `${top}note: a${' \t'.repeat(n)}\n`),
  shape('tabs within a line', 500_000, (n) => `${top}note: a${'\t'.repeat(n)}b\n`),
  shape('blank indents', 2_000, (n) => `${top}${each(n, (i) => `${' '.repeat(i)}\n`)}`),
  shape('ever deeper keys', 2_000, (n) => `${top}${each(n, (i) => `${' '.repeat(i)}a${i}: b\n`)}`),
  shape('escapes by number', 100_000, (n) => steps(1, () => step('s', '\\u0041'.repeat(n)))),
  shape('unknown escapes', 50_000, (n) => steps(1, () => step('s', '\\q'.repeat(n)))),
  shape('hashes in a text', 100_000, (n) => `${top}note: a${' #'.repeat(n)}\n`),
  shape(
    'texts in several lines without quotes',
    20_000,
    (n) => `${top}steps[1]:\n  - id: s\n    prompt: |\n${'      a: b\n'.repeat(n)}`,
  ),
  shape(
    'quoted texts over several lines',
    20_000,
    (n) => `${top}steps[1]:\n  - id: s\n    prompt: "a\n${'      b\n'.repeat(n)}"\n`,
  ),
  shape('items that read as records', 10_000, (n) =>
    steps(
      1,
      () =>
        `  - id: s\n    agent: writer\n    prompt[${n}]:\n${'      - a: b\n'.repeat(n)}    output:\n      text: string\n`,
    ),
  ),
  shape('colons in a line', 200_000, (n) => `${top}note: ${'a: '.repeat(n)}\n`),
  shape('brackets in a header', 100_000, (n) => `${top}note${'[1]'.repeat(n)}: a\n`),
  shape('braces in a header', 100_000, (n) => `${top}note[1]${'{'.repeat(n)}: a\n`),
  shape('inline JSON', 20_000, (n) => `${top}note: ${'[{"a": '.repeat(n)}1\n`),
  shape('letters of two units', 200_000, (n) => steps(1, () => step('s', '😀'.repeat(n)))),
  shape(
    'wrong types',
    5_000,
    (n) => `name: huge\ninput:\n${each(n, (i) => `  f${i}: string |\n`)}steps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'brackets behind a type',
    5_000,
    (n) => `name: huge\ninput:\n  f: "string${'[]'.repeat(n)}"\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape(
    'types in lists of lists',
    2_000,
    (n) => `name: huge\ninput:\n${each(n, (i) => `${' '.repeat(2 * i + 2)}f[1]:\n${' '.repeat(2 * i + 4)}-\n`)}`,
  ),
  shape(
    'equal choices of a type',
    10_000,
    (n) =>
      `name: huge\ninput:\n  a: ${Array.from({ length: n }, () => '"c"').join(' | ')}\nsteps[1]:\n${run('s', 'return {}')}`,
  ),
  shape('durations', 5_000, (n) => steps(n, (i) => `${step(`s${i}`, '')}    timeout: 5mm\n`)),
  shape('a long duration', 200_000, (n) => steps(1, () => `${step('s', '')}    timeout: ${'1'.repeat(n)}s\n`)),
];

function shape(name: string, n: number, write: (n: number) => string): HugeShape {
  return { name, n, write };
}

/** What stands in one hole of a prompt. */
function hole(name: string, n: number, write: (n: number) => string): HugeShape {
  return shape(`${name} in a hole`, n, (size) => steps(1, () => step('s', `{${quoted(write(size))}}`)));
}

/** The same for a condition, in which braces are brackets. */
function condition(name: string, n: number, write: (n: number) => string): HugeShape {
  return shape(`${name} in a condition`, n, (size) =>
    steps(1, () => `${step('s', '')}    skipIf: "${quoted(write(size))}"\n`),
  );
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}

function code(text: string): string {
  return steps(1, () => run('s', text));
}

function choices(n: number): string {
  return Array.from({ length: n }, (_, i) => `"c${i}"`).join(' | ');
}

function wideParallel(n: number): string {
  return `  - kind: parallel\n    id: p\n    children[${n}]:\n${each(n, (i) => `      - id: s${i}\n        run: return {}\n        output:\n          f${i}: string?\n`)}`;
}

function branch(id: string, inner: string): string {
  return `  - kind: branch\n    id: ${id}\n    condition: "{input.repo == 'x'}"\n    then[1]:\n${indent(indent(step(inner, '')))}    else[1]:\n${indent(indent(step(`${inner}-else`, '')))}`;
}

/** Nodes of a kind, each in the one before, the innermost around `n` steps. */
function inside(deep: number, kind: 'parallel' | 'loop' | 'branch', n: number): string {
  const last = kind === 'branch' ? '{input.repo}' : '{s0.text}';
  const key = { parallel: '', loop: `    until: "${last} == 'x'"\n`, branch: `    condition: "${last} == 'x'"\n` }[
    kind
  ];
  const list = kind === 'branch' ? 'then' : 'children';
  const inner = deep === 0 ? each(n, (i) => step(`s${i}`, '')) : `${step(`d${deep}`, '')}${inside(deep - 1, kind, n)}`;
  return `  - kind: ${kind}\n${key}    ${list}[${deep === 0 ? n : 2}]:\n${indent(indent(inner))}`;
}

/** `n` uses of a component with one step. */
function used(n: number, part: string): string {
  return `${top}components:\n  Part:\n    steps[1]:\n${indent(indent(part))}steps[${n}]:\n${each(n, (i) => `  - kind: component\n    id: c${i}\n    use: Part\n`)}`;
}

function calling(file: string, text: string): string {
  return text.replace('input:', `imports:\n  workflows[1]{from,as}:\n    ${file},other\ninput:`);
}

/** Files that call each other; all are imported, so that the text grows with them. */
function chain(n: number, kind: 'chain' | 'double'): string {
  return `name: huge\nimports:\n  workflows[${n}]{from,as}:\n${each(n, (i) => `    ./${kind}-${n - 1 - i}.toon,w${n - 1 - i}\n`)}input:\nsteps[1]:\n  - kind: workflow\n    id: w\n    use: w${n - 1}\n`;
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
