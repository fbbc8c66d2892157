/** A dataset in memory that worker threads share. */
import { readFileSync } from 'node:fs';
import { Sections } from '../../src/base/sections.js';
import { DATASET_MAGIC, type DatasetMeta } from './dataset-format.js';

export interface Dataset {
  meta: DatasetMeta;
  /** Index into KINDS, package and split by pair. */
  kind: Uint8Array;
  pack: Uint16Array;
  split: Uint8Array;
  /** Hash of the text by side; side 2i is pair i's query, 2i + 1 its code. */
  hash: Uint32Array;
  /** Side s owns entries [start[s], start[s + 1]) of the following. */
  start: Uint32Array;
  row: Uint16Array;
  count: Uint8Array;
}

export function readDataset(path: string): Dataset {
  const sections = new Sections<DatasetMeta>(readFileSync(path), DATASET_MAGIC, path);
  return {
    meta: sections.meta,
    kind: shared(sections.u8('kind')),
    pack: shared(sections.u16('pack')),
    split: shared(sections.u8('split')),
    hash: shared(sections.u32('hash')),
    start: shared(sections.u32('start')),
    row: shared(sections.u16('row')),
    count: shared(sections.u8('count')),
  };
}

function shared<T extends Uint8Array | Uint16Array | Uint32Array>(array: T): T {
  const buffer = new SharedArrayBuffer(array.byteLength);
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(buffer);
  copy.set(array);
  return copy;
}
