/** The words of the protocol: the marker, the end of a call, the names that no tool may have. */

/** The hammer and wrench, U+1F6E0. What makes it a marker is the `[` after it, and at most a variation selector between. */
export const EMOJI = '\u{1f6e0}';

/** Written after the emoji; when reading, U+FE0E and nothing at all are taken too. */
export const SELECTOR = '\ufe0f';

/** Opens a header, which goes to the next `]`. */
export const START = `${EMOJI}${SELECTOR}[`;

/** Ends the body of the call that is open. */
export const END = `${START}/end]`;

/** The name in the header of a result; nothing that a model writes may carry it. */
export const RESULT = 'result';

/** Give this to the model as a stop string: what comes after it would be an invented result. */
export const STOP = `${START}${RESULT}`;

/** The tool names that mean something else. */
export const reservedNames: readonly string[] = ['/end', RESULT];

/** What a tool name should look like; others are taken as they stand, and the dispatcher refuses what it does not know. */
export const toolName = /^[A-Za-z][A-Za-z0-9_-]*$/;
