/** The files of a snapshot, for looking up anchors: as committed, or as the work tree has them. Secrets and binary files do not exist in it. */

import { remember } from '../../base/remember.js';
import { skipReason } from '../../extract/content.js';
import { diffTrees } from '../../git/diff.js';
import { MAX_ANCHORED_BYTES } from '../../knowledge/anchor.js';
import type { AnchoredSnapshot, ChangedFile, SnapshotFile } from '../../knowledge/resolve.js';
import { TreeFiles } from '../files/tree-file.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';

/** Older texts that are kept, and paths of one blob that are looked at. */
const TEXTS_KEPT = 16;
/** Texts of the snapshot that are kept, and the largest of them: notes whose lines moved search the same files again. */
const FILES_KEPT = 2_000;
const MAX_KEPT_BYTES = 64 << 10;
/** Files that differ from one commit; of more, moved lines are not looked for. */
const MAX_CHANGED = 50_000;

export class AnchoredFiles implements AnchoredSnapshot {
  private opening: Promise<TreeFiles> | null = null;
  private readonly texts = new Map<string, Promise<SnapshotFile | null>>();
  private readonly old = new Map<string, Promise<Buffer | null>>();
  private readonly changed = new Map<string, Promise<readonly ChangedFile[] | null>>();
  private blobs: Promise<ReadonlyMap<string, string[]>> | null = null;
  private uncommitted: readonly string[] = [];

  /** `worktree`: uncommitted changes belong to the snapshot. */
  constructor(
    private readonly session: Session,
    private readonly origin: SnapshotOrigin,
    private readonly worktree: boolean,
  ) {}

  /** Git is asked for uncommitted changes once, with the first file. */
  private get files(): Promise<TreeFiles> {
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<TreeFiles> {
    const { readChanges } = this.session;
    const changes = this.worktree && readChanges !== null ? (await readChanges()).list : [];
    this.uncommitted = changes.map(({ path }) => path);
    const byPath = new Map(changes.map((change) => [change.path, change]));
    return new TreeFiles(this.session, this.origin, this.worktree, byPath);
  }

  read(path: string): Promise<SnapshotFile | null> {
    const known = this.texts.get(path) ?? this.readNow(path);
    remember(this.texts, path, known, FILES_KEPT);
    return known;
  }

  private async readNow(path: string): Promise<SnapshotFile | null> {
    const found = await (await this.files).find(path);
    if (found?.kind !== 'file' || found.bytes.length > MAX_ANCHORED_BYTES) return null;
    if (found.bytes.length > MAX_KEPT_BYTES) this.texts.delete(path);
    return { path, oid: found.oid, bytes: found.bytes };
  }

  async pathsOf(blob: string): Promise<readonly string[]> {
    this.blobs ??= this.listBlobs();
    const paths = (await this.blobs).get(blob) ?? [];
    // A path of the tree may be deleted or changed in the work tree, and secrets stay unseen.
    const same = await Promise.all(paths.slice(0, TEXTS_KEPT).map((path) => this.read(path)));
    return same.flatMap((file) => (file?.oid === blob ? [file.path] : []));
  }

  private async listBlobs(): Promise<Map<string, string[]>> {
    const blobs = new Map<string, string[]>();
    const add = (oid: string, path: string) => {
      const paths = blobs.get(oid);
      if (paths === undefined) blobs.set(oid, [path]);
      else paths.push(path);
    };
    for (const { oid, path, type } of await this.session.objects.list(this.origin.resolved.tree))
      if (type === 'file' || type === 'executable') add(oid, path);
    await this.files;
    for (const path of this.uncommitted) {
      const file = await this.read(path);
      if (file !== null) add(file.oid, path);
    }
    return blobs;
  }

  changedSince(commit: string): Promise<readonly ChangedFile[] | null> {
    const known = this.changed.get(commit) ?? this.compare(commit);
    this.changed.set(commit, known);
    return known;
  }

  private async compare(commit: string): Promise<readonly ChangedFile[] | null> {
    const { session, origin } = this;
    if ((await session.objects.info(commit))?.type !== 'commit') return null;
    const options = { renames: true, limit: MAX_CHANGED };
    const changes = await diffTrees(session.repository.git, commit, origin.resolved.tree, options).catch(() => []);
    await this.files;
    const kept = changes.flatMap(({ path, oldPath, newOid }): ChangedFile[] =>
      newOid === null ? [] : [{ path, ...(oldPath !== undefined && { oldPath }) }],
    );
    const known = new Set(kept.map(({ path }) => path));
    return [...kept, ...this.uncommitted.flatMap((path) => (known.has(path) ? [] : [{ path }]))];
  }

  readOld(blob: string): Promise<Buffer | null> {
    const known = this.old.get(blob) ?? this.readBlob(blob);
    remember(this.old, blob, known, TEXTS_KEPT);
    return known;
  }

  private async readBlob(blob: string): Promise<Buffer | null> {
    const { objects } = this.session;
    const info = await objects.info(blob);
    if (info?.type !== 'blob' || info.size > MAX_ANCHORED_BYTES) return null;
    const content = (await objects.read(blob))?.content ?? null;
    // An entry can name any blob; one that holds secrets is not shown for it.
    return content === null || ['secret', 'binary'].includes(`${skipReason(content)}`) ? null : content;
  }
}
