/** Where history reads old files from: their bytes, and the facts that the index has of them. */
import type { BlobFacts } from '../extract/facts.js';

/** A blob under a path: the path decides its language. */
export interface FileVersion {
  oid: string;
  path: string;
}

export interface BlobSource {
  /** Null for a blob that is not here, or too large to be indexed. */
  bytes(oid: string): Promise<Buffer | null>;
  /** Null for a blob that cannot be read or is left out because of what it holds; derived and kept if it is new. */
  facts(version: FileVersion): Promise<BlobFacts | null>;
}
