/** Modules to trees. The types of acorn stay here: users of the package do not have them. */
import { type Program, parse } from 'acorn';
import { type Fault, faultOf } from './parse.ts';
import { stripModule } from './strip-types.ts';
import { syntaxProblem } from './syntax-problem.ts';

/** The tree of a module; types are blanked where there are any. */
export async function parseModule(
  moduleText: string,
): Promise<{ readonly ok: true; readonly program: Program } | { readonly ok: false; readonly message: string }> {
  const text = moduleText.replace(/^\ufeff/, '');
  const plain = parseJavaScript(text);
  if (plain.ok) return plain;
  const stripped = stripModule(text);
  const again = stripped.ok ? parseJavaScript(stripped.text) : undefined;
  if (again?.ok) return again;
  const fault = again?.fault ?? (stripped.ok ? plain.fault : stripped.fault);
  return { ok: false, message: placed(text, fault) };
}

/** `line 3, column 5: unexpected "="` */
function placed(text: string, fault: Fault): string {
  const { start, message } = syntaxProblem(text, fault);
  const before = text.slice(0, start).split(/\r\n?|\n/);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${message}`;
}

function parseJavaScript(text: string) {
  try {
    const program = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
    return { ok: true, program } as const;
  } catch (error) {
    return { ok: false, fault: faultOf(error, text.length, 0) } as const;
  }
}
