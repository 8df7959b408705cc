/** A kind of file that is kept in SQLite: how it is told from the files of others, its tables, and the words for people. */
export interface DatabaseKind {
  /** Says that a database is of this kind. */
  readonly applicationId: number;
  /** The one at index n leads from version n to n + 1. The first makes the table `meta`. */
  readonly migrations: readonly string[];
  /** `the store`: what stands before its path. */
  readonly name: string;
  /** `a store of runs`. */
  readonly is: string;
  /** `runs`: what would be lost with it. */
  readonly holds: string;
  /** What to do where it cannot be the one: `name another file with --store`. */
  readonly another: string;
  /** What to do where its disk will not do. */
  readonly nearer: string;
}
