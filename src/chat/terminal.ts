/** A terminal that tells every key: the one of this process, or one of a test. */
import { pasteOff, pasteOn } from './key.ts';

export interface TerminalEars {
  readonly bytes: (chunk: Uint8Array) => void;
  readonly resized: () => void;
  /** It was closed: nothing more is typed. */
  readonly gone: () => void;
}

export interface Terminal {
  readonly write: (text: string) => void;
  readonly columns: () => number;
  readonly rows: () => number;
  /** From now on keys are told as they are pressed, until `close`. */
  readonly open: (ears: TerminalEars) => OpenTerminal;
}

export interface OpenTerminal {
  /** Leaves it to whoever started this process; back when that goes on with it. */
  readonly suspend: (back: () => void) => void;
  readonly close: () => void;
}

/** Of this process. Who uses it has seen that its input and its output are one. */
export function processTerminal(): Terminal {
  const { stdin, stdout } = process;
  return {
    write: (text) => void stdout.write(text),
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    open(ears) {
      const begin = () => {
        stdin.setRawMode(true);
        stdout.write(pasteOn);
      };
      const end = () => {
        stdout.write(pasteOff);
        stdin.setRawMode(false);
      };
      begin();
      // Whatever ends the process: the next program gets a terminal as it was.
      process.once('exit', end);
      stdin.on('data', ears.bytes).on('end', ears.gone).on('error', ears.gone);
      stdout.on('resize', ears.resized);
      stdin.ref();
      stdin.resume();
      return {
        suspend(back) {
          end();
          process.once('SIGCONT', () => {
            begin();
            back();
          });
          process.kill(process.pid, 'SIGTSTP');
        },
        close() {
          process.off('exit', end);
          stdin.off('data', ears.bytes).off('end', ears.gone).off('error', ears.gone);
          stdout.off('resize', ears.resized);
          end();
          stdin.pause();
          stdin.unref();
        },
      };
    },
  };
}
