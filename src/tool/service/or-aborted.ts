/** What is waited for, or the reason why it is waited for no longer. */

export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
