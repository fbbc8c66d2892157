/** Builds graphs over the vectors of large repositories, during `index` and never during a search. */
import { groupDigits } from '../base/digits.js';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import type { Progress } from '../base/progress.js';
import { type IndexChoice, wantsHnsw } from '../shard/nearest-open.js';
import { usearch } from '../shard/vector-engine.js';
import { buildHnswInBackground } from '../shard/vector-hnsw-worker.js';
import type { VectorDirectory } from './static-run.js';

/** A lexical shard that has a vector file. */
interface EmbeddedShard {
  lexical: string;
  documents: number;
}

/** Returns the shards that should have a graph; none if usearch cannot be loaded. */
export function wantedGraphs<S extends EmbeddedShard>(
  shards: readonly S[],
  dimensions: number,
  choice: IndexChoice,
): S[] {
  const components = shards.reduce((sum, { documents }) => sum + documents * dimensions, 0);
  const wanted = shards.filter(({ documents }) => wantsHnsw(choice, components, documents));
  // Load usearch only if a graph is wanted.
  return wanted.length === 0 || usearch() === null ? [] : wanted;
}

/** Builds the missing graphs. A failure only costs speed, so it is logged. Throws CANCELLED. */
export async function buildGraphs(
  place: VectorDirectory,
  shards: readonly EmbeddedShard[],
  progress: Progress,
  signal?: AbortSignal,
): Promise<void> {
  for (const [i, { lexical, documents }] of shards.entries()) {
    progress.update(i, shards.length, `${groupDigits(documents)} vectors`);
    try {
      await buildHnswInBackground({ ...place, lexical, documents }, signal);
    } catch (error) {
      log.warn(`cannot build the graph of the vectors: ${(error as Error).message}`);
    }
    if (signal?.aborted) throw new SocraticodeError('CANCELLED', 'the graph of the vectors was not finished');
  }
  progress.finish();
}
