/**
 * The role every snapshot is read through, and its implementation by git itself. The second implementation, for
 * machines without git, is `isomorphic.ts`; one contract suite runs over both.
 */
import { CatFileReader, type ObjectReader } from './objects.js';
import type { Git } from './process.js';
import { listMissing, listTree, type ResolvedRef, resolveRef, type TreeEntry } from './snapshot.js';

/** Reads only, and reads the same however often it is asked: objects never change, refs are looked up each time. */
export interface SnapshotReader extends ObjectReader {
  /** The commit and tree a name stands for. Throws UNKNOWN_REF, or UNBORN_HEAD for a HEAD without commits. */
  resolve(ref: string): Promise<ResolvedRef>;
  /**
   * Every entry below a tree in git's order, directories themselves left out. Throws BAD_ARGUMENT past a million
   * entries, and GIT_FAILED or UNREADABLE_OBJECT if a tree cannot be read.
   */
  list(tree: string): Promise<TreeEntry[]>;
}

export class GitReader extends CatFileReader implements SnapshotReader {
  /** `partial`: objects may be missing, so that it pays to ask which before asking for them. */
  constructor(
    private readonly git: Git,
    private readonly partial = false,
  ) {
    super(git);
  }

  resolve(ref: string): Promise<ResolvedRef> {
    return resolveRef(this, ref);
  }

  async list(tree: string): Promise<TreeEntry[]> {
    if (this.partial) this.setMissing(await listMissing(this.git, tree));
    return listTree(this.git, tree);
  }
}
