/** A script together with the files that its replies name: what is missing is told before anything is asked. */
import { byPosition, type Diagnostic, diagnostic, type Source } from '../text/index.ts';
import { readScript, type ScriptRead } from './read-script.ts';
import type { TextRead } from './scripted.ts';

export interface CheckedScript extends ScriptRead {
  /** The files of `textFrom` that there are, by their paths as they are written. */
  readonly texts: ReadonlyMap<string, string>;
}

/** `read`: a file, from the folder of the script. */
export async function checkScript(
  source: Source,
  read: (path: string) => Promise<TextRead>,
  options: { readonly strictToon?: boolean } = {},
): Promise<CheckedScript> {
  const { script, diagnostics, files } = readScript(source, options);
  const answers = new Map<string, TextRead>();
  const missing: Diagnostic[] = [];
  for (const { path, span } of files) {
    const answer = answers.get(path) ?? (await read(path));
    answers.set(path, answer);
    if (answer.ok) continue;
    const help = 'Paths are relative to the folder of the script.';
    missing.push(diagnostic('TOO7009', source, span, answer.message, { help }));
  }
  const texts = new Map([...answers].flatMap(([path, answer]) => (answer.ok ? [[path, answer.text] as const] : [])));
  if (missing.length > 0) return { diagnostics: byPosition([...diagnostics, ...missing]), files, texts };
  return script === undefined ? { diagnostics, files, texts } : { script, diagnostics, files, texts };
}
