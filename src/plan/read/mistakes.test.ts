import { describe, expect, test } from 'vitest';
import { applyEdits, createSource, type Diagnostic, positionAt, severityOf } from '../../text/index.ts';
import { parseToon } from '../../toon/index.ts';
import { toldOnce } from './told-once.ts';
import { readWorkflow } from './workflow.ts';

function reports(text: string): readonly Diagnostic[] {
  const { document, diagnostics, spoiled } = parseToon(createSource('flow.toon', text), { profile: true });
  return toldOnce(diagnostics, readWorkflow(document).diagnostics, spoiled);
}

const printed = (d: Diagnostic) => {
  const { line, column } = positionAt(d.source, d.span.start);
  return `${line}:${column} ${d.code} ${d.message}`;
};

/** What the report must point at stands between `«` and `»`; `fixed` is a piece of the text after the fix. */
function mistake(name: string, code: string, marked: string, message: string, fixed?: string): void {
  test(name, () => {
    const start = marked.indexOf('«');
    const end = marked.indexOf('»') - 1;
    const text = marked.replace(/[«»]/g, '');
    const found = reports(text);
    expect(found.map(printed)).toEqual([expect.stringContaining(` ${code} ${message}`)]);
    const [only] = found;
    expect(only?.span).toEqual({ start, end });
    expect(only?.fix === undefined, 'whether there is a fix').toBe(fixed === undefined);
    if (!only?.fix || fixed === undefined) return;
    const mended = applyEdits(text, only.fix.edits).text;
    expect(mended).toContain(fixed);
    expect(reports(mended).map(printed)).toEqual([]);
  });
}

const indented = (lines: string, by: number) => lines.replaceAll('\n', `\n${' '.repeat(by)}`);
const node = (lines: string) => `steps[1]:\n  - ${indented(lines, 4)}\n`;
const step = (lines: string) => node(`id: a\n${lines}`);
const run = (lines: string) => step(`run: x\noutput: string\n${lines}`);
const type = (lines: string) => `schemas:\n  T:\n    ${indented(lines, 4)}\n`;
const child = 'children[1]:\n  - id: a\n    run: x\n    output: string';

describe('the file', () => {
  mistake(
    'a misspelt key',
    'TOO4001',
    '«nmae»: x',
    'unknown key "nmae" of a workflow file. Did you mean "name"?',
    'name: x',
  );
  mistake('a key of nothing', 'TOO4001', 'name: x\n«zzz»: 1', 'unknown key "zzz" of a workflow file');
  mistake(
    'a name that is a number',
    'TOO4005',
    'name: «42»',
    '"name" is a text, but this reads as the number 42',
    'name: "42"',
  );
  mistake('an empty name', 'TOO4004', 'name: «""»', '"name" is empty');
  mistake('a name without a value', 'TOO4004', '«name»:', '"name" is empty; it takes a text');
  mistake('a name that is a block', 'TOO4003', '«name»:\n  a: b', '"name" takes a text, not a block of keys');
  mistake('a document that is a list', 'TOO4003', '«[2]: a,b»', 'a workflow file is a block of keys, not a list');
  mistake(
    'input of a plain type',
    'TOO4021',
    'input: «string»',
    '"input" takes a block of fields or the name of a schema',
  );
  mistake(
    'agents as a list',
    'TOO4003',
    '«agents»[1]:\n  - type: codex',
    '"agents" takes agents by their names, not a list',
  );
  mistake('no agents', 'TOO4004', '«agents»:', '"agents" is empty');
  mistake('steps as a block', 'TOO4003', '«steps»:\n  a: b', '"steps" takes a list of nodes, not a block of keys');
  mistake('no steps', 'TOO4004', '«steps»[0]:', '"steps" has no nodes');
  mistake(
    'steps without a length',
    'TOO3033',
    '«steps:»\n  - id: a\n    run: x\n    output: string',
    'the array "steps"',
    'steps[1]:',
  );
});

describe('declarations', () => {
  mistake('an agent without a type', 'TOO4002', 'agents:\n  «w»:\n    model: x', 'the agent "w" needs "type"');
  mistake('an agent that is a text', 'TOO4003', 'agents:\n  w: «codex»', '"w" takes a block of fields, not a text');
  mistake('a type that is a number', 'TOO4005', 'agents:\n  w:\n    type: «42»', '"type" is a text', 'type: "42"');
  mistake(
    'a choice as a value',
    'TOO4003',
    'agents:\n  w:\n    type: api\n    model: «"a" | "b"»',
    'a choice of texts is a type',
  );
  mistake(
    'an agent with blanks in its name',
    'TOO4007',
    'agents:\n  «"my agent"»:\n    type: codex',
    '"my agent" is no name for an agent',
    'my-agent:',
  );
  mistake(
    'a schema that begins with a digit',
    'TOO4007',
    'schemas:\n  «"2nd"»:\n    a: string',
    '"2nd" is no name for a schema',
    'schema-2nd:',
  );
  mistake(
    'a schema with the name of a type',
    'TOO4008',
    'schemas:\n  «string»:\n    a: boolean',
    '"string" is a built-in type',
  );
  mistake(
    'a component without steps',
    'TOO4002',
    'components:\n  «C»:\n    params:\n      a: string',
    'a component needs "steps"',
  );
  mistake(
    'a key that a component does not have',
    'TOO4001',
    'components:\n  C:\n    «parms»:\n      a: string\n    steps[1]:\n      - id: a\n        run: x\n        output: string',
    'unknown key "parms" of a component. Did you mean "params"?',
    '    params:',
  );
});

describe('types', () => {
  mistake('str', 'TOO4020', type('a: «str»'), 'str is no type of ours', 'a: string\n');
  mistake('int?', 'TOO4020', type('a: «int»?'), 'int is no type of ours', 'a: number?');
  mistake('bool', 'TOO4020', type('a: «bool»'), 'bool is no type of ours', 'a: boolean');
  mistake('String', 'TOO4020', type('a: «String»'), 'String is no type of ours', 'a: string');
  mistake('text', 'TOO4020', type('a: «text»'), 'text is no type of ours', 'a: string');
  mistake('integer', 'TOO4020', type('a: «integer»'), 'integer is no type of ours', 'a: number');
  mistake('any', 'TOO4020', type('a: «any»'), 'any is no type of ours');
  mistake('object', 'TOO4020', type('a: «object»'), 'object is no type of ours');
  mistake('array', 'TOO4020', type('a: «array»'), 'array is no type of ours', 'a: "string[]"');
  mistake('list?', 'TOO4020', type('a: «list?»'), 'list? is no type of ours', 'a: "string[]?"');
  mistake('Array<string>', 'TOO4020', type('a: «Array<string>»'), 'Array<string> is no type of ours', 'a: "string[]"');
  mistake('list[int]', 'TOO4020', type('a: «list[int]»'), 'list[int] is no type of ours', 'a: "number[]"');
  mistake('string[] without quotes', 'TOO4020', type('a: «string[]»'), 'string[] needs quotes', 'a: "string[]"');
  mistake('string[]? without quotes', 'TOO4020', type('a: «string[]?»'), 'string[]? needs quotes', 'a: "string[]?"');
  mistake('"str[]"', 'TOO4020', type('a: "«str»[]"'), 'str is no type of ours', 'a: "string[]"');
  mistake('"string []"', 'TOO4020', type('a: «"string []"»'), '"string []" is no type of ours', 'a: "string[]"');
  mistake('string | null', 'TOO4020', type('a: «string | null»'), 'string | null is no type of ours', 'a: string?');
  mistake('bare words with bars', 'TOO4020', type('a: «ok | bad»'), 'ok | bad is no type of ours', 'a: "ok" | "bad"');
  mistake(
    'single quotes with bars',
    'TOO4020',
    type("a: «'ok' | 'bad'»"),
    "'ok' | 'bad' is no type of ours",
    'a: "ok" | "bad"',
  );
  mistake('a union of types', 'TOO4021', type('a: «string | number»'), '"string | number" is no type');
  mistake('a number', 'TOO4021', type('a: «42»'), '"a" takes a type, not the number 42', 'a: number');
  mistake('true', 'TOO4021', type('a: «true»'), '"a" takes a type, not true', 'a: boolean');
  mistake('null', 'TOO4021', type('a: «null»'), '"a" takes a type, not null');
  mistake('two words', 'TOO4021', type('a: «some thing»'), '"some thing" is no type');
  mistake('an empty text', 'TOO4004', type('a: «""»'), '"a" is empty; it takes a type');
  mistake('no type', 'TOO4022', type('«a»:'), '"a" has no type and no fields');
  mistake('an output without fields', 'TOO4022', step('run: x\n«output»:'), '"output" has no type and no fields');
  mistake(
    'optional items',
    'TOO4023',
    type('a: «"string?[]"»'),
    'the items of a list cannot be optional',
    'a: "string[]"',
  );
  mistake(
    'an optional output',
    'TOO4023',
    step('run: x\noutput: string«?»'),
    '"output" cannot be optional',
    'output: string\n',
  );
  mistake(
    'an optional choice as a schema',
    'TOO4023',
    'schemas:\n  T: "a" | "b"«?»',
    '"T" cannot be optional',
    'T: "a" | "b"',
  );
  mistake(
    'an optional list as a schema',
    'TOO4023',
    'schemas:\n  T: "string[]«?»"',
    '"T" cannot be optional',
    'T: "string[]"',
  );
  mistake(
    '? behind the name',
    'TOO4023',
    type('«"a?"»: string'),
    'an optional field has its "?" behind the type',
    '"a": string?',
  );
  mistake('a list of two types', 'TOO4024', type('a[2]:\n  - b: string\n  - «c: number»'), '"a" has 2 types');
  mistake('a list of no type', 'TOO4024', type('«a»[0]:'), 'the list "a" has no item');
  mistake(
    'a list of a plain type',
    'TOO4024',
    type('«a»[1]: number'),
    'the item of "a" is no block of fields',
    'a: "number[]"',
  );
  mistake('a type in quotes', 'TOO4026', type('a: «"string"»'), '"string" in quotes is the text itself', 'a: string');
  mistake('thousands of lists', 'TOO4025', type(`a: «"string${'[]'.repeat(3000)}"»`), 'a list nested 3000 levels deep');

  test('a type in quotes is a warning', () => expect(severityOf('TOO4026')).toBe('warning'));
  mistake(
    'a comment behind a type is reported once',
    'TOO3025',
    type('a: string «# the name»'),
    '"# the name" is taken for a comment, and left out',
    '# the name\n',
  );
  mistake('single quotes are reported once', 'TOO4020', type("a: «'x'»"), "'x' is no type of ours", 'a: "x"');
  mistake('brackets are reported once', 'TOO4020', type('a: «[string]»'), '[string] is no type', 'a: "string[]"');
  mistake('brackets around no type', 'TOO4021', type('a: «[some thing]»'), '"[some thing]" is no type');
  mistake(
    'a text in quotes that goes on',
    'TOO3023',
    type('a: "string" «& 5»'),
    '"& 5" stands after the closing quote',
  );
  mistake('an optional type in quotes', 'TOO4026', type('a: «"number"»?'), '"number" in quotes is', 'a: number?');
  mistake('a schema in quotes', 'TOO4026', `${type('a: «"S"»')}  S:\n    b: string\n`, '"S" in quotes is', 'a: S\n');
  mistake('lists in a choice', 'TOO4026', type('a: "x" | «"number[]"»'), '"number[]" in quotes is');
  mistake(
    'a plain list below a bare key is reported once',
    'TOO4024',
    type('«a»:\n  - string'),
    'the item of "a" is no block of fields',
    'a: "string[]"',
  );
  test('what is nested too deeply is not empty as well', () => {
    const lines = Array.from({ length: 70 }, (_, i) => `${'  '.repeat(i)}part:`);
    expect(reports(`input:\n  ${indented(lines.join('\n'), 2)} string`).map(({ code }) => code)).toEqual(['TOO3004']);
  });
});

describe('nodes', () => {
  mistake(
    'a misspelt key',
    'TOO4001',
    step('«agnet»: w\nprompt: x\noutput: string'),
    'unknown key "agnet" of a step. Did you mean "agent"?',
    'agent: w',
  );
  mistake(
    'a misspelt list',
    'TOO4001',
    node(`kind: sequence\n${child.replace('children', '«childern»')}`),
    'unknown key "childern" of a sequence. Did you mean "children"?',
    'children[1]:',
  );
  mistake(
    'a key of another kind',
    'TOO4001',
    run('«until»: x'),
    'unknown key "until" of a step; it belongs to kind: loop',
  );
  mistake(
    'a key of several kinds',
    'TOO4001',
    node(`kind: loop\nuntil: x\n«needs»: b\n${child}`),
    'unknown key "needs" of a loop; it belongs to steps and kind: approval or workflow',
  );
  mistake(
    'a key of other tools',
    'TOO4001',
    run('«depends_on»: b'),
    'unknown key "depends_on" of a step. Did you mean "needs"?',
    'needs: b',
  );
  mistake('a step without an id', 'TOO4002', node('«run»: x\noutput: string'), 'a step needs "id"');
  mistake('a step without an output', 'TOO4002', node('«id: a»\nrun: x'), 'a step needs "output"');
  mistake(
    'a step that does nothing',
    'TOO4002',
    node('«id: a»\noutput: string'),
    'a step needs "prompt", "run" or "handler"',
  );
  mistake(
    'a prompt without an agent',
    'TOO4002',
    step('«prompt»: x\noutput: string'),
    'a step with "prompt" needs "agent"',
  );
  mistake('an agent with code', 'TOO4006', run('«agent»: w'), '"agent" belongs to a prompt, not to "run"');
  mistake('two actions', 'TOO4006', run('«handler»: ./a.ts'), 'a step has "run" or "handler", not both');
  mistake(
    'prompt and promptFrom',
    'TOO4006',
    step('agent: w\npromptFrom: ./a.md\n«prompt»: x\noutput: string'),
    'a step has "promptFrom" or "prompt", not both',
  );
  mistake(
    'maxAttempts twice',
    'TOO4006',
    run('retry:\n  maxAttempts: 2\n«maxAttempts»: 3'),
    'attempts are counted in "retry" or beside it',
  );
  mistake(
    'a kind that was forgotten',
    'TOO4002',
    node(`«until»: x\n${child}`),
    'a loop needs "kind: loop"',
    '- kind: loop\n    until: x',
  );
  mistake(
    'a kind that was forgotten, by its id',
    'TOO4002',
    node('«id: ok»\nrequest:\n  title: x'),
    'an approval needs "kind: approval"',
    '- kind: approval\n    id: ok',
  );
  mistake(
    'a misspelt kind',
    'TOO4009',
    node(`kind: «paralel»\n${child}`),
    'unknown kind "paralel". Did you mean "parallel"?',
    'kind: parallel',
  );
  mistake(
    'type for kind',
    'TOO4001',
    node(`«type»: parallel\n${child}`),
    'unknown key "type" of a parallel. Did you mean "kind"?',
    'kind: parallel',
  );
  mistake('a kind that is a number', 'TOO4005', node(`kind: «3»`), '"kind" is a text', 'kind: "3"');
  mistake('a loop without until', 'TOO4002', node(`«kind: loop»\n${child}`), 'a loop needs "until"');
  mistake('a loop without children', 'TOO4002', node('«kind: loop»\nuntil: x'), 'a loop needs "children"');
  mistake(
    'a branch without a condition',
    'TOO4002',
    node(`«kind: branch»\n${child.replace('children', 'then')}`),
    'a branch needs "condition"',
  );
  mistake('a branch without then', 'TOO4002', node('«kind: branch»\ncondition: x'), 'a branch needs "then"');
  mistake('a worktree without a path', 'TOO4002', node(`«kind: worktree»\n${child}`), 'a worktree needs "path"');
  mistake('a workflow without use', 'TOO4002', node('kind: workflow\n«id: n»'), 'a workflow call needs "use"');
  mistake('a component without an id', 'TOO4002', node('«kind: component»\nuse: B'), 'a component use needs "id"');
  mistake('an approval without a request', 'TOO4002', node('kind: approval\n«id: ok»'), 'an approval needs "request"');
  mistake(
    'a request without a title',
    'TOO4002',
    node('kind: approval\nid: ok\nrequest:\n  «summary»: x'),
    '"request" needs "title"',
  );
  mistake(
    'a request that is a text',
    'TOO4003',
    node('kind: approval\nid: ok\nrequest: «"Go: now?"»'),
    '"request" takes a block',
    'request:\n      title: "Go: now?"',
  );
  mistake('a node that is a text', 'TOO4003', 'steps[1]:\n  - «review»', 'a node is a block of keys, not a text');
  mistake('an empty arm', 'TOO4004', node('kind: branch\ncondition: x\n«then»[0]:'), '"then" has no nodes');
  mistake(
    'with as a number',
    'TOO4003',
    node('kind: component\nid: b\nuse: B\nwith: «3»'),
    '"with" takes a block of fields',
  );
});

describe('values', () => {
  mistake(
    'an id with blanks',
    'TOO4007',
    node('id: «my step»\nrun: x\noutput: string'),
    '"my step" is no id',
    'id: my-step',
  );
  mistake('an id that is a number', 'TOO4007', node('id: «1»\nrun: x\noutput: string'), '"1" is no id', 'id: step-1');
  mistake(
    '{id} outside a component',
    'TOO4007',
    node('id: «"{id}-x"»\nrun: x\noutput: string'),
    '{id} is the id of a component',
  );
  mistake(
    '{ id } with blanks',
    'TOO4007',
    `components:\n  C:\n    steps[1]:\n      - id: «"{ id }-x"»\n        run: x\n        output: string`,
    '"{ id }-x" is no id; the caller',
    '"{id}-x"',
  );
  for (const id of [
    'input',
    'params',
    'loop',
    'id',
    'steps',
    'services',
    'attempt',
    'runId',
    'key',
    'cwd',
    'signal',
    'sh',
  ]) {
    mistake(`the id ${id}`, 'TOO4008', node(`id: «${id}»\nrun: x\noutput: string`), `"${id}" is a word of the context`);
  }
  mistake('the id of a global', 'TOO4008', node('id: «Math»\nrun: x\noutput: string'), '"Math" is a global');
  mistake(
    'the id of a reserved word',
    'TOO4008',
    node('id: «delete»\nrun: x\noutput: string'),
    '"delete" is a reserved word',
  );
  mistake(
    'the id of a member',
    'TOO4008',
    node('id: «constructor»\nrun: x\noutput: string'),
    '"constructor" is a member of every object',
  );
  mistake(
    'needs with a comma',
    'TOO4003',
    run('needs: «b, c»'),
    '"needs" takes one id or a list of ids',
    'needs[2]: b,c',
  );
  mistake(
    'needs in brackets is reported once',
    'TOO4003',
    run('needs: «[b, c]»'),
    '"needs" takes one id or a list of ids',
    'needs[2]: b,c',
  );
  mistake(
    'a line of code that reads as a key is reported once',
    'TOO4005',
    step('run[2]:\n  - const y = 1\n  - «return { t: y }»\noutput: string'),
    'a line of "run" is a text',
    '- "return { t: y }"',
  );
  mistake('needs of a number', 'TOO4007', run('needs: «42»'), '"42" is no id', 'needs: step-42');
  mistake('needs of a wrong id', 'TOO4007', run('needs[2]: b,«c d»'), '"c d" is no id', 'needs[2]: b,c-d');
  mistake(
    'a handler without its export',
    'TOO4007',
    step('handler: «./a.ts#»\noutput: string'),
    '"./a.ts#" is no handler',
  );
  mistake(
    'a prompt that is a number',
    'TOO4005',
    step('agent: w\nprompt: «42»\noutput: string'),
    '"prompt" is a text',
    'prompt: "42"',
  );
  mistake(
    'a prompt that is a boolean',
    'TOO4005',
    step('agent: w\nprompt: «true»\noutput: string'),
    '"prompt" is a text',
    'prompt: "true"',
  );
  mistake('an empty prompt', 'TOO4004', step('agent: w\nprompt: «" "»\noutput: string'), '"prompt" is empty');
  mistake(
    'a line that reads as a block',
    'TOO4005',
    step('agent: w\nprompt[2]:\n  - Hi\n  - «Note: be "short"»\noutput: string'),
    'a line of "prompt" is a text, but this reads as a block of keys',
    '- "Note: be \\"short\\""',
  );
  mistake(
    'a line that reads as a number',
    'TOO4005',
    step('agent: w\nprompt[2]:\n  - Hi\n  - «42»\noutput: string'),
    'a line of "prompt" is a text',
    '- "42"',
  );
  mistake(
    'a line without a text',
    'TOO4005',
    step('agent: w\nprompt[2]:\n  - Hi\n  «-»\noutput: string'),
    'a line of "prompt" is a text, but this reads as nothing',
    '- ""',
  );
  mistake(
    'lines as a table',
    'TOO4003',
    step('agent: w\nprompt«[1]{a}»:\n  x\noutput: string'),
    '"prompt" takes texts, not a table',
  );
  mistake(
    'no attempts',
    'TOO4010',
    run('maxAttempts: «0»'),
    '"maxAttempts" takes a whole number from 1 on, not 0',
    'maxAttempts: 1',
  );
  mistake(
    'half an attempt',
    'TOO4010',
    run('maxAttempts: «2.5»'),
    '"maxAttempts" takes a whole number',
    'maxAttempts: 3',
  );
  mistake(
    'a number in quotes',
    'TOO4003',
    run('maxAttempts: «"3"»'),
    '"maxAttempts" takes a whole number from 1 on, not a text',
    'maxAttempts: 3',
  );
  mistake('retry as a number', 'TOO4003', run('retry: «3»'), '"retry" takes a block', 'maxAttempts: 3');
  mistake(
    'a misspelt backoff',
    'TOO4009',
    run('retry:\n  backoff: «exponental»'),
    '"backoff" takes fixed, linear or exponential',
    'backoff: exponential',
  );
  mistake(
    'another backoff',
    'TOO4009',
    run('retry:\n  backoff: «jitter»'),
    '"backoff" takes fixed, linear or exponential, not "jitter"',
  );
  mistake(
    'a misspelt onDeny',
    'TOO4009',
    node('kind: approval\nid: a\nrequest:\n  title: x\nonDeny: «contineu»'),
    '"onDeny" takes',
    'onDeny: continue',
  );
  mistake(
    'a misspelt onMaxReached',
    'TOO4009',
    node(`kind: loop\nuntil: x\nonMaxReached: «returnLast»\n${child}`),
    '"onMaxReached" takes',
    'return-last',
  );
  mistake(
    'maxIterations of nothing',
    'TOO4010',
    node(`kind: loop\nuntil: x\nmaxIterations: «-1»\n${child}`),
    '"maxIterations" takes',
    'maxIterations: 1',
  );
  mistake(
    'keep: yes',
    'TOO4003',
    node(`kind: worktree\npath: x\nkeep: «yes»\n${child}`),
    '"keep" takes true or false',
    'keep: true',
  );
  mistake('cache: true', 'TOO4003', run('cache: «true»'), '"cache" takes a block with by and version');
  mistake('a cache without by', 'TOO4002', run('cache:\n  «version»: 1'), '"cache" needs "by"');
  mistake('a cache by numbers', 'TOO4005', run('cache:\n  by[2]: x,«3»'), 'an item of "by" is a text', 'by[2]: x,"3"');
});

describe('durations', () => {
  const cases = {
    '5 min': '5m',
    '5min': '5m',
    '1d': '24h',
    '90sec': '90s',
    '5 minutes': '5m',
    '1.5s': '1500ms',
    '0.5h': '30m',
    '1h30m': '90m',
    '5M': '5m',
    '007s': '7s',
    '100 millis': '100ms',
  };
  for (const [written, right] of Object.entries(cases)) {
    mistake(
      written,
      'TOO4011',
      run(`timeout: «${written}»`),
      '"timeout" takes a duration like 30s or 5m',
      `timeout: ${right}\n`,
    );
  }
  mistake(
    'seconds without a unit',
    'TOO4011',
    run('timeout: «30»'),
    '"timeout" takes a duration like 30s or 5m; 30 has no unit',
    'timeout: 30s',
  );
  mistake(
    'milliseconds without a unit',
    'TOO4011',
    run('timeout: «30000»'),
    '"timeout" takes a duration',
    'timeout: 30s',
  );
  mistake('zero', 'TOO4011', run('timeout: «0s»'), '"timeout" takes a duration like 30s or 5m; 0s is no time at all');
  mistake('negative', 'TOO4011', run('timeout: «-5s»'), '"timeout" takes a duration like 30s or 5m; -5s is not one');
  mistake('longer than can be counted', 'TOO4011', run('timeout: «999999999999999h»'), '"timeout" takes');
  mistake(
    'another word',
    'TOO4011',
    run('timeout: «soon»'),
    '"timeout" takes a duration like 30s or 5m; soon is not one',
  );
  mistake('a block', 'TOO4003', run('«timeout»:\n  a: b'), '"timeout" takes a duration like 30s or 5m, not a block');
  mistake('a comment behind it is reported once', 'TOO3025', run('timeout: 5m «# long»'), '', 'timeout: 5m\n');
});

describe('imports', () => {
  const imports = (lines: string) => `imports:\n  ${indented(lines, 2)}`;
  mistake(
    'a misspelt category',
    'TOO4001',
    imports('«schema»[1]{from,use}:\n  ./a.ts,A'),
    'unknown key "schema" of "imports". Did you mean "schemas"?',
    'schemas[1]',
  );
  mistake(
    'a misspelt column of many rows',
    'TOO4001',
    imports('schemas[2]{«form»,use}:\n  ./a.ts,A\n  ./b.ts,B'),
    'unknown key "form" of an import. Did you mean "from"?',
    '{from,use}',
  );
  mistake('no from', 'TOO4002', imports('schemas[2]{«use»}:\n  A\n  B'), 'an import needs "from"');
  mistake('neither use nor as', 'TOO4002', imports('schemas[1]{«from»}:\n  ./a.ts'), 'an import needs "use" or "as"');
  mistake(
    'one name for several',
    'TOO4006',
    imports('schemas[1]{from,use,as}:\n  ./a.ts,"A, B",«C»'),
    '"C" cannot be the name of 2 imports',
  );
  mistake(
    'a name that is missing',
    'TOO4004',
    imports('schemas[1]{from,use}:\n  ./a.ts,"A,«»,B"'),
    'a name is missing here',
  );
  mistake(
    'a malformed name',
    'TOO4007',
    imports('schemas[1]{from,use}:\n  ./a.ts,"A, «B C»"'),
    '"B C" is no name of an export',
    '"A, B, C"',
  );
  mistake('an empty from', 'TOO4004', imports('schemas[1]{from,use}:\n  «""»,A'), '"from" is empty');
  mistake(
    'a block without its list',
    'TOO4003',
    imports('«schemas»:\n  from: ./a.ts\n  use: A'),
    '"schemas" takes a list of imports, not a block of keys',
  );
  mistake('a text', 'TOO4003', imports('schemas[1]: «./a.ts»'), 'an import says "from" and "use"; this is a text');
  mistake('a category without imports', 'TOO4004', imports('«schemas»[0]:'), '"schemas" has no imports');
  mistake(
    'a plugin without from',
    'TOO4002',
    imports('plugins[1]:\n  - «config»:\n      a: b'),
    'a plugin needs "from"',
  );
  mistake('no imports', 'TOO4004', '«imports»:', '"imports" is empty');
});

test('fifteen mistakes in one file give fifteen reports, in the order of the file', () => {
  const text = `nmae: x
input:
  a: str
  b: string[]
agents:
  w:
    model: x
schemas:
  T:
    a: 42
imports:
  schemas[1]{form,use}:
    ./a.ts,A
steps[4]:
  - id: input
    prompt: 42
    agent: w
    output: string?
    timeout: 30
  - id: b
    run: x
    handler: ./a.ts
    output: T
    needs: a, c
  - kind: paralel
    children[1]:
      - id: c
        run: x
        outptu: T
  - kind: approval
    id: ok
    request: Go?
`;
  expect(reports(text).map((d) => printed(d).split(' ', 2).join(' '))).toEqual([
    '1:1 TOO4001',
    '3:6 TOO4020',
    '4:6 TOO4020',
    '6:3 TOO4002',
    '10:8 TOO4021',
    '12:14 TOO4001',
    '15:9 TOO4008',
    '16:13 TOO4005',
    '18:19 TOO4023',
    '19:14 TOO4011',
    '22:5 TOO4006',
    '24:12 TOO4003',
    '25:11 TOO4009',
    '29:9 TOO4001',
    '32:14 TOO4003',
  ]);
});
