/** Maps a list with few calls running at a time; results keep the order of the list. The first failure is thrown. */
export async function mapConcurrently<T, R>(
  list: readonly T[],
  atOnce: number,
  work: (entry: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = new Array(list.length);
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const index = next++;
      results[index] = await work(list[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
  return results;
}
