/** Whether to colour a stream, and the few colours there are. */

export interface Painter {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

export interface ColorWish {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTTY: boolean;
  /** `--color` or `--no-color`, when given: it decides. */
  readonly flag?: boolean | undefined;
}

/** The flag decides, then NO_COLOR, then FORCE_COLOR, then whether the stream is a terminal that is not dumb. */
export function wantsColor({ env, isTTY, flag }: ColorWish): boolean {
  if (flag !== undefined) return flag;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force.toLowerCase() !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

export function painter(color: boolean): Painter {
  return color ? colors : plain;
}

const style = (on: number, off: number) => (text: string) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`);
const same = (text: string) => text;

const colors: Painter = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
};

const plain: Painter = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };
