/** An artifact inside the repository: what of it the snapshot holds, what of that is indexed, and why the rest is not. */
import type { Artifact } from '../../../config/context-artifacts.js';
import { liesIn } from '../../../config/context-artifacts.js';
import type { WorkTreeChange } from '../../../git/changes.js';
import type { ObjectReader } from '../../../git/objects.js';
import type { SnapshotReader } from '../../../git/reader.js';
import { entryType, rawEntries, TREE_MODE, type TreeEntry } from '../../../git/snapshot.js';
import { languageOfPath, skipReason } from '../../../indexer/catalog.js';
import type { Selection } from '../../../overlay/scan.js';
import { isSearchable } from '../../../session/snapshot/coverage.js';
import type { LexicalShard } from '../../../shard/lexical.js';
import { lookUpUnit } from '../../../shard/live.js';

export interface InsideContext {
  objects: SnapshotReader;
  tree: string;
  /** In a partial clone: listing tells what is missing, and what is, is missing from the whole tree. */
  partial: boolean;
  selection: Selection;
  shards: readonly LexicalShard[];
  unreadable: ReadonlySet<string>;
  /** Uncommitted changes, for questions about the work tree. */
  changes: readonly WorkTreeChange[];
}

/** One file of an artifact. */
export interface ArtifactFile {
  path: string;
  /** Null for a file with uncommitted changes: its content is that of the work tree. */
  oid: string | null;
  /** The bytes of such a path, for the file system. */
  name: Buffer | null;
  /** Bytes; null if not read yet. */
  size: number | null;
  /** Why it is not searched; null if it is, or will be. */
  reason: string | null;
  /** Chunks of it in the index; null if it is not indexed. */
  chunks: number | null;
}

export interface InsideArtifact {
  /** Its blob or tree; null where the snapshot has nothing of that name. */
  oid: string | null;
  files: ArtifactFile[];
}

/** Names are compared as bytes: in a tree they need not be text. */
async function findEntry(objects: ObjectReader, tree: string, path: string) {
  const parts = path.split('/').map((part) => Buffer.from(part));
  let at: { mode: string; oid: string } = { mode: TREE_MODE, oid: tree };
  for (const part of parts) {
    const object = at.mode === TREE_MODE ? await objects.read(at.oid) : null;
    if (object?.type !== 'tree') return null;
    const entries = [...rawEntries(object.content, tree.length / 2)];
    const found = entries.find((entry) => entry.path.equals(part));
    if (found === undefined) return null;
    at = found;
  }
  return at;
}

/** Everything below a path of a tree; throws what listing throws. */
async function listEntries({ objects, tree, partial }: InsideContext, path: string) {
  const entry = await findEntry(objects, tree, path);
  if (entry === null) return { oid: null, entries: [] };
  const { mode, oid } = entry;
  if (mode !== TREE_MODE) return { oid, entries: [{ path, oid, type: entryType(mode) }] };
  if (partial) return { oid, entries: (await objects.list(tree)).filter((each) => liesIn(each.path, path)) };
  const below = await objects.list(oid);
  return { oid, entries: below.map((each): TreeEntry => ({ ...each, path: `${path}/${each.path}` })) };
}

export async function inspectInside(context: InsideContext, { inside }: Artifact): Promise<InsideArtifact> {
  const path = inside ?? '';
  const { oid, entries } = await listEntries(context, path);
  const changes = context.changes.filter((change) => liesIn(change.path, path));
  const changed = new Set(changes.map((change) => change.path));
  const files = await Promise.all(
    entries.filter((entry) => !changed.has(entry.path)).map((entry) => committedFile(context, entry)),
  );
  const present = changes.filter(({ isFile }) => isFile);
  return { oid, files: [...files, ...present.map((change) => uncommittedFile(context, change))] };
}

async function committedFile(context: InsideContext, entry: TreeEntry): Promise<ArtifactFile> {
  const { selection, shards, unreadable, objects } = context;
  const { path, oid } = entry;
  const reason = skipReason(entry, selection);
  if (reason !== null) return { path, oid, name: null, size: null, reason, chunks: null };
  const language = languageOfPath(path, selection.languages);
  const unit = lookUpUnit(shards, { path, oid, language, generated: false, vendored: false });
  if (unit === null) {
    const size = (await objects.info(oid))?.size ?? null;
    const isTooLarge = size !== null && size > selection.maxFileBytes;
    const unknown = unreadable.has(oid) ? 'unreadable' : null;
    return { path, oid, name: null, size, reason: isTooLarge ? 'too-large' : unknown, chunks: null };
  }
  const { size, state } = unit;
  const file = { path, oid, name: null, size };
  if (isSearchable(unit, selection.maxFileBytes))
    return { ...file, reason: null, chunks: shards[unit.shard].unitDocuments[unit.unit] };
  const isTooLarge = state === null || size > selection.maxFileBytes;
  return { ...file, reason: isTooLarge ? 'too-large' : state, chunks: null };
}

function uncommittedFile({ selection }: InsideContext, { path, name }: WorkTreeChange): ArtifactFile {
  const reason = skipReason({ path, type: 'file' }, selection);
  return { path, oid: null, name, size: null, reason, chunks: null };
}
