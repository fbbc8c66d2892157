/** The manifest of a profile: its live shards, and the snapshots known to be complete, as a sealed text. */
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
  /** Layout and term version of the shards; those of another version count as none and are built again. */
  layout: string;
  shards: ShardEntry[];
  /** Tip of the notes ref when every unit of the shards, but those `unrecorded`, was known to have its record there. */
  notes: string | null;
  /** Blobs of the shards that had no record there all the same. */
  unrecorded?: string[];
  /** Blobs that could not be read (a partial clone, a damaged pack); tried again by an explicit `index`. */
  unreadable: string[];
  /** Snapshots known to be complete, the latest last: running again for one of them costs next to nothing. */
  complete: CompleteSnapshot[];
}

/** A snapshot under its settings, and what `index` reported of it. */
export interface CompleteSnapshot {
  key: string;
  files: number;
  blobs: number;
  chunks: number;
  skipped: Record<string, number>;
  degraded: Record<string, number>;
  /** By vectors profile: what a run found or made, where nothing was left to do. */
  vectors?: Record<string, KnownVectors>;
}

export interface KnownVectors {
  dimensions: number;
  /** Chunks of the snapshot, and how many of them have a vector. */
  total: number;
  covered: number;
  /** Lexical shards that its documents are in: those whose vector files are needed. */
  shards: string[];
  /** Those of them that have a graph. */
  graphs: string[];
  /** Tip of the vectors' notes ref when every blob had the note it should have; null where there are no notes. */
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

/** `name`: what the seal is for, so that one manifest cannot stand for another. */
export function encodeManifest(name: string, manifest: Manifest): string {
  const rest = JSON.stringify(manifest, null, 1).slice(0, -'\n}'.length);
  return `${rest},\n "seal": "${sealOf(name, rest)}"\n}\n`;
}

/** The JSON without its seal; null if it is not the one of this text. */
function unsealText(name: string, text: string): string | null {
  const rest = text.slice(0, -SEAL_CHARS);
  const seal = SEAL.exec(text.slice(-SEAL_CHARS))?.[1];
  return seal !== undefined && sealOf(name, rest) === seal ? `${rest}\n}` : null;
}

/** Null for a text that is not what this user sealed under that name, or of another profile. */
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
