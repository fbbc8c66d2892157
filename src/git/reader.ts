/**
 * Interface through which all snapshots are read, and its implementation with git. The other implementation, for machines
 * without git, is in `isomorphic.ts`; one contract test suite covers both.
 *
 *     const reader = new GitReader(git);
 *     const { tree } = await reader.resolve('main~2');
 *     for (const { path, oid } of await reader.list(tree)) …
 */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { CatFileReader, COMPUTING_MS, isSearched, type ObjectReader } from './objects.js';
import { type Git, NOTHING_THERE } from './process.js';
import { listMissing, listTree, type ResolvedRef, resolveRef, type TreeEntry } from './snapshot.js';

/** Read-only access to snapshots. Objects never change; refs are looked up each time. */
export interface SnapshotReader extends ObjectReader {
  /** Resolves a name to commit and tree. Throws UNKNOWN_REF, UNBORN_HEAD (no commit yet) or UNREADABLE_OBJECT. */
  resolve(ref: string): Promise<ResolvedRef>;
  /**
   * Lists all entries below a tree in git's order, without directories. Throws BAD_ARGUMENT beyond a million entries, and
   * GIT_FAILED or UNREADABLE_OBJECT if a tree cannot be read.
   */
  list(tree: string): Promise<TreeEntry[]>;
}

export class GitReader extends CatFileReader implements SnapshotReader {
  /** `partial`: a partial clone, where `list` first asks which objects are missing. */
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

  /** Throws UNREADABLE_OBJECT if the ref exists and its commit or tree is missing, which looks like an unknown ref. */
  private async refuseMissing(ref: string, name: string): Promise<void> {
    if (isSearched(name)) return;
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', name];
    const { code, stdout } = await this.git.run(args, { allow: NOTHING_THERE, deadline: COMPUTING_MS });
    const oid = stdout.toString('latin1').trim();
    if (code === 0 && /^[0-9a-f]{40,64}$/.test(oid))
      throw new SocraticodeError('UNREADABLE_OBJECT', `what ${ref} names is missing: ${oid}, or its tree`);
  }

  async list(tree: string): Promise<TreeEntry[]> {
    if (this.partial) this.setMissing(await listMissing(this.git, tree));
    return listTree(this.git, tree);
  }
}
