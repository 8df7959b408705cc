/** Which of the wider scopes a command has switched on. */
import { defaultVisibility, type Visibility } from '../../caps/index.ts';
import type { Args } from '../command.ts';

/** `--shared` and `--global` over what the kind of agent says; where no agent is named, all is shown. */
export function visibilityOf({ switches }: Args, kind: 'resident' | 'roaming' | 'visiting' | undefined): Visibility {
  const usual = kind === undefined ? { shared: true, global: true } : defaultVisibility(kind);
  return { shared: switches.shared ?? usual.shared, global: switches.global ?? usual.global };
}
