/** Generates workflow files as people write them: right by syntax and by meaning, of any length. The seed decides all. */
import { createRandom, type Random } from './random.ts';

const subjects = ['review', 'summary', 'ticket', 'release', 'invoice', 'lesson', 'recipe', 'report'] as const;
const sentences = [
  'Read the files first, and say which of them matter.',
  'Be brief; prefer a list over a paragraph.',
  'Costs are in EUR, with two digits: 12.50.',
  'Ein Satz mit Umlauten: schön, größer, 日本語 🙂.',
  'If nothing is wrong, say so in one line.',
] as const;

/** At least `lines` lines, and nothing to report; plain TOON. Without modules and without code: those are for the users' own tools. */
export function realisticWorkflow(seed: number, lines: number): string {
  const random = createRandom(seed);
  const nodes: string[] = [];
  let length = 0;
  for (let part = 0; length < lines; part++) {
    const node = writePart(random, part);
    nodes.push(node);
    length += node.split('\n').length - 1;
  }
  return `${head}steps[${nodes.length * nodesOfPart}]:\n${nodes.join('')}`;
}

const nodesOfPart = 5;

const head = `# The work of one team, step by step.
name: realistic
agents:
  writer:
    type: anthropic
    model: claude-sonnet-4-5
    instructions: You write short texts.
  checker:
    type: codex
input:
  repo: string
  since: string?
  labels: "string[]"
schemas:
  Review:
    approved: boolean
    feedback: string
    level: "\\"ok\\" | \\"bad\\""
components:
  Brief:
    params:
      text: string
      limit: number?
    steps[1]:
      - id: "{id}-short"
        agent: writer
        prompt: "Shorten to {params.limit ?? 100} words: {params.text}"
        output:
          text: string
`;

/** A draft, what is found out about it side by side, a loop that mends it, and what is done with it. */
function writePart(random: Random, part: number): string {
  const name = `${random.pick(subjects)}-${part}`;
  const text = () => random.pick(sentences);
  const before = part === 0 ? 'input.repo' : `done${part - 1}.text`;
  return `  - id: ${name}
    agent: writer
    prompt: "${text()} It is about {input.repo}, since {input.since ?? 'the beginning'}.\\n${text()}\\n{${before}.trim()}"
    output:
      text: string
      points: "string[]"
      score: number
    timeout: ${1 + random.below(9)}m
  # Two looks at it, at the same time.
  - kind: parallel
    maxConcurrency: 2
    children[2]:
      - id: facts${part}
        agent: checker
        prompt: "${text()}\\n{${name}.points.map((point) => '- ' + point).join('\\\\n')}"
        output:
          findings[1]:
            - path: string
              line: number?
          text: string
        retry:
          maxAttempts: 3
          backoff: exponential
          initialDelay: 2s
      - id: tone${part}
        agent: writer
        prompt[3]:
          - "${text()}"
          - "The text: {${name}.text}"
          - "Its score: {${name}.score.toFixed(1)} of {input.labels.length}"
        output: Review
        skipIf: "{${name}.score > 9}"
  - kind: loop
    id: polish${part}
    until: "{check${part}.approved} && {check${part}.level} == 'ok'"
    maxIterations: 3
    children[2]:
      - id: revise${part}
        agent: writer
        prompt: "Round {loop.iteration}: {revise${part}.text ?? ${name}.text}\\nRemarks: {check${part}.feedback}\\n{tone${part}.feedback}"
        output:
          text: string
      - id: check${part}
        agent: checker
        prompt: "${text()} {revise${part}.text}"
        output: Review
  - kind: branch
    condition: "{facts${part}.findings.length > 0}"
    then[1]:
      - kind: component
        id: brief${part}
        use: Brief
        with:
          text: "{revise${part}.text}"
          limit: ${50 + random.below(100)}
    else[1]:
      - kind: approval
        id: publish${part}
        request:
          title: "Publish the ${name} of {input.repo}?"
          summary: "{revise${part}.text}"
  - id: done${part}
    agent: writer
    prompt: "${text()} {revise${part}.text}, {brief${part}.text ?? ''} {publish${part}.note ?? ''}"
    output:
      text: string
    needs: ${name}
`;
}
