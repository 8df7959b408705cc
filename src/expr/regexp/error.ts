/** What a regular expression throws: it is not well-formed, or it needs more memory than it may have. */

export class RegExpSyntaxError extends Error {
  override readonly name = 'RegExpSyntaxError';
  /** Where in the pattern; for wrong flags, where in the flags. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Too many choices are open at once. A budget of steps alone would let them fill the memory. */
export class RegExpMemoryError extends Error {
  override readonly name = 'RegExpMemoryError';
}
