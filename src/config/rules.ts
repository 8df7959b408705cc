/** What texts and names in `config.toml` must look like. Each problem is one sentence that follows the key's name. */
import type { NameRule, TextRule } from './schema.ts';

/** What a directive can name, and what can be a file on every system. */
const capName = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/;

export function isCapName(name: string): boolean {
  return name.length <= 128 && capName.test(name);
}

/** The sets of tools that are built in, as files name them; a service of such a name is hidden by its set. */
export const builtinSets: readonly string[] = ['filesystem', 'shell', 'web', 'skill'];

export interface RuleProblem {
  readonly message: string;
  readonly help?: string;
}

export function textProblem(rule: TextRule | undefined, text: string): RuleProblem | undefined {
  if (text.trim() === '') return { message: 'is empty.' };
  if (/[\u0000-\u001f\u007f]/.test(text)) return { message: 'holds a line end or another control character.' };
  if (/[\ud800-\udfff]/u.test(text)) return { message: 'holds half of a character.' };
  return rule && rules[rule](text);
}

export function nameProblem(rule: NameRule, name: string): { message: string; help: string } | undefined {
  const [shape, words, help] = names[rule];
  return shape.test(name) ? undefined : { message: `"${name}" is not ${words}.`, help };
}

const names: Readonly<Record<NameRule, readonly [RegExp, string, string]>> = {
  cap: [
    capName,
    'a name that agents can use',
    'Write letters, digits, "_", "-" and "."; a name begins and ends with a letter, a digit or "_".',
  ],
  alias: [
    /^[A-Za-z0-9_./:@-]+$/,
    'a name for a model',
    'Write letters, digits and the characters "_", ".", "/", ":", "@" and "-".',
  ],
  header: [
    /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/,
    'the name of a header',
    'Write it as in HTTP, for example "X-Api-Version".',
  ],
};

const rules: Readonly<Record<TextRule, (text: string) => RuleProblem | undefined>> = {
  ref: noBlanks,
  word: noBlanks,
  path: () => undefined,
  env(text) {
    if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return undefined;
    const bare = text.replace(/^\$\{?|\}$/g, '');
    return {
      message: 'is not the name of an environment variable.',
      help: /^[A-Za-z_][A-Za-z0-9_]*$/.test(bare)
        ? `Write "${bare}", without "$".`
        : 'Write the name of the variable, such as "MY_API_KEY", never the key itself.',
    };
  },
  url(text) {
    const problem = noBlanks(text);
    if (problem) return problem;
    return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]/.test(text) && URL.canParse(text)
      ? undefined
      : { message: 'is not an address.' };
  },
  host: (text) => (/^[A-Za-z0-9.:_[\]-]+$/.test(text) ? undefined : { message: 'is not a host name or an address.' }),
  header: (text) =>
    /^[\u0020-\u00ff]*$/.test(text) ? undefined : { message: 'holds a character that no header can.' },
  permission: permissionProblem,
};

function noBlanks(text: string): RuleProblem | undefined {
  return /\s/.test(text) ? { message: 'has a blank in it.' } : undefined;
}

/** `shell`, `filesystem/read`, `github/*`, or one of them with a pattern: `shell(git *)`. */
function permissionProblem(text: string): RuleProblem | undefined {
  const help = 'Write the name of a tool, such as "shell", or a tool and a pattern, such as "shell(git *)".';
  const open = text.indexOf('(');
  const name = open === -1 ? text : text.slice(0, open);
  if (!/^[A-Za-z0-9_.*-]+(\/[A-Za-z0-9_.*-]+)?$/.test(name)) {
    return { message: `holds "${text}", which does not begin with the name of a tool.`, help };
  }
  if (open === -1) return undefined;
  if (!text.endsWith(')')) return { message: `holds "${text}", whose parenthesis is not closed at its end.`, help };
  if (text.slice(open + 1, -1).trim() === '') return { message: `holds "${text}", whose pattern is empty.`, help };
  return undefined;
}
