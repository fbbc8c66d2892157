/** Builds one graph in a worker thread: it takes half a minute of one core per 100,000 vectors, which must not block other work. */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { buildHnsw, hasHnsw } from './hnsw.js';
import { readVectorShard } from './vector-shard.js';

/** Names the vectors of a graph to build. `documents`: their number. */
interface GraphTask {
  directory: string;
  profile: string;
  lexical: string;
  documents: number;
}

/**
 * Builds and writes the graph of a vector file in a worker thread, unless it exists already. Resolves to true if the graph exists now;
 * rejects with the worker's error. Aborting ends the thread, resolves to false and leaves at most a temporary file, which the next
 * publication removes.
 */
export function buildHnswInBackground(task: GraphTask, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return Promise.resolve(false);
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { hnsw: task } });
    signal?.addEventListener('abort', () => worker.terminate(), { once: true });
    worker.once('message', resolve);
    worker.once('error', reject);
    // Has no effect after a message or an error.
    worker.once('exit', () => resolve(false));
  });
}

async function work({ directory, profile, lexical, documents }: GraphTask): Promise<boolean> {
  const shard = readVectorShard(directory, profile, lexical, documents);
  if (shard === null) return false;
  return hasHnsw(directory, profile, lexical, shard) || buildHnsw(directory, profile, lexical, shard);
}

if (!isMainThread && workerData?.hnsw !== undefined)
  void work(workerData.hnsw as GraphTask).then((isThere) => parentPort?.postMessage(isThere));
