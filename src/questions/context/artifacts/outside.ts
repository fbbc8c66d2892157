/**
 * Artifacts outside of the repository: their files, parsed and kept on this machine for this work tree alone, and added
 * to a snapshot's corpus, so that one ranking knows both. The built-in model makes their vectors: nothing is sent anywhere.
 */
import { log } from '../../../base/log.js';
import type { Artifact } from '../../../config/context-artifacts.js';
import type { ObjectReader } from '../../../git/objects.js';
import { type OverlayState, WorkTreeOverlay } from '../../../overlay/overlay.js';
import type { Corpus } from '../../../search/corpus.js';
import { patchCorpus } from '../../../search/corpus-patch.js';
import { Consent } from '../../../session/linked/consent.js';
import type { Session } from '../../../session/session.js';
import type { Snapshot, SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import { IdleParsers } from '../../../session/speculation.js';
import type { LexicalShard } from '../../../shard/lexical.js';
import type { CatalogFile } from '../../../shard/live.js';
import { listOutside, locateOutside, type OutsideFiles, outsidePath } from './outside-files.js';
import { storeDirectory } from './outside-store.js';

/** Each is looked at for every question. */
export const MAX_OUTSIDE = 16;

/** Why an artifact cannot be read. */
export type Refusal = 'missing' | 'not-allowed' | 'too-many';

/** An outside artifact that may be read. */
export interface FoundOutside {
  artifact: Artifact;
  files: OutsideFiles;
}

/** Outside artifacts as they are now, ready to be searched. */
export interface OutsideSnapshot {
  files: CatalogFile[];
  /** Artifact of each path. */
  nameOf: ReadonlyMap<string, string>;
  /** Files read and parsed this time. */
  parsed: number;
  extend: (snapshot: Snapshot) => Snapshot;
  /** Has a file changed since it was found, so that its text cannot be shown? */
  hasMoved: (path: string) => boolean;
}

interface Refreshed {
  artifact: Artifact;
  state: OverlayState;
  directory: string;
  parsed: number;
  files: CatalogFile[];
}

export class OutsideArtifacts {
  private readonly parsers = new IdleParsers();
  /** By directory of what is kept. */
  private readonly overlays = new Map<string, WorkTreeOverlay>();
  private readonly patched = new WeakMap<Corpus, { key: string; patch: Pick<Snapshot, 'corpus' | 'overlayShards'> }>();
  /** One at a time brings them up to date. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly session: Session) {
    session.onClose(() => this.parsers.stop());
  }

  /** Finds the artifacts that the settings of an origin allow to be read. Reads names only. Throws BAD_CONFIG. */
  async find(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
  ): Promise<{ found: FoundOutside[]; refused: Map<string, Refusal>; maxFileBytes: number }> {
    const { config } = await this.session.configOfOrigin(origin);
    const { workTree, gitDir } = this.session.repository;
    const { maxFileBytes } = config;
    const consent = new Consent(workTree ?? gitDir, config.context.allow);
    const found: FoundOutside[] = [];
    const refused = new Map<string, Refusal>();
    for (const artifact of artifacts) {
      const place = found.length < MAX_OUTSIDE ? locateOutside(artifact.path, consent) : 'too-many';
      if (typeof place === 'string') refused.set(artifact.name, place);
      else found.push({ artifact, files: listOutside(place, { maxFileBytes }) });
    }
    return { found, refused, maxFileBytes };
  }

  /** Parses what has changed. Throws what parsing throws, and CANCELLED. */
  refresh(found: readonly FoundOutside[], maxFileBytes: number, signal?: AbortSignal): Promise<OutsideSnapshot> {
    const turn = this.turn
      .catch(() => {})
      .then(async () => {
        const refreshed: Refreshed[] = [];
        for (const each of found) refreshed.push(await this.refreshOne(each, maxFileBytes, signal));
        this.parsers.rest();
        return this.snapshot(refreshed);
      });
    this.turn = turn;
    return turn;
  }

  /** Forgets what this process holds in memory. */
  clear(): void {
    this.overlays.clear();
  }

  private async refreshOne(
    { artifact, files }: FoundOutside,
    maxFileBytes: number,
    signal?: AbortSignal,
  ): Promise<Refreshed> {
    const { repository, shards, objects } = this.session;
    const directory = storeDirectory(this.session, files);
    let overlay = this.overlays.get(directory);
    if (overlay === undefined) {
      overlay = new WorkTreeOverlay({ ...repository, workTree: files.root }, shards.directory, directory);
      this.overlays.set(directory, overlay);
    }
    let parsed = 0;
    const state = await overlay.refresh(
      { commit: null, list: files.list },
      {
        // Chosen when they were listed.
        ...{ select: () => null, languages: {}, maxFileBytes, committed: [] },
        ...{ objects, parsers: () => this.parsers.get(), signal },
        onFacts: () => parsed++,
      },
    );
    overlay.save();
    const shown = state.files.map((file) => ({ ...file, path: outsidePath(files, file.path) }));
    return { artifact, state, directory, parsed, files: shown };
  }

  private snapshot(refreshed: readonly Refreshed[]): OutsideSnapshot {
    const nameOf = new Map<string, string>();
    const files: CatalogFile[] = [];
    for (const { artifact, files: own } of refreshed) {
      for (const file of own) {
        if (nameOf.has(file.path)) continue;
        nameOf.set(file.path, artifact.name);
        files.push(file);
      }
    }
    return {
      files,
      nameOf,
      parsed: refreshed.reduce((sum, { parsed }) => sum + parsed, 0),
      extend: (snapshot) => this.extend(snapshot, refreshed, files),
      hasMoved: (path) => {
        const oid = files.find((file) => file.path === path)?.oid;
        return oid !== undefined && refreshed.some(({ state }) => state.objects.moved.has(oid));
      },
    };
  }

  private extend(base: Snapshot, refreshed: readonly Refreshed[], files: CatalogFile[]): Snapshot {
    const objects = readerOf(base.objects, refreshed);
    const key = JSON.stringify(refreshed.map(({ directory, state }) => [directory, state.key]));
    const known = this.patched.get(base.corpus);
    if (known?.key === key) return { ...base, ...known.patch, objects };
    const shards = refreshed.flatMap(({ state }) => state.shards);
    const own = refreshed.flatMap(({ state, directory }): [LexicalShard, string][] =>
      state.shards.map((shard) => [shard, directory]),
    );
    const corpus = patchCorpus(base.corpus, {
      ...{ removed: new Set<string>(), added: files, shards },
      attributesOf: () => ({ generated: false, vendored: false }),
    });
    const patch = { corpus, overlayShards: new Map([...(base.overlayShards ?? []), ...own]) };
    this.patched.set(base.corpus, { key, patch });
    log.debug(`${files.length} files of outside artifacts are searched, too`);
    return { ...base, ...patch, objects };
  }
}

/** Text comes from the very bytes that were indexed, or not at all: each reader knows the files of one artifact. */
function readerOf(base: ObjectReader, refreshed: readonly Refreshed[]): ObjectReader {
  const readers = new Map<string, ObjectReader>();
  for (const { state } of refreshed) for (const { oid } of state.files) readers.set(oid, state.objects);
  const of = (name: string) => readers.get(name) ?? base;
  return {
    read: (name) => of(name).read(name),
    info: (name) => of(name).info(name),
    close: () => {},
  };
}
