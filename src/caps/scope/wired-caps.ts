/** The caps that a `config.toml` wires by reference; their names are its keys. */
import { type ConfigLayer, isCapName, keyText, tomlString } from '../../config/index.ts';
import { byPosition, type Diagnostic, positionAt } from '../../text/index.ts';
import { capKinds } from '../../too/index.ts';
import { checkUseRef } from '../ref.ts';
import type { RemoteCap } from './authored.ts';
import type { NamedCap } from './cap-folder.ts';
import { caseDiagnostics, type PlacedName, refDiagnostic } from './ref-problem.ts';

export interface WiredCaps {
  readonly caps: readonly RemoteCap[];
  /** Those whose references are wrong. */
  readonly broken: readonly NamedCap[];
  /** Of references and of names side by side; what else is wrong with the file is told by who loads it. */
  readonly diagnostics: readonly Diagnostic[];
}

/** `file` is the absolute path of the config. */
export function wiredCaps(layer: ConfigLayer, scope: 'home' | 'root', file: string): WiredCaps {
  const { source, config, places } = layer;
  const caps: RemoteCap[] = [];
  const broken: NamedCap[] = [];
  const names: PlacedName[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const kind of capKinds) {
    for (const [name, { ref }] of Object.entries(config[`${kind}s`] ?? {})) {
      const key = places.get(keyText([`${kind}s`, name]))?.key;
      const value = places.get(keyText([`${kind}s`, name, 'ref']))?.value;
      if (!key || !value) throw new Error(`${source.name} has no place for ${kind} "${name}"`);
      // A name that is none has its own report.
      if (!isCapName(name)) continue;
      names.push({ kind, name, span: key });
      const result = checkUseRef(kind, ref, 'config');
      // The key gives the name, so that the reference need not give a usable one.
      if (result.ok || result.problem.code === 'TOO5309') {
        caps.push({ kind, name, scope, form: 'wired', ref, file, ...positionAt(source, key.start) });
      } else {
        broken.push({ kind, name });
        diagnostics.push(refDiagnostic(source, value, result.problem, tomlString));
      }
    }
  }
  const known = new Set(names.map(({ kind, name }) => `${kind} ${name}`));
  broken.push(...keysOf(layer).filter(({ kind, name }) => !known.has(`${kind} ${name}`) && isCapName(name)));
  return { caps, broken, diagnostics: byPosition([...diagnostics, ...caseDiagnostics(source, names)]) };
}

/** The names of all entries, those included that the schema has refused. */
function keysOf({ places }: ConfigLayer): NamedCap[] {
  return [...places.keys()].flatMap((key) => {
    const [, folder, part = ''] = /^(\w+)s\.([\w-]+|"(?:[^"\\]|\\.)*")$/.exec(key) ?? [];
    const kind = capKinds.find((each) => each === folder);
    return kind === undefined ? [] : [{ kind, name: part.startsWith('"') ? String(JSON.parse(part)) : part }];
  });
}
