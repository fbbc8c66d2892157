/**
 * Types of a snapshot on its way to an answer; each step adds what the next one needs.
 *
 * - `SnapshotOrigin`: which tree, under which settings (`Session.origin`).
 * - `SnapshotFiles`: the files that the settings select from that tree (`Session.files`).
 * - `IndexedSnapshot`: the searchable corpus of those files (`snapshot/prepare`).
 * - `Snapshot`: the same with the uncommitted changes of the work tree (`overlay/prepare`).
 *
 * The linked graph of a snapshot is a `PreparedGraph` (`graph/prepare`).
 */
import type { Artifact } from '../../config/context-artifacts.js';
import type { Config, Resolved } from '../../config/types.js';
import type { ObjectReader } from '../../git/objects.js';
import type { ResolvedRef } from '../../git/snapshot.js';
import type { AttributesFile, Catalog } from '../../indexer/catalog.js';
import type { OverlayState } from '../../overlay/overlay.js';
import type { Corpus } from '../../search/corpus.js';
import type { LexicalShard } from '../../shard/lexical.js';
import type { SettingFile } from '../setting-files.js';

/** Everything that the files and settings of a snapshot depend on. */
export interface SnapshotOrigin {
  resolved: ResolvedRef;
  file: SettingFile | null;
  /** Text of `.socraticodeignore`. */
  ignore: string | null;
  /** Named files and folders that are searched together with the code. */
  artifacts?: readonly Artifact[];
  /** Reason why the file that names artifacts is unusable; only questions about artifacts fail for it. */
  artifactsFault?: string;
  /** Further trees whose files belong to the snapshot. */
  trees?: readonly string[];
  /** `.gitattributes` files that differ from the tree's. */
  attributes?: readonly AttributesFile[];
  /** Commit of the notes in which compilers told what names mean, if there are some; only graphs depend on it. */
  compiled?: string;
  /** Equal for equal trees and settings: caches are keyed by it. */
  key: string;
}

/** Files of a snapshot with the configuration that selected them. */
export interface SnapshotFiles extends ResolvedRef, Resolved<Config> {
  catalog: Catalog;
}

/** Parts of an indexed snapshot that a cached view keeps in addition to the corpus. */
export interface ViewNote {
  coverage: { covered: number; total: number };
  /** Search settings of the snapshot. */
  defaults: Config['search'];
}

/** A snapshot whose files can be searched. */
export interface IndexedSnapshot extends ViewNote {
  corpus: Corpus;
  /**
   * Embedder and vector index. Never read from a cached view: the embedder's settings name the address that text is sent
   * to, and a view can arrive inside an archive.
   */
  settings: Pick<Config, 'embedder' | 'vectors'>;
  /** Shards beside the published ones, with the directory for the vectors of large ones; null for shards in memory alone. */
  overlayShards?: ReadonlyMap<LexicalShard, string | null>;
}

/** An indexed snapshot with the text of its files, and with uncommitted changes where the question includes them. */
export interface Snapshot extends IndexedSnapshot {
  /** Commit that was searched in the end: HEAD may have moved since the question was asked. */
  origin: SnapshotOrigin;
  objects: ObjectReader;
  /** Number of files in the work tree that differ from HEAD. */
  dirty: number;
  /** Number of those files that the snapshot holds as they are in the work tree. */
  overlay: number;
  /** Uncommitted files of the snapshot; null for a snapshot as committed. */
  state: OverlayState | null;
  /** `.gitattributes` files that differ from HEAD. */
  attributes: NonNullable<SnapshotOrigin['attributes']>;
}

/** A snapshot with uncommitted files. */
export type DirtySnapshot = Snapshot & { state: OverlayState };
