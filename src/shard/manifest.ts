/** The manifest of a profile: its live shards and the snapshots known to be complete, as a sealed text. */
import { sealOf } from '../base/sealed.js';
import { LEXICAL_MAGIC } from './lexical-format.js';

export interface ShardEntry {
  file: string;
  bytes: number;
  sha256: string;
  units: number;
  documents: number;
}

export interface Manifest {
  format: 1;
  profile: string;
  /** Version of layout and terms. Shards of another version are ignored and built again. */
  layout: string;
  shards: ShardEntry[];
  /** Tip of the notes ref at a time when every unit of the shards had its record there, apart from `unrecorded`. */
  notes: string | null;
  /** Ids of blobs that are in the shards but had no record in those notes. */
  unrecorded?: string[];
  /** Ids of blobs that could not be read (partial clone, damaged pack). Only an explicit `index` tries them again. */
  unreadable: string[];
  /** Snapshots known to be complete, the latest last. Indexing one of them again costs next to nothing. */
  complete: CompleteSnapshot[];
}

/** Snapshot under its settings, with the numbers that `index` reported for it. */
export interface CompleteSnapshot {
  key: string;
  files: number;
  blobs: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** Vectors found or made by the run, by vectors profile; only for profiles with nothing left to do. */
  vectors?: Record<string, KnownVectors>;
}

export interface KnownVectors {
  dimensions: number;
  /** Number of chunks in the snapshot; `covered` counts those with a vector. */
  total: number;
  covered: number;
  /** Names of the lexical shards that hold the snapshot's documents, whose vector files are therefore needed. */
  shards: string[];
  /** Names of the shards among them that have a graph. */
  graphs: string[];
  /** Tip of the vectors' notes ref when every blob had its note; null if the profile keeps no notes. */
  notes: string | null;
}

export const COMPLETE_KEPT = 16;

export const SHARD_NAME = /^lexical-[0-9a-f]{16}\.bin$/;

export function emptyManifest(profile: string): Manifest {
  return { format: 1, profile, layout: LEXICAL_MAGIC, shards: [], notes: null, unreadable: [], complete: [] };
}

/** The seal is the last field, so that it can be checked before anything is parsed. */
const SEAL_CHARS = ',\n "seal": ""\n}\n'.length + 64;
const SEAL = /^,\n "seal": "([0-9a-f]{64})"\n\}\n$/;

/**
 * Encodes and seals a manifest. `name` says what the seal is for, so that no manifest can be passed off as another one.
 */
export function encodeManifest(name: string, manifest: Manifest): string {
  const rest = JSON.stringify(manifest, null, 1).slice(0, -'\n}'.length);
  return `${rest},\n "seal": "${sealOf(name, rest)}"\n}\n`;
}

/** Returns the JSON without its seal; null if the seal is wrong. */
function unsealText(name: string, text: string): string | null {
  const rest = text.slice(0, -SEAL_CHARS);
  const seal = SEAL.exec(text.slice(-SEAL_CHARS))?.[1];
  return seal !== undefined && sealOf(name, rest) === seal ? `${rest}\n}` : null;
}

/**
 * Decodes a sealed manifest. Null if this user did not seal the text under that name, or if it is of another profile.
 */
export function decodeManifest(name: string, sealed: string, profile: string): Manifest | null {
  const text = unsealText(name, sealed);
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<Manifest>;
    const entries = value.shards ?? [];
    const valid =
      value.format === 1 &&
      value.profile === profile &&
      typeof value.layout === 'string' &&
      Array.isArray(entries) &&
      entries.every((shard) => SHARD_NAME.test(shard.file) && Number.isSafeInteger(shard.bytes)) &&
      (value.notes === null || typeof value.notes === 'string') &&
      (value.unrecorded === undefined || Array.isArray(value.unrecorded)) &&
      Array.isArray(value.unreadable) &&
      Array.isArray(value.complete);
    return valid ? (value as Manifest) : null;
  } catch {
    return null;
  }
}
