/** Which embedder makes a repository's vectors, and under which profile they are kept. Loads neither model nor provider. */
import { canonicalJson, profileId } from '../../config/profile.js';
import type { Config, EmbedderName, EmbedderSettings } from '../../config/types.js';
import { builtinIdentity } from '../../embed/builtin-identity.js';
import {
  createProvider,
  type Provider,
  type ProviderSettings,
  type ProviderTuning,
  providerIdentity,
} from '../../embed/choose.js';
import type { Embedder } from '../../embed/embedder.js';
import { EMBEDDED_TEXT_VERSION } from '../../indexer/embedded-text.js';
import { STATIC_VECTORS } from '../../indexer/static-vectors.js';
import { VECTOR_FORMAT } from '../../record/limits.js';
import { LEXICAL_MAGIC } from '../../shard/lexical-format.js';
import type { VectorIndex } from '../../shard/nearest.js';
import type { Session } from '../session.js';

/** What the settings say about vectors, known without asking any server. */
export interface VectorSource {
  embedder: EmbedderName;
  model: string;
  /** Numbers per vector; null where only the model's first answer tells. */
  dimensions: number | null;
  /** UTF-16 code units of one text that the model sees. */
  maxCharacters: number;
  /** Names files and notes: everything that changes vectors, never where the embedder is. */
  profile: string;
  /** What the profile stands for, as one line of JSON. */
  about: string;
  /** Do vectors cost time or money, so that they are worth keeping in notes? */
  costly: boolean;
}

/** The vectors that apply under a configuration. Chunk boundaries are part of their profile. */
export function vectorSource(session: Pick<Session, 'profile'>, { embedder }: Pick<Config, 'embedder'>): VectorSource {
  const common = { kind: 'vectors', format: VECTOR_FORMAT, syntax: session.profile };
  if (isProvider(embedder)) {
    const { id, model, dimensions, maxCharacters } = providerIdentity(embedder);
    const fingerprint = { ...common, embedder: id, dimensions, text: EMBEDDED_TEXT_VERSION };
    const { name } = embedder;
    return { embedder: name, model, dimensions, maxCharacters, ...named(fingerprint), costly: true };
  }
  const { version, dimensions } = builtinIdentity();
  // Its vectors are made from the terms of lexical shards, so their version counts.
  const fingerprint = { ...common, embedder: `builtin:${version}`, text: [STATIC_VECTORS, LEXICAL_MAGIC] };
  const maxCharacters = Number.POSITIVE_INFINITY;
  return { embedder: 'builtin', model: version, dimensions, maxCharacters, ...named(fingerprint), costly: false };
}

function named(fingerprint: unknown): { profile: string; about: string } {
  return { profile: profileId(fingerprint), about: canonicalJson(fingerprint) };
}

export function isProvider(settings: EmbedderSettings): settings is ProviderSettings {
  return settings.name !== 'builtin';
}

/**
 * The embedder for queries, and for a provider's documents; sends nothing yet. Throws what `createProvider` throws:
 * EMBEDDER_REFUSED, EMBEDDER_DENIED, BAD_CONFIG.
 */
export async function createEmbedder(
  { embedder }: Pick<Config, 'embedder'>,
  tuning: ProviderTuning = {},
): Promise<Embedder | Provider> {
  if (isProvider(embedder)) return createProvider(embedder, process.env, tuning);
  const { BuiltinEmbedder } = await import('../../embed/builtin/index.js');
  return new BuiltinEmbedder();
}

export interface VectorState {
  /** Chunks of the snapshot, and how many of them have a vector. */
  covered: number;
  total: number;
  /** Why some have none and what to do about it, for people; null if nothing is to be done. */
  reason: string | null;
}

/** How much of a snapshot can be searched by vectors. Chunks without a word that the built-in model knows have none. */
export function vectorState(
  { embedder }: Pick<Config, 'embedder'>,
  index: Pick<VectorIndex, 'covered' | 'total'>,
): VectorState {
  const { covered, total } = index;
  if (!isProvider(embedder) || covered >= total) return { covered, total, reason: null };
  const { model } = providerIdentity(embedder);
  const reason = `${covered.toLocaleString('en')} of ${total.toLocaleString('en')} chunks have vectors of ${model}; run \`git socraticode index\``;
  return { covered, total, reason };
}
