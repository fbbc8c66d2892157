/** Plans an index run: finds the blobs of a catalog that have no unit in the local shards, or no record. */
import type { LexicalShard } from '../shard/lexical.js';
import type { UnitState } from '../shard/lexical-format.js';
import { type CatalogFile, lookUpUnit } from '../shard/live.js';

/** Blob to bring into a shard, in every language that its paths in the snapshot give it. */
export interface PlannedBlob {
  oid: string;
  /** Language ids; null if the content decides. */
  languages: (string | null)[];
  /** One of the blob's paths, for shebang detection and messages. */
  path: string;
  /** True if all its documents are in a shard already, so that only the record is missing. */
  sharded: boolean;
}

export interface PlanOptions {
  maxFileBytes: number;
  /** True if this blob has a note. Undefined if all records are known to be there. */
  hasRecord?: (oid: string) => boolean;
  /**
   * True if the language's grammar is installed now; blobs that were chunked by lines for lack of it are planned again.
   */
  hasGrammar: (language: string) => boolean;
}

export function planIndex(
  files: readonly CatalogFile[],
  shards: readonly LexicalShard[],
  options: PlanOptions,
): PlannedBlob[] {
  const planned = new Map<string, PlannedBlob>();
  for (const file of files) {
    const need = needOf(file, shards, options);
    if (need === null) continue;
    const known = planned.get(file.oid);
    if (known === undefined) {
      planned.set(file.oid, { oid: file.oid, languages: [file.language], path: file.path, sharded: need === 'record' });
    } else {
      if (!known.languages.includes(file.language)) known.languages.push(file.language);
      known.sharded &&= need === 'record';
    }
  }
  return [...planned.values()];
}

/**
 * True if units in this state have a record. Degraded units stay local; units skipped for their content have a record
 * like any other.
 */
export function needsRecord(state: UnitState | null): boolean {
  return state === null || ['binary', 'lfs-pointer', 'secret'].includes(state);
}

function needOf(file: CatalogFile, shards: readonly LexicalShard[], options: PlanOptions): 'unit' | 'record' | null {
  const unit = lookUpUnit(shards, file);
  if (unit === null) return 'unit';
  if (unit.state === 'too-large') return unit.size <= options.maxFileBytes ? 'unit' : null;
  if (unit.state === 'grammar-missing' && options.hasGrammar(shards[unit.shard].unitLanguageId(unit.unit)))
    return 'unit';
  if (!needsRecord(unit.state)) return null;
  return options.hasRecord !== undefined && !options.hasRecord(file.oid) ? 'record' : null;
}
