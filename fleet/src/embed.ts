/** Embeds queries with the provider of the settings, if the fleet's vectors come from one. */
import { type Config, createEmbedder, type Embedder, isProvider, remember } from './internal.js';

/** Cached queries: agents repeat queries with other filters. */
const CAPACITY = 1_024;

/** Undefined for the built-in model, whose vectors follow from the words. */
export function embedQueries(
  config: Pick<Config, 'embedder'>,
): ((text: string, signal?: AbortSignal) => Promise<Float32Array>) | undefined {
  if (!isProvider(config.embedder)) return undefined;
  const known = new Map<string, Float32Array>();
  let embedder: Promise<Pick<Embedder, 'embedQuery'>> | null = null;
  return async (text, signal) => {
    embedder ??= createEmbedder(config);
    const vector = known.get(text) ?? (await (await embedder).embedQuery(text, signal));
    remember(known, text, vector, CAPACITY);
    return vector;
  };
}
