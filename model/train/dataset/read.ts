/** A dataset in memory that worker threads share. */
import { readFileSync } from 'node:fs';
import { Sections } from '../../../src/base/binary.js';
import { DATASET_MAGIC, type DatasetColumns, type DatasetMeta } from './format.js';

export interface Dataset extends DatasetColumns {
  meta: DatasetMeta;
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
    termStart: shared(sections.u32('termStart')),
    term: shared(sections.u32('term')),
    termCount: shared(sections.u8('termCount')),
  };
}

function shared<T extends Uint8Array | Uint16Array | Uint32Array>(array: T): T {
  const buffer = new SharedArrayBuffer(array.byteLength);
  const copy = new (array.constructor as new (buffer: SharedArrayBuffer) => T)(buffer);
  copy.set(array);
  return copy;
}
