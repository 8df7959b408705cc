export * from './begins.ts';
export * from './event.ts';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { SqliteStoreOptions } from './sqlite-connection.ts';
export { openSqliteStore } from './sqlite-store.ts';
export * from './store.ts';
export { joinWriters, type Together } from './together.ts';
export * from './unreadable.ts';
