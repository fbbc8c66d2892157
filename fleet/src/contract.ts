/**
 * Contract of the fleet: what is stored about many repositories, and the role that a store has to fill.
 *
 * A unit is the content of one file read as one language. An engine keeps one search row and one record for each unit,
 * and one view for each published ref. It only proposes units: `search/scoring` decides, from their payloads. Nothing of
 * a publication is visible before its view is swapped in, and everything is afterwards.
 */

/** Search row of a unit. Rows of one key may stand twice after a race; readers take a key once. */
export interface UnitRow {
  /** `unitKey`: 22 characters, the same on every machine. */
  key: string;
  /** `familyId` of the repository and its forks: 11 characters. Units are shared within a family only. */
  family: string;
  /** Terms as `extract/terms` cuts them, each as often as it occurs, and `definedAs` of those that name definitions, separated by single spaces. */
  terms: string;
  /** Unit vector of the whole file, as `search/dense` makes it; its length is `FleetProfile.dimensions`. */
  vector: Float32Array;
}

/** Record of a unit, for ranking and reading. */
export interface RecordRow {
  key: string;
  family: string;
  /** Hex id of the blob. */
  oid: string;
  /** Postings, chunks, definitions and vectors: `sealPayload`, read with `openPayload`. */
  payload: Uint8Array;
  /** Deflated blob behind a checksum, read with `openText`; empty where the fleet keeps no text. */
  text: Uint8Array;
  /** Seconds since 1970. Units that no view names are collected when they are a day old. */
  addedAt: number;
}

/** One published ref. */
export interface ViewRow {
  repo: string;
  ref: string;
  family: string;
  /** Hex id; '' for a branch that was deleted (tombstone). */
  commit: string;
  /** Commit that the view must have had before; '' if there was none, or a tombstone. */
  previous: string;
  /** Hex id of the commit's tree. */
  tree: string;
  /** Seconds since 1970. */
  publishedAt: number;
  /** Number of the commit's files that have units, and that its settings select. */
  covered: number;
  total: number;
  /** True for the repository's default branch. */
  isDefault: boolean;
  /** Files: `encodeFacts`, read with `decodeFacts`. Empty in heads. */
  facts: Uint8Array;
  /** Statistics of its terms: `encodeStats`, read with `decodeStats`. Empty in heads. */
  stats: Uint8Array;
  /** Its exports to and uses of other repositories: `encodeLinks`, read with `decodeLinks`. Empty in heads, or if unknown. */
  links: Uint8Array;
}

/** Identity of a fleet's contents. Another profile is another set of tables, side by side. */
export interface FleetProfile {
  /** `<syntax profile>-<vectors profile>`. */
  id: string;
  /** Numbers of a chunk's vector. */
  content: number;
  /** Numbers of a unit's vector: the chunk's, with those of the path behind it where another model made the chunk's. */
  dimensions: number;
}

export interface CandidateRequest {
  /** Terms of the query, as `parseQuery` gives them. */
  terms: readonly string[];
  /** `DenseQuery.place` of the query; null asks by words alone. */
  vector: Float32Array | null;
  /** Family ids to look in; null: all. */
  families: readonly string[] | null;
  /** Units of each of the two lists, 1 to 3,200. */
  count: number;
}

export interface UnitCandidate {
  key: string;
  family: string;
  /** BM25, or cosine; comparable within one list alone. */
  score: number;
}

/** Units proposed by words and by meaning, best first, each key once in a list. */
export interface Candidates {
  words: UnitCandidate[];
  vectors: UnitCandidate[];
}

/** Columns of views: `heads` has no bytes, `facts`, `stats` and `links` have one column of bytes, `all` has all. */
export type ViewParts = 'heads' | 'facts' | 'stats' | 'links' | 'all';

export interface ViewRequest {
  parts: ViewParts;
  /** Only these views (`viewKey`); default: all. */
  keys?: readonly string[];
  /** Only views of this repository. */
  repo?: string;
  /** Version that the caller has: the answer is null if nothing was published since. */
  since?: string;
}

export interface Views {
  version: string;
  /** In the order of repository and ref; tombstones are among them. */
  views: ViewRow[];
}

/** Rows to remove: everything of a family, some units, or views (`viewKey`). */
export type Removal = { family: string } | { units: readonly string[] } | { views: readonly string[] };

export interface MaintainRequest {
  /** Name of this process, for the lease and for people. */
  holder: string;
  /** Seconds since 1970. */
  now: number;
  /** Units that no view names are removed if they are older than this time, in seconds since 1970. */
  orphansBefore: number;
  /** Old versions of tables are removed if they are older than this time, in seconds since 1970. */
  versionsBefore: number;
  /** Milliseconds that reads and writes under way get before the files of older versions are deleted; default 5,000. */
  graceMs?: number;
  /** Optimizes even if few rows are unindexed, and builds the index of words anew, without those of removed units. */
  force?: boolean;
}

export interface MaintainReport {
  /** Units removed because no view names them. */
  orphans: number;
  /** Surplus rows of units that several publishers appended at the same time. */
  duplicates: number;
  /** Deleted branches whose tombstones were removed. */
  tombstones: number;
  optimized: boolean;
  /** Bytes on disk that old versions gave back. */
  freedBytes: number;
}

/** Holder of a lease; the holder may renew it, others may take it when it has run out. */
export interface Lease {
  holder: string;
  /** Seconds since 1970. */
  until: number;
}

export interface TableStatus {
  rows: number;
  /** Bytes of the newest version; null if the engine cannot tell. */
  bytes: number | null;
  /** Rows that the search indexes do not have yet; they are scanned. */
  unindexed: number;
}

export interface FleetStatus {
  profile: string;
  engine: string;
  tables: Record<'unit' | 'record' | 'view', TableStatus>;
  /** Maintainer; null if nobody holds the lease. */
  lease: Lease | null;
}

/**
 * Store of a fleet. Every method may be called from several processes at the same time. All throw FLEET_STORE if the store
 * cannot be reached or is damaged; a method that throws has changed nothing that a reader can see.
 */
export interface FleetEngine {
  readonly profile: FleetProfile;

  /** Stores units, records first. Repeating it is harmless. Throws INTERNAL for a vector of another length. */
  append(units: readonly UnitRow[], records: readonly RecordRow[]): Promise<void>;

  /** Returns the keys that the store lacks, in the given order. */
  missing(keys: readonly string[]): Promise<string[]>;

  /** Proposes units. Units of views that were never swapped in are among them: callers filter by the views they may use. */
  candidates(request: CandidateRequest): Promise<Candidates>;

  /** Records by key, without their texts; absent keys are left out. */
  records(keys: readonly string[]): Promise<Map<string, Omit<RecordRow, 'text'>>>;

  /** The payloads alone, as every question reads them. Read with `openPayload`, which checks the bytes. */
  payloads(keys: readonly string[]): Promise<Map<string, Uint8Array>>;

  /** Deflated texts by key; empty where the fleet keeps none. Read with `openText`. */
  texts(keys: readonly string[]): Promise<Map<string, Uint8Array>>;

  /** Views with the version of the table; null if nothing changed since `since`. */
  readViews(request: ViewRequest): Promise<Views | null>;

  /**
   * Publishes a view if the stored one has the commit `view.previous`: the only write that readers see. Returns false, and
   * changes nothing, if it has another commit. Of several calls with one `previous`, exactly one returns true.
   */
  swapView(view: ViewRow): Promise<boolean>;

  /** Removes rows. Their bytes go with the next `maintain` whose `versionsBefore` is later. */
  remove(what: Removal): Promise<void>;

  /** Reads what every question needs into memory, so that the first one need not wait for it. */
  warm(): Promise<void>;

  /** Collects, optimizes and cleans up. Null if another process holds the lease. */
  maintain(request: MaintainRequest): Promise<MaintainReport | null>;

  status(): Promise<FleetStatus>;

  /** Reads all that is stored, whoever names it. Returns the faults of tables and indexes; [] for a store that is whole. */
  verify(): Promise<string[]>;

  close(): Promise<void>;
}
