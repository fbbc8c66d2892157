/** Lists of what has something in common. */

/** A map of lists, or what stands for one. */
interface Lists<K, T> {
  get(key: K): T[] | undefined;
  set(key: K, list: T[]): unknown;
}

export function addTo<K, T>(lists: Lists<K, T>, key: K, one: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}

/** Lists by key, each in the order of `all`, as are the keys. */
export function groupBy<T, K>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) addTo(groups, keyOf(one), one);
  return groups;
}
