/**
 * The values that a step may ask for while it is done, on a pipe of their own (descriptor 4 of the host): a handler can read
 * any step before it, and to send all of them to each handler would take time that grows with the square of their number.
 * 1. Reading a property cannot wait for a promise, so the host blocks until the answer is there; its owner never does.
 * 2. What was asked for once is kept until the step has ended; afterwards nothing can be asked any more.
 */
import { readSync, writeSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { StepValues } from '../../machine/index.ts';
import { lineReader, ownLine } from './protocol.ts';

/** The descriptor of the pipe in the host. */
export const valuePipe = 4;

/** A text is a name; null asks for all names. */
type Question = string | null;

const lengthBytes = 4;
/** A question is a name, in a line. */
const longestQuestion = 1024 * 1024;

/** In the owner: answers what the host asks, for the step that it does. */
export function answerValues(pipe: Socket, current: () => StepValues | undefined): void {
  pipe.setEncoding('utf8');
  pipe.on(
    'data',
    lineReader((line) => {
      const question = line === undefined ? undefined : readQuestion(line);
      if (question === undefined) return;
      const values = current();
      const answer = question === null ? (values?.names() ?? []) : values?.get(question);
      const body = Buffer.from(answer === undefined ? '' : JSON.stringify(answer));
      const length = Buffer.alloc(lengthBytes);
      length.writeUInt32LE(body.length);
      pipe.write(Buffer.concat([length, body]));
    }, longestQuestion),
  );
  // A host that ends breaks the pipe; how it ended is told by its exit.
  pipe.on('error', () => undefined);
}

/** Undefined for a line that is no question: code can write to any descriptor, this one too. */
function readQuestion(line: string): Question | undefined {
  let question: unknown;
  try {
    question = JSON.parse(line);
  } catch {
    return undefined;
  }
  return question === null || typeof question === 'string' ? question : undefined;
}

/** In the host: the steps that can be seen, as an object whose properties are asked for when they are read. */
export interface AskedSteps {
  readonly steps: Readonly<Record<string, unknown>>;
  /** The names that were asked for; `*`: for all names. */
  readonly asked: () => readonly string[];
  /** Nothing is asked any more. */
  readonly end: () => void;
}

export function askForSteps(): AskedSteps {
  const known = new Map<string, unknown>();
  let names: ReadonlySet<string> | undefined;
  let isOver = false;

  function ask(question: Question): unknown {
    if (isOver) throw new Error('the step has ended, and its values are gone');
    writeAll(Buffer.from(ownLine(JSON.stringify(question))));
    const length = readAll(lengthBytes).readUInt32LE();
    return length === 0 ? undefined : JSON.parse(readAll(length).toString('utf8'));
  }

  function read(name: string): unknown {
    if (!known.has(name)) known.set(name, ask(name));
    return known.get(name);
  }

  const target: Record<string, unknown> = {};
  const steps = new Proxy(target, {
    get: (own, name) => (typeof name === 'string' && !(name in {}) ? read(name) : Reflect.get(own, name)),
    has: (own, name) => (typeof name === 'string' && read(name) !== undefined) || Reflect.has(own, name),
    ownKeys() {
      names ??= new Set(ask(null) as string[]);
      return [...names];
    },
    getOwnPropertyDescriptor(_, name) {
      const value = typeof name === 'string' ? read(name) : undefined;
      return value === undefined ? undefined : { value, enumerable: true, configurable: true, writable: true };
    },
  });
  return {
    steps,
    asked: () => (names === undefined ? [...known.keys()] : ['*', ...known.keys()]),
    end() {
      isOver = true;
    },
  };
}

function writeAll(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += patiently(() => writeSync(valuePipe, bytes, at));
}

function readAll(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; ) {
    const count = patiently(() => readSync(valuePipe, bytes, at, length - at, null));
    if (count === 0) throw new Error('the process that runs this step has ended');
    at += count;
  }
  return bytes;
}

const still = new Int32Array(new SharedArrayBuffer(4));

/** Where the system says to come back later, this does. */
function patiently(part: () => number): number {
  for (;;) {
    try {
      return part();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(still, 0, 0, 1);
    }
  }
}
