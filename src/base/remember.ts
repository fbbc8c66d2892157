/** Least-recently-used cache in a Map, whose insertion order is age. */

/** Puts `key` last and drops the oldest entries beyond `kept`. */
export function remember<K, V>(map: Map<K, V>, key: K, value: V, kept: number): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= kept) break;
    map.delete(oldest);
  }
}
