/** What has to be done so that a catalog is searchable: which blobs lack a unit in the local shards, or a record. */
import type { LexicalShard } from '../shard/lexical.js';
import type { UnitState } from '../shard/lexical-format.js';
import { type CatalogFile, lookUpUnit } from '../shard/live.js';

/** One blob to bring into a shard, in every language the snapshot names it in. */
export interface PlannedBlob {
  oid: string;
  /** Null stands for "decided by content". */
  languages: (string | null)[];
  /** One of its paths: for shebang detection and messages. */
  path: string;
  /** Languages whose documents are in a shard already: only the record is missing. */
  sharded: boolean;
}

export interface PlanOptions {
  maxFileBytes: number;
  /** Is there a note for this blob? Undefined where notes are known to be complete. */
  hasRecord?: (oid: string) => boolean;
  /** Was a grammar installed since the blob was chunked by lines? */
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

/** Degraded units are local by nature, and content skips have their record like any other blob. */
export function needsRecord(state: UnitState | null): boolean {
  return state === null || ['binary', 'lfs-pointer', 'secret'].includes(state);
}

function needOf(file: CatalogFile, shards: readonly LexicalShard[], options: PlanOptions): 'unit' | 'record' | null {
  const unit = lookUpUnit(shards, file);
  if (unit === null) return 'unit';
  if (unit.state === 'too-large') return unit.size <= options.maxFileBytes ? 'unit' : null;
  if (unit.state === 'grammar-missing' && file.language !== null && options.hasGrammar(file.language)) return 'unit';
  if (!needsRecord(unit.state)) return null;
  return options.hasRecord !== undefined && !options.hasRecord(file.oid) ? 'record' : null;
}
