/**
 * Snapshots read through isomorphic-git, so that an indexed repository can be searched on a machine without git. It only reads:
 * isomorphic-git is slower than git, takes more memory, writes notes without fan-out, and writes wrong files in linked work trees.
 * Supported names are `NAME`, `NAME~2^1`, `NAME^{commit}` and `NAME^{tree}`.
 */
import fs, { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as git from 'isomorphic-git';
import { SocraticodeError } from '../base/errors.js';
import {
  decodePath,
  entryType,
  type GitObject,
  MAX_TREE_ENTRIES,
  type ObjectInfo,
  type ResolvedRef,
  rawEntries,
  type SnapshotReader,
  TREE_MODE,
  type TreeEntry,
  tooManyEntries,
} from './objects.js';
import { Git } from './process.js';
import type { ConfigEntry, Repository } from './repository.js';

const OID_BYTES = 20;
const SUFFIX = /(?:~(\d*)|\^(\d+)|\^\{(commit|tree)?\}|\^)$/;

/** Finds the repository around a directory by its files. Throws NOT_A_REPOSITORY, or GIT_MISSING for SHA-256. */
export async function openWithoutGit(directory?: string): Promise<Repository> {
  const start = resolve(directory ?? '.');
  for (let at = start; ; at = dirname(at)) {
    const gitDir = gitDirectoryOf(at);
    if (gitDir !== null) return describe(gitDir, gitDir === at ? null : at);
    if (dirname(at) === at) throw new SocraticodeError('NOT_A_REPOSITORY', `${start} is not in a git repository`);
  }
}

function gitDirectoryOf(directory: string): string | null {
  const dotGit = join(directory, '.git');
  const stat = statSync(dotGit, { throwIfNoEntry: false });
  if (stat?.isDirectory() && existsSync(join(dotGit, 'HEAD'))) return realpathSync(dotGit);
  if (stat?.isFile()) {
    const target = /^gitdir: (.*)$/m.exec(readFileSync(dotGit, 'utf8'))?.[1];
    if (target !== undefined) return realpathSync(resolve(directory, target));
  }
  const isBare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(directory, name)));
  return isBare ? realpathSync(directory) : null;
}

async function describe(gitDir: string, workTree: string | null): Promise<Repository> {
  const common = join(gitDir, 'commondir');
  const commonDir = existsSync(common) ? realpathSync(resolve(gitDir, readFileSync(common, 'utf8').trim())) : gitDir;
  const format = await git.getConfig({ fs, gitdir: commonDir, path: 'extensions.objectformat' });
  if (format !== undefined && format !== 'sha1') {
    throw new SocraticodeError('GIT_MISSING', `without git, ${String(format)} repositories cannot be read`);
  }
  return {
    git: new Git(workTree ?? gitDir),
    gitDir,
    commonDir,
    workTree,
    objectFormat: 'sha1',
    bare: workTree === null,
  };
}

/** Reads settings of the repository's own configuration, but not those of the user and the system. */
export async function readConfigWithoutGit(repository: Repository, keys: readonly string[]): Promise<ConfigEntry[]> {
  const origin = `file:${join(repository.commonDir, 'config')}`;
  const entries: ConfigEntry[] = [];
  for (const key of keys) {
    const values: unknown[] = await git.getConfigAll({ fs, gitdir: repository.commonDir, path: key });
    for (const value of values) entries.push({ key: key.toLowerCase(), value: String(value), scope: 'local', origin });
  }
  return entries;
}

/** The branch that is checked out, and the names of the remotes. */
export async function branchAndRemotesWithoutGit({ gitDir, commonDir }: Repository) {
  const [branch, remotes] = await Promise.all([
    git.currentBranch({ fs, gitdir: gitDir }),
    git.listRemotes({ fs, gitdir: commonDir }),
  ]);
  return { branch: branch || null, remotes: remotes.map(({ remote }) => remote) };
}

/** Counts the files that differ from HEAD. Unlike git it counts each file of an untracked directory. */
export async function countDirtyWithoutGit(repository: Repository): Promise<number> {
  const { workTree, gitDir, commonDir } = repository;
  // In a linked work tree isomorphic-git would compare with the main one's index.
  if (workTree === null || gitDir !== commonDir) return 0;
  const rows = await git.statusMatrix({ fs, dir: workTree, gitdir: gitDir }).catch((cause) => {
    throw borrows(repository) ? borrowed(cause) : cause;
  });
  return rows.filter(([, head, workdir, stage]) => !(head === 1 && workdir === 1 && stage === 1)).length;
}

/** Returns whether objects may be in another repository, as after `git clone --shared`. isomorphic-git reads only the clone's own. */
function borrows({ commonDir }: Repository): boolean {
  const path = join(commonDir, 'objects', 'info', 'alternates');
  return existsSync(path) && readFileSync(path, 'utf8').trim() !== '';
}

const borrowed = (cause: unknown): SocraticodeError =>
  new SocraticodeError('GIT_MISSING', 'objects of this clone are in another repository, which only git reads', {
    cause,
  });

/** Longest chain of tags of tags that is followed. */
const MAX_TAGS = 16;

export class IsomorphicReader implements SnapshotReader {
  private readonly cache = {};

  constructor(private readonly repository: Repository) {
    if (repository.objectFormat !== 'sha1') {
      throw new SocraticodeError('GIT_MISSING', 'without git, SHA-256 repositories cannot be read');
    }
  }

  async resolve(ref: string): Promise<ResolvedRef> {
    const oid = await this.revision(ref);
    const object = oid === null ? null : await this.peel(oid);
    if (object?.type === 'commit') return { ref, commit: object.oid, tree: treeOf(object) };
    if (object?.type === 'tree') return { ref, commit: null, tree: object.oid };
    if (ref === 'HEAD') throw new SocraticodeError('UNBORN_HEAD', 'HEAD has no commit yet');
    throw new SocraticodeError('UNKNOWN_REF', `unknown ref: ${ref}`, {
      hint: 'Without git only branches, tags, commits, ~n and ^n are understood.',
    });
  }

  async list(tree: string): Promise<TreeEntry[]> {
    const entries: TreeEntry[] = [];
    await this.walk(tree, Buffer.alloc(0), entries);
    return entries;
  }

  async read(name: string): Promise<GitObject | null> {
    const oid = await this.revision(name);
    return oid === null ? null : this.object(oid);
  }

  async info(name: string): Promise<ObjectInfo | null> {
    const object = await this.read(name);
    return object === null ? null : { oid: object.oid, type: object.type, size: object.content.length };
  }

  close(): void {}

  private async walk(tree: string, prefix: Buffer, entries: TreeEntry[]): Promise<void> {
    const object = await this.object(tree);
    if (object?.type !== 'tree') throw new SocraticodeError('UNREADABLE_OBJECT', `cannot read tree ${tree}`);
    for (const { mode, path, oid } of rawEntries(object.content, OID_BYTES)) {
      const whole = Buffer.concat([prefix, path]);
      if (mode === TREE_MODE) await this.walk(oid, Buffer.concat([whole, Buffer.from('/')]), entries);
      else entries.push({ path: decodePath(whole), oid, type: entryType(mode) });
      if (entries.length > MAX_TREE_ENTRIES) throw tooManyEntries(MAX_TREE_ENTRIES);
    }
  }

  private async object(oid: string): Promise<GitObject | null> {
    const { commonDir: gitdir } = this.repository;
    try {
      const { object, type } = await git.readObject({ fs, gitdir, oid, format: 'content', cache: this.cache });
      return { oid, type: type as GitObject['type'], content: Buffer.from(object as Uint8Array) };
    } catch (cause) {
      if (cause instanceof git.Errors.NotFoundError) {
        if (borrows(this.repository)) throw borrowed(cause);
        return null;
      }
      throw new SocraticodeError('UNREADABLE_OBJECT', `cannot read ${oid}: ${(cause as Error).message}`, { cause });
    }
  }

  /** Follows annotated tags to the tagged object. Only an attacker makes a chain of a million tags, which would take minutes. */
  private async peel(oid: string): Promise<GitObject | null> {
    let object = await this.object(oid);
    for (let depth = 0; object?.type === 'tag' && depth < MAX_TAGS; depth++) {
      const target = /^object ([0-9a-f]{40})\n/.exec(object.content.toString('latin1'))?.[1];
      object = target === undefined ? null : await this.object(target);
    }
    return object;
  }

  /** Resolves a revision expression to an oid, or null. */
  private async revision(name: string): Promise<string | null> {
    const suffix = SUFFIX.exec(name);
    if (suffix === null) return this.lookUp(name);
    const base = await this.revision(name.slice(0, suffix.index));
    const object = base === null ? null : await this.peel(base);
    if (object === null) return null;
    const [, generations, parent, type] = suffix;
    if (type === 'tree') return object.type === 'commit' ? treeOf(object) : object.type === 'tree' ? object.oid : null;
    if (object.type !== 'commit') return suffix[0] === '^{}' ? object.oid : null;
    if (suffix[0] === '^{}' || type === 'commit') return object.oid;
    if (generations !== undefined) return this.ancestor(object, generations === '' ? 1 : Number(generations));
    return parent === '0' ? object.oid : (parentsOf(object)[Number(parent ?? 1) - 1] ?? null);
  }

  private async ancestor(commit: GitObject, generations: number): Promise<string | null> {
    let at: GitObject | null = commit;
    for (let i = 0; i < generations && at !== null; i++) {
      const [first] = parentsOf(at);
      at = first === undefined ? null : await this.object(first);
    }
    return at?.oid ?? null;
  }

  private async lookUp(name: string): Promise<string | null> {
    const { commonDir: gitdir, gitDir } = this.repository;
    if (/^[0-9a-f]{40}$/.test(name)) return name;
    if (name === '' || name.startsWith('-') || /[\0-\x20:?*[\\]|\.\./.test(name)) return null;
    try {
      // HEAD belongs to the work tree, everything else to the repository.
      if (name === 'HEAD' || name === '@') return await this.head(join(gitDir, 'HEAD'));
      return await git.resolveRef({ fs, gitdir, ref: name });
    } catch {
      if (!/^[0-9a-f]{4,39}$/.test(name)) return null;
      return git.expandOid({ fs, gitdir, oid: name, cache: this.cache }).catch(() => null);
    }
  }

  private head(path: string): Promise<string> {
    const text = readFileSync(path, 'utf8').trim();
    const ref = /^ref: (.*)$/.exec(text)?.[1] ?? text;
    return git.resolveRef({ fs, gitdir: this.repository.commonDir, ref });
  }
}

function treeOf(commit: GitObject): string {
  return /^tree ([0-9a-f]{40})\n/.exec(commit.content.toString('latin1'))?.[1] ?? '';
}

function parentsOf(commit: GitObject): string[] {
  const [header] = commit.content.toString('latin1').split('\n\n');
  return [...header.matchAll(/^parent ([0-9a-f]{40})$/gm)].map(([, oid]) => oid);
}
