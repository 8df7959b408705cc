/** An error of a step whose words are all there is to say: nothing of our own stack is shown. */
import type { Thrown } from './protocol.ts';

export class Refusal extends Error {
  readonly thrown: Thrown;
  constructor(message: string, retryable: boolean, cause?: Thrown) {
    super(message);
    this.thrown = cause === undefined ? { message, retryable } : { message, retryable, cause };
  }
}

/** What was thrown is data already. */
export function refusalOf(thrown: Thrown): Refusal {
  return Object.assign(new Refusal(thrown.message, thrown.retryable), { thrown });
}
