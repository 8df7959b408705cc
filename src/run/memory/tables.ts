/** What is asked of the tables of a memory, prepared once for each connection. */
import type { Database, Statement } from '../../journal/index.ts';

export interface MemoryTables {
  readonly byKey: Statement;
  readonly byText: Statement;
  readonly insert: Statement;
  readonly insertWords: Statement;
  readonly find: Statement;
  readonly findOf: Statement;
  readonly list: Statement;
  readonly listOf: Statement;
  readonly remove: Statement;
  readonly removeWords: Statement;
  readonly tidyWords: Statement;
  readonly putTurn: Statement;
  readonly turns: Statement;
  readonly threads: Statement;
  readonly threadsOf: Statement;
}

const shown = 'memories.id AS id, agent, text, at, run, thunk';

export function memoryTables(db: Database): MemoryTables {
  // What is removed is overwritten.
  db.exec('PRAGMA secure_delete = ON');
  const found = (where: string) =>
    db.prepare(
      `SELECT ${shown} FROM memory_words JOIN memories ON memories.id = memory_words.rowid
      WHERE memory_words MATCH ? ${where} ORDER BY bm25(memory_words), at DESC, memories.id DESC LIMIT ?`,
    );
  const listed = (where: string) =>
    db.prepare(`SELECT ${shown} FROM memories ${where} ORDER BY at DESC, id DESC LIMIT ?`);
  const threads = (where: string) =>
    db.prepare(
      `SELECT agent, thread, turns, at, said FROM (
        SELECT agent, thread, at, said, count(*) OVER (PARTITION BY agent, thread) AS turns,
          row_number() OVER (PARTITION BY agent, thread ORDER BY at DESC, id DESC) AS place
        FROM turns ${where}
      ) WHERE place = 1 ORDER BY at DESC, agent, thread`,
    );
  return {
    byKey: db.prepare('SELECT id FROM memories WHERE key = ?'),
    byText: db.prepare('SELECT id FROM memories WHERE agent = ? AND text = ?'),
    insert: db.prepare(
      'INSERT INTO memories (agent, text, at, run, thunk, key) VALUES (?, ?, ?, ?, ?, ?) RETURNING id',
    ),
    insertWords: db.prepare('INSERT INTO memory_words (rowid, words) VALUES (?, ?)'),
    find: found(''),
    findOf: found('AND agent = ?'),
    list: listed(''),
    listOf: listed('WHERE agent = ?'),
    remove: db.prepare('DELETE FROM memories WHERE id = ?'),
    removeWords: db.prepare('DELETE FROM memory_words WHERE rowid = ?'),
    // Otherwise words that nothing has any more stay in the index.
    tidyWords: db.prepare("INSERT INTO memory_words (memory_words) VALUES ('optimize')"),
    putTurn: db.prepare(
      `INSERT INTO turns (agent, thread, run, at, messages, tokens, said) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (agent, thread, run) DO UPDATE
      SET at = excluded.at, messages = excluded.messages, tokens = excluded.tokens, said = excluded.said`,
    ),
    // No turn has less than one token, so those that fit together are the newest, without a gap.
    turns: db.prepare(
      `SELECT messages FROM turns JOIN (
        SELECT id AS fits, sum(tokens) OVER (ORDER BY at DESC, id DESC) AS total
        FROM turns WHERE agent = ? AND thread = ? AND run IS NOT ?
      ) ON fits = id WHERE total <= ? ORDER BY at, id`,
    ),
    threads: threads(''),
    threadsOf: threads('WHERE agent = ?'),
  };
}
