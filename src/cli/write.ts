/** Writes a file back, whole or not at all. */
import { isFailure, quotePath, writeFileAtomic } from '../sys/index.ts';
import type { InputProblem } from './input.ts';

/** What went wrong, if something did: the file is then as it was. */
export async function writeBack(path: string, name: string, text: string): Promise<InputProblem | undefined> {
  try {
    await writeFileAtomic(path, text);
    return undefined;
  } catch (error) {
    if (!isFailure(error)) throw error;
    const whole = quotePath(path);
    const message = error.message.startsWith(whole)
      ? quotePath(name) + error.message.slice(whole.length)
      : error.message;
    return { message, help: 'The file is as it was.' };
  }
}
