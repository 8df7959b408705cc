/** The patterns of schemas: regular expressions of others, tried on texts of a model, in bounded time. */

/** A pattern is tried on texts up to this length: some take quadratic time. */
const longestTested = 1000;
/** And one that may take exponential time only up to this. */
const longestRisky = 16;

interface Pattern {
  readonly expression: RegExp;
  readonly longest: number;
}

const known = new Map<string, Pattern | undefined>();
const mostKnown = 500;

/** Whether JavaScript knows the pattern. */
export function isPattern(pattern: string): boolean {
  return patternOf(pattern) !== undefined;
}

/** Whether the text is like the pattern; nothing if the text is too long to try it, or JavaScript does not know it. */
export function tryPattern(text: string, pattern: string): boolean | undefined {
  const found = patternOf(pattern);
  return found === undefined || text.length > found.longest ? undefined : found.expression.test(text);
}

function patternOf(pattern: string): Pattern | undefined {
  if (!known.has(pattern)) {
    if (known.size >= mostKnown) known.clear();
    const expression = compile(pattern);
    known.set(pattern, expression && { expression, longest: isRisky(pattern) ? longestRisky : longestTested });
  }
  return known.get(pattern);
}

function compile(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Many that are no Unicode patterns are plain ones; a plan names those that are neither.
    }
  }
  return undefined;
}

/** Whether a group that repeats holds a choice or a part that repeats, as in `(a+)+` and `(a|a)*`. */
function isRisky(pattern: string): boolean {
  const groups: boolean[] = [false];
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const unit = pattern.charAt(at);
    if (unit === '\\') at++;
    else if (inClass) inClass = unit !== ']';
    else if (unit === '[') inClass = true;
    else if (unit === '(') groups.push(false);
    else if (unit === ')') {
      const varies = groups.pop() === true;
      if (varies && '*+{'.includes(pattern.charAt(at + 1) || ' ')) return true;
      if (varies) groups[groups.length - 1] = true;
    } else if ('*+{|'.includes(unit)) groups[groups.length - 1] = true;
  }
  return false;
}
