/** Names the embedder of a repository's vectors, and the profile that they are stored under. Loads neither model nor provider. */
import { groupDigits } from '../../base/printable.js';
import { canonicalJson, profileId } from '../../config/resolve.js';
import type { Config, EmbedderName, EmbedderSettings } from '../../config/settings.js';
import { builtinIdentity, STATIC_VECTORS } from '../../embed/builtin/model.js';
import type { ProviderSettings } from '../../embed/endpoint.js';
import {
  createProvider,
  EMBEDDED_TEXT_VERSION,
  type Provider,
  type ProviderTuning,
  providerIdentity,
} from '../../embed/endpoint.js';
import type { Embedder } from '../../embed/provider.js';
import { VECTOR_FORMAT } from '../../record/format.js';
import { LEXICAL_MAGIC } from '../../shard/lexical-format.js';
import type { VectorIndex } from '../../shard/nearest.js';
import type { Session } from '../session.js';

/** Facts about the vectors that follow from the settings alone. */
export interface VectorSource {
  embedder: EmbedderName;
  model: string;
  /** Numbers per vector; null if only the model's first answer shows it. */
  dimensions: number | null;
  /** UTF-16 code units of a text that the model reads. */
  maxCharacters: number;
  /** Hash of everything that changes vectors, but not of the embedder's address. It names files and notes. */
  profile: string;
  /** Fingerprint that the profile is a hash of, as one line of JSON. */
  about: string;
  /** True for a provider: its vectors cost time or money, so they are worth a place in notes. */
  costly: boolean;
}

/** Returns the vector source of a configuration. Its profile includes the syntax profile, which decides chunk boundaries. */
export function vectorSource(session: Pick<Session, 'profile'>, { embedder }: Pick<Config, 'embedder'>): VectorSource {
  const common = { kind: 'vectors', format: VECTOR_FORMAT, syntax: session.profile };
  if (isProvider(embedder)) {
    const { id, model, dimensions, maxCharacters } = providerIdentity(embedder);
    const fingerprint = { ...common, embedder: id, dimensions, text: EMBEDDED_TEXT_VERSION };
    const { name } = embedder;
    return { embedder: name, model, dimensions, maxCharacters, ...named(fingerprint), costly: true };
  }
  const { version, dimensions } = builtinIdentity();
  // The built-in model computes vectors from the terms of lexical shards, so their format is part of the profile.
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
 * Creates the embedder of queries and of a provider's documents; sends nothing yet. Throws EMBEDDER_REFUSED, EMBEDDER_DENIED
 * and BAD_CONFIG.
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
  covered: number;
  total: number;
  /** Reason for missing vectors with the next step, for people; null if nothing can be done. */
  reason: string | null;
}

/** Returns how much of a snapshot has vectors. The built-in model has none for chunks without a known word. */
export function vectorState(
  { embedder }: Pick<Config, 'embedder'>,
  index: Pick<VectorIndex, 'covered' | 'total'>,
): VectorState {
  const { covered, total } = index;
  if (!isProvider(embedder) || covered >= total) return { covered, total, reason: null };
  const { model } = providerIdentity(embedder);
  const reason = `${groupDigits(covered)} of ${groupDigits(total)} chunks have vectors of ${model}; indexing again makes the others`;
  return { covered, total, reason };
}
