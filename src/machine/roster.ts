/**
 * Entries that come and go, by their ids and in the order in which they came: of all that a long run does, what is open.
 *
 * A `Map` would do, but for memory. V8 gives one that is emptied or filled a new table, and the old table keeps what was in
 * it and points to the new one. As soon as one of them is an old object all that follow become old as well, with whatever
 * was in them, until all memory is searched. So another map is begun here when as many have gone as may be there. It is a
 * class because of the getter (`keyed.ts`).
 */
export class Roster<T> implements ReadonlyMap<string, T> {
  #map = new Map<string, T>();
  #gone = 0;

  get size(): number {
    return this.#map.size;
  }

  get(id: string): T | undefined {
    return this.#map.get(id);
  }

  has(id: string): boolean {
    return this.#map.has(id);
  }

  set(id: string, entry: T): void {
    this.#map.set(id, entry);
  }

  /** False if it was not there. Whoever goes through the entries may delete the one that it is at. */
  delete(id: string): boolean {
    const wasThere = this.#map.delete(id);
    if (wasThere && ++this.#gone > this.#map.size + few) {
      this.#map = new Map(this.#map);
      this.#gone = 0;
    }
    return wasThere;
  }

  clear(): void {
    this.#map = new Map();
    this.#gone = 0;
  }

  keys(): MapIterator<string> {
    return this.#map.keys();
  }

  values(): MapIterator<T> {
    return this.#map.values();
  }

  entries(): MapIterator<[string, T]> {
    return this.#map.entries();
  }

  forEach(visit: (entry: T, id: string, all: ReadonlyMap<string, T>) => void): void {
    this.#map.forEach(visit);
  }

  [Symbol.iterator](): MapIterator<[string, T]> {
    return this.#map[Symbol.iterator]();
  }
}

/** To begin a map costs more than to delete from one. */
const few = 8;
