/** What the rest knows of the system: files, time, ids, secrets, processes, paths. */
export * from './clock.ts';
export * from './command-line.ts';
export * from './decode-text.ts';
export * from './environment-secrets.ts';
export * from './executable.ts';
export * from './failure.ts';
export * from './git.ts';
export * from './ids.ts';
export * from './paths.ts';
export * from './process-group.ts';
export * from './process-mark.ts';
export * from './process-start.ts';
export * from './read-text.ts';
export * from './redact.ts';
export * from './turn.ts';
export * from './write-atomic.ts';
