/** Reads many small objects with few in memory, whatever their sizes, and survives those that git cannot read. */
import { isSocraticodeError } from '../../../base/errors.js';
import type { ObjectInfo, ObjectReader } from '../../../git/objects.js';

/** Asked for together: each answer is a round trip to git. */
const BATCH = 256;
/** Bytes of objects that are read at a time. */
const BATCH_BYTES = 8 << 20;

interface ReadNote<T> {
  item: T;
  /** Null for an object that is not here, or that git cannot read. */
  info: ObjectInfo | null;
  /** Null also for one that is too large to be read. */
  content: Buffer | null;
}

/** Objects of `items` in order; those of more than `maxBytes` are not read. */
export async function* readNotes<T>(
  items: Iterable<T>,
  objects: ObjectReader,
  oidOf: (item: T) => string,
  maxBytes: number,
): AsyncGenerator<ReadNote<T>> {
  for (const batch of batches(items, BATCH)) {
    const infos = await askEach(batch, (item) => objects.info(oidOf(item)));
    let from = 0;
    while (from < batch.length) {
      let end = from;
      for (let bytes = 0; end < batch.length && (end === from || bytes < BATCH_BYTES); end++)
        bytes += sizeOf(infos[end]);
      const part = Array.from({ length: end - from }, (_, i) => from + i);
      const contents = await askEach(part, async (i) => {
        const isRead = infos[i]?.type === 'blob' && sizeOf(infos[i]) <= maxBytes;
        return isRead ? ((await objects.read(oidOf(batch[i])))?.content ?? null) : null;
      });
      for (const [k, i] of part.entries()) yield { item: batch[i], info: infos[i], content: contents[k] };
      from = end;
    }
  }

  function sizeOf(info: ObjectInfo | null): number {
    return info === null || info.size > maxBytes ? 0 : info.size;
  }
}

export function* batches<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Answers of git, null where it breaks down. One damaged object takes the answers of its neighbours with it. */
export async function askEach<T, A>(items: readonly T[], ask: (item: T) => Promise<A | null>): Promise<(A | null)[]> {
  const together = await Promise.allSettled(items.map(ask));
  const answers: (A | null)[] = [];
  for (const [i, answer] of together.entries()) {
    if (answer.status === 'fulfilled') answers.push(answer.value);
    else answers.push(await alone(items[i], ask, answer.reason));
  }
  return answers;
}

async function alone<T, A>(item: T, ask: (item: T) => Promise<A | null>, first: unknown): Promise<A | null> {
  if (!isSocraticodeError(first, 'UNREADABLE_OBJECT')) throw first;
  try {
    return await ask(item);
  } catch (error) {
    if (!isSocraticodeError(error, 'UNREADABLE_OBJECT')) throw error;
    return null;
  }
}
