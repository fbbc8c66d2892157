/**
 * The role every snapshot is read through, and its implementation by git itself. The second implementation, for
 * machines without git, is `isomorphic.ts`; one contract suite runs over both.
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { CatFileReader, type ObjectReader } from './objects.js';
import type { Git } from './process.js';
import { listMissing, listTree, type ResolvedRef, resolveRef, type TreeEntry } from './snapshot.js';

/** Reads only, and reads the same however often it is asked: objects never change, refs are looked up each time. */
export interface SnapshotReader extends ObjectReader {
  /** The commit and tree a name stands for. Throws UNKNOWN_REF, UNBORN_HEAD for a HEAD without commits, or UNREADABLE_OBJECT. */
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

  async resolve(ref: string): Promise<ResolvedRef> {
    try {
      return await resolveRef(this, ref);
    } catch (error) {
      if (isSocraticodeError(error, 'UNBORN_HEAD')) await this.refuseMissing(ref, ref);
      if (isSocraticodeError(error, 'UNKNOWN_REF')) await this.refuseMissing(ref, `${ref}^{commit}`);
      throw error;
    }
  }

  /** A commit that is gone, or its tree, looks like none at all. Throws UNREADABLE_OBJECT. */
  private async refuseMissing(ref: string, name: string): Promise<void> {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
    const { code, stdout } = await this.git.run(args, { allow: [1, 128] });
    const oid = stdout.toString('latin1').trim();
    if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid))
      throw new SocraticodeError('UNREADABLE_OBJECT', `what ${ref} names is missing: ${oid}, or its tree`);
  }

  async list(tree: string): Promise<TreeEntry[]> {
    if (this.partial) this.setMissing(await listMissing(this.git, tree));
    return listTree(this.git, tree);
  }
}
