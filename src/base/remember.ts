/** Caches of bounded size. */

/** Least-recently-used cache in a Map, whose insertion order is age. Puts `key` last and drops the oldest entries beyond `kept`. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, kept: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= kept) break;
    map.delete(oldest);
  }
}

/**
 * Remembers values that were asked for lately, in two generations: when the newer is full, the older is forgotten. A look-up costs
 * one of a Map, and what is asked for again and again stays.
 */
export class Recent<K, V> {
  private newer = new Map<K, V>();
  private older = new Map<K, V>();

  /** `kept`: values of a generation. */
  constructor(private readonly kept: number) {}

  get(key: K): V | undefined {
    const value = this.newer.get(key);
    if (value !== undefined) return value;
    const old = this.older.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (this.newer.size >= this.kept) {
      this.older = this.newer;
      this.newer = new Map();
    }
    this.newer.set(key, value);
  }
}
