/** Memory of this process that is still in use after a garbage collection. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export function heldBytes(): number {
  for (let i = 0; i < 3; i++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Bytes that stay in use for each result of `make` that is kept. */
export async function bytesKept(make: () => unknown, rounds = 60): Promise<number> {
  const kept = [await make()];
  const before = heldBytes();
  for (let i = 0; i < rounds; i++) kept.push(await make());
  const growth = heldBytes() - before;
  return growth / (kept.length - 1);
}
