/** Lines of files that a range changed. */
import { type LineChange, lineChanges } from '../../../base/line-changes.js';
import { diffTrees } from '../../../git/diff.js';
import { type FoundFile, MAX_READ_BYTES } from '../../../session/files/tree-file.js';
import { type Baseline, parseRange, readBaseline } from '../../../session/snapshot/range.js';
import type { Asker } from '../../asker.js';
import type { Change } from '../output.js';

/** Changes of one file, in order. */
export interface FileChanges {
  changes: Change[];
  /** Remark for the reader; '' for none. */
  note: string;
}

export interface RangeChanges {
  /** Older side. */
  baseline: Baseline;
  /** Former paths of files that were renamed. */
  renamed: ReadonlySet<string>;
  of(file: FoundFile): Promise<FileChanges>;
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. `tree`: the newer side as committed. */
export async function openChanges({ session, signal }: Asker, range: string, tree: string): Promise<RangeChanges> {
  const baseline = await readBaseline(session, parseRange(range));
  const { git } = session.repository;
  const renames =
    baseline.commit === null ? [] : await diffTrees(git, baseline.commit, tree, { renames: 'only', signal });
  const former = new Map(renames.map(({ path, oldPath = path }) => [path, oldPath]));
  const known = new Map<string, FileChanges>();
  return {
    baseline,
    renamed: new Set(former.values()),
    async of(file) {
      let changes = known.get(file.path);
      if (changes === undefined) {
        changes = await changesOf(session, file, { baseline, from: former.get(file.path) });
        known.set(file.path, changes);
      }
      return changes;
    },
  };
}

/** `from`: path before a rename. */
async function changesOf(
  { objects }: Asker['session'],
  file: FoundFile,
  { baseline, from }: { baseline: Baseline; from: string | undefined },
): Promise<FileChanges> {
  const old = baseline.at(file.path) ?? (from === undefined ? undefined : baseline.at(from));
  const note = from === undefined ? '' : `was ${from}`;
  if (old === file.oid || (old === undefined && baseline.blobs.has(file.oid))) return { changes: [], note };
  const fresh = linesOf(file.bytes);
  const all = { changes: [{ line: 1, added: fresh.length, removed: 0 }] };
  if (old === undefined) return { ...all, note: 'new' };
  const info = await objects.info(old);
  const object = info?.type === 'blob' && info.size <= MAX_READ_BYTES ? await objects.read(old) : null;
  if (object === null) return { ...all, note: 'its older version cannot be read: every line counts as new' };
  return { changes: numbered(lineChanges(linesOf(object.content), fresh)), note };
}

function linesOf(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Changes with the lines of the newer text. */
function numbered(changes: readonly LineChange[]): Change[] {
  let shift = 0;
  return changes.map(({ first, old, fresh }) => {
    const line = first + shift + 1;
    shift += fresh.length - old.length;
    return { line, added: fresh.length, removed: old.length };
  });
}
