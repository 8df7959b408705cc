/** The tables of what agents remember. What is released is never edited: a change of the tables is a further migration. */
import type { DatabaseKind } from '../../journal/index.ts';

export const memoryKind: DatabaseKind = {
  // "toom"
  applicationId: 0x746f6f6d,
  migrations: [
    `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    -- An id is never used again: people and journals name memories by it. key: of the call that saved it.
    CREATE TABLE memories (
      id INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
      run TEXT NOT NULL, thunk TEXT NOT NULL, key TEXT NOT NULL UNIQUE
    );
    CREATE UNIQUE INDEX memories_text ON memories (agent, text);
    -- Of the words as words.ts has them: the tokenizer only splits at blanks. The text itself is not kept twice.
    CREATE VIRTUAL TABLE memory_words USING fts5(words, content = '', contentless_delete = 1, tokenize = 'ascii');
    -- messages: JSON. said: what the person said last, for lists.
    CREATE TABLE turns (
      id INTEGER PRIMARY KEY, agent TEXT NOT NULL, thread TEXT NOT NULL, run TEXT NOT NULL, at INTEGER NOT NULL,
      messages TEXT NOT NULL, tokens INTEGER NOT NULL, said TEXT NOT NULL, UNIQUE (agent, thread, run)
    );
    CREATE INDEX turns_at ON turns (agent, thread, at);`,
  ],
  name: 'the memory',
  is: 'a memory of agents',
  holds: 'memories',
  another: 'name another home with --home',
  nearer: 'name a home on a disk of this machine with --home',
};
