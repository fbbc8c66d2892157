/** Role through which history reads old file versions: their bytes, and their facts. */
import type { BlobFacts } from '../extract/facts.js';

/** Blob at a path. The path decides its language. */
export interface FileVersion {
  oid: string;
  path: string;
}

export interface BlobSource {
  /** Blobs that were asked for and are missing here, so that nothing may be concluded from them. */
  readonly unreadable: ReadonlySet<string>;
  /** Returns null for a blob that is missing here, or too large to be indexed. */
  bytes(oid: string): Promise<Buffer | null>;
  /**
   * Returns the facts from the index, or derives and keeps them. Null for a blob that is unreadable or excluded by its
   * content.
   */
  facts(version: FileVersion): Promise<BlobFacts | null>;
}
