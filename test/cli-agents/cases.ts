/** What is asked of the real CLI agents when their output is recorded: command lines, and what the model says to them. */
import type { FakeAnswer } from '../fake-models/answer.ts';
import type { ToolName } from './install.mjs';

export interface Case {
  readonly args: readonly string[];
  /** On standard input. */
  readonly prompt: string;
  readonly answers: readonly FakeAnswer[];
  /** Run before it, in the same folder and with the same home; its answers come first. */
  readonly before?: Case;
  /** The key that it has is not the one that the service takes. */
  readonly wrongKey?: true;
  /** All of it is killed when the model has begun to answer, and it has nothing more to say. */
  readonly killed?: true;
  /** Written to the folder that it runs in. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** In `args` and `answers`: the folder that it runs in, and the session of the run before. */
export const here = 'WORK';
export const session = 'SESSION';

const said = 'Tea is ready.';
const slow: FakeAnswer = { text: said, chunk: 4, breaks: { after: 4, by: 'stall' } };
const schema = {
  type: 'object',
  properties: { drink: { type: 'string' }, cups: { type: 'integer' } },
  required: ['drink', 'cups'],
  additionalProperties: false,
};
const json = '{"drink":"tea","cups":2}';
const prompt = 'Make tea.';

const claudeBare = ['claude', '--print', '--output-format', 'stream-json', '--verbose'];
const claude = [...claudeBare, '--model', 'claude-sonnet-4-5'];
const codexBare = ['codex', 'exec', '--json', '--skip-git-repo-check'];
const codex = [...codexBare, '--model', 'gpt-5.5'];
const codexResume = ['codex', 'exec', 'resume', '--json', '--skip-git-repo-check', '--model', 'gpt-5.5'];
const geminiBare = ['gemini', '--output-format', 'stream-json', '--skip-trust'];
const gemini = [...geminiBare, '--model', 'gemini-2.5-flash'];

const write = { tool: 'Write', args: { file_path: `${here}/note.txt`, content: 'tea\n' } };
const bash = { tool: 'Bash', args: { command: 'cat note.txt', description: 'Reads the note' } };
const ask = {
  tool: 'Agent',
  args: {
    description: 'Look',
    prompt: 'Look what is here.',
    subagent_type: 'general-purpose',
    run_in_background: false,
  },
};
const list = { tool: 'Bash', args: { command: 'ls -a', description: 'Lists' } };
const exec = { tool: 'exec_command', args: { cmd: 'echo tea > note.txt; cat note.txt' } };
const writeFile = { tool: 'write_file', args: { file_path: 'note.txt', content: 'tea\n' } };
const shell = { tool: 'run_shell_command', args: { command: 'cat note.txt' } };

export const cases: Readonly<Record<ToolName, Readonly<Record<string, Case>>>> = {
  'claude-code': {
    text: { args: claude, prompt, answers: [{ text: said }] },
    partial: {
      args: [...claude, '--include-partial-messages'],
      prompt,
      answers: [{ reasoning: 'They want tea.', text: said, chunk: 7 }],
    },
    tools: {
      args: [...claude, '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(cat *)'],
      prompt,
      answers: [
        { reasoning: 'A note first.', text: 'I write it down.', calls: [write] },
        { reasoning: 'Now I read it.', calls: [bash], usage: { input: 300, output: 30, cacheRead: 120 } },
        { text: said },
      ],
    },
    // An agent of its own that it asks, which reads a file; the first and the last answer are for itself.
    helper: {
      args: [...claude, '--include-partial-messages', '--allowedTools', 'Bash(ls *)'],
      prompt,
      answers: [
        { reasoning: 'I ask a helper.', calls: [ask] },
        { reasoning: 'I look.', text: 'Let me look.', calls: [list] },
        { text: 'There is nothing.' },
        { text: said },
      ],
    },
    denied: {
      args: claude,
      prompt,
      answers: [{ reasoning: 'A note first.', calls: [write] }, { text: 'I may not write.' }],
    },
    structured: {
      args: [...claude, '--json-schema', JSON.stringify(schema)],
      prompt,
      answers: [
        { reasoning: 'I answer.', calls: [{ tool: 'StructuredOutput', args: JSON.parse(json) }] },
        { text: said },
      ],
    },
    resumed: {
      args: [...claude, '--resume', session],
      prompt: 'And now?',
      answers: [{ text: 'Tea is cold.' }],
      before: { args: claude, prompt, answers: [{ text: said }] },
    },
    'no-session': {
      args: [...claude, '--resume', '00000000-0000-4000-8000-00000000dead'],
      prompt,
      answers: [],
    },
    // By itself it tries ten times, over minutes.
    auth: { args: claude, prompt, answers: [], wrongKey: true, env: { CLAUDE_CODE_MAX_RETRIES: '2' } },
    model: { args: [...claudeBare, '--model', 'claude-nobody-9'], prompt, answers: [] },
    rate: { args: claude, prompt, answers: [{ fails: 'rate', retryAfter: 0 }, { text: said }] },
    killed: { args: [...claude, '--include-partial-messages'], prompt, answers: [slow], killed: true },
    continued: {
      args: [...claude, '--resume', session],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: {
        args: [...claude, '--permission-mode', 'acceptEdits'],
        prompt,
        answers: [{ reasoning: 'A note first.', calls: [write] }, slow],
        killed: true,
      },
    },
    'continued-early': {
      args: [...claude, '--resume', session],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: { args: claude, prompt, answers: [slow], killed: true },
    },
  },
  codex: {
    text: { args: [...codex, '-'], prompt, answers: [{ reasoning: 'They want tea.', text: said }] },
    tools: {
      args: [...codex, '--sandbox', 'workspace-write', '-'],
      prompt,
      answers: [
        { text: 'I write it down.', calls: [exec] },
        { text: said, usage: { input: 300, output: 30, cacheRead: 120, reasoning: 10 } },
      ],
    },
    denied: {
      args: [...codex, '-'],
      prompt,
      answers: [{ calls: [exec] }, { text: 'I may not write.' }],
    },
    structured: {
      args: [...codex, '--output-schema', 'schema.json', '-'],
      prompt,
      answers: [{ text: json }],
      files: { 'schema.json': JSON.stringify(schema) },
    },
    resumed: {
      args: [...codexResume, session, '-'],
      prompt: 'And now?',
      answers: [{ text: 'Tea is cold.' }],
      before: { args: [...codex, '-'], prompt, answers: [{ text: said }] },
    },
    'no-session': {
      args: ['codex', 'exec', 'resume', '--json', '--skip-git-repo-check', '00000000-0000-4000-8000-00000000dead', '-'],
      prompt,
      answers: [],
    },
    auth: { args: [...codex, '-'], prompt, answers: [], wrongKey: true },
    model: { args: [...codexBare, '--model', 'gpt-nobody', '-'], prompt, answers: [] },
    rate: { args: [...codex, '-'], prompt, answers: [{ fails: 'rate', retryAfter: 0 }, { text: said }] },
    killed: { args: [...codex, '-'], prompt, answers: [slow], killed: true },
    continued: {
      args: [...codexResume, session, '-'],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: {
        args: [...codex, '--sandbox', 'workspace-write', '-'],
        prompt,
        answers: [{ text: 'I write it down.', calls: [exec] }, slow],
        killed: true,
      },
    },
    'continued-early': {
      args: [...codexResume, session, '-'],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: { args: [...codex, '-'], prompt, answers: [slow], killed: true },
    },
  },
  gemini: {
    text: { args: gemini, prompt, answers: [{ text: said, chunk: 7 }] },
    tools: {
      args: [...gemini, '--approval-mode', 'yolo'],
      prompt,
      answers: [
        { text: 'I write it down.', calls: [writeFile] },
        { calls: [shell], usage: { input: 300, output: 30, cacheRead: 120, reasoning: 10 } },
        { text: said },
      ],
    },
    denied: { args: gemini, prompt, answers: [{ calls: [writeFile] }, { text: 'I may not write.' }] },
    resumed: {
      args: [...gemini, '--resume', session],
      prompt: 'And now?',
      answers: [{ text: 'Tea is cold.' }],
      before: { args: gemini, prompt, answers: [{ text: said }] },
    },
    'no-session': {
      args: [...gemini, '--resume', '00000000-0000-4000-8000-00000000dead'],
      prompt,
      answers: [],
    },
    untrusted: {
      args: gemini.filter((arg) => arg !== '--skip-trust'),
      prompt,
      answers: [],
    },
    auth: { args: gemini, prompt, answers: [], wrongKey: true },
    model: { args: [...geminiBare, '--model', 'gemini-nobody'], prompt, answers: [] },
    rate: { args: gemini, prompt, answers: [{ fails: 'rate', retryAfter: 0 }, { text: said }] },
    killed: { args: gemini, prompt, answers: [slow], killed: true },
    continued: {
      args: [...gemini, '--resume', session],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: {
        args: [...gemini, '--approval-mode', 'yolo'],
        prompt,
        answers: [{ text: 'I write it down.', calls: [writeFile] }, slow],
        killed: true,
      },
    },
    'continued-early': {
      args: [...gemini, '--resume', session],
      prompt: 'Go on.',
      answers: [{ text: said }],
      before: { args: gemini, prompt, answers: [slow], killed: true },
    },
  },
};
