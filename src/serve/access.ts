/**
 * Decides which repositories a server may be asked about. Arguments come from a model that may have read hostile text, so they
 * can name only directories that the user has opened or allowed. Every decision is about real paths, with links resolved.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { realParts } from '../git/parts.js';
import { openRepository, type Repository } from '../git/repository.js';
import { isWithin } from '../session/linked/consent.js';

/** No system accepts longer paths. */
const MAX_PATH = 4_096;
const MAX_SHOWN = 200;

export class Access {
  private readonly trusted = new Set<string>();

  /** `directory`: the server's own, which relative paths start from. `allow`: further directories that the user named. */
  constructor(
    readonly directory: string,
    allow: readonly string[],
  ) {
    for (const path of allow) this.permit(resolve(path));
  }

  /** Allows an absolute directory and everything in it; a missing directory is ignored. */
  permit(path: string): void {
    const real = realPath(path);
    if (real !== null) this.trusted.add(real);
  }

  /** Directories allowed in addition to the server's own. */
  get allowed(): string[] {
    return [...this.trusted];
  }

  /**
   * Opens the repository that a path names: the server's own, or one in a trusted directory. `more` returns further trusted
   * directories. Throws BAD_ARGUMENT for any other path, existing or not, and the errors of opening.
   */
  async admit(path: string, home: Repository | null, more: () => Promise<string[]>): Promise<Repository> {
    const real = realPath(resolve(this.directory, plainPath(path)));
    if (real === null || !isDirectory(real)) throw this.refusal(path, home);
    const own = home === null ? [] : homesOf(home);
    if (home !== null && isWorktreeOf(real, home)) return openRepository(real);
    const trusted = [...own, ...this.trusted];
    const known = trusted.some((directory) => isWithin(real, directory));
    const all = known ? trusted : [...trusted, ...(await more()).flatMap((directory) => realPath(directory) ?? [])];
    const around = all.filter((directory) => isWithin(real, directory));
    if (around.length === 0) throw this.refusal(path, home);
    const repository = await openRepository(real);
    if (!(await belongsTo(repository, around, home))) throw this.refusal(path, home);
    return repository;
  }

  private refusal(path: string, home: Repository | null): SocraticodeError {
    const named = [...(home === null ? [] : [home.workTree ?? home.gitDir]), ...this.trusted].map(shown);
    const what = named.length === 0 ? 'none yet' : named.join(', ');
    return new SocraticodeError('BAD_ARGUMENT', `not a directory that this server answers about: ${shown(path)}`, {
      hint: `It answers about: ${what}. Others have to be allowed when the server is started.`,
    });
  }
}

function shown(path: string): string {
  return visibleLine(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path);
}

/** Returns the path that a text names; text that cannot be a path becomes one that never resolves. */
function plainPath(text: string): string {
  const isPath = text.length > 0 && text.length <= MAX_PATH && !text.includes('\0');
  const path = isPath ? fromUri(text) : null;
  // No path contains a NUL, so resolving it fails.
  return path === null || path.includes('\0') ? '\0' : path;
}

/** Converts a `file:` URI to a path and returns other text unchanged; null for a malformed URI or another machine's. */
export function fromUri(text: string): string | null {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return null;
  }
}

function realPath(path: string): string | null {
  try {
    // The native variant returns names as they are on disk, which matters where case is ignored.
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Returns the work tree and the git directories, which contain those of submodules. */
function homesOf({ workTree, gitDir, commonDir }: Repository): string[] {
  return [...(workTree === null ? [] : [workTree]), gitDir, commonDir].flatMap((path) => realPath(path) ?? []);
}

/**
 * Returns whether a repository belongs to one of the trusted directories: a `.git` file from an archive can lead to any
 * repository of this machine. Accepted are repositories inside a trusted directory, the one that contains it, and work trees
 * that their own repository lists.
 */
async function belongsTo(repository: Repository, around: readonly string[], home: Repository | null): Promise<boolean> {
  if (home?.commonDir === repository.commonDir && home.gitDir === repository.gitDir) return true;
  const parts = realParts(repository);
  const places = [...around, ...(home === null ? [] : homesOf(home))];
  if (parts?.every((part) => places.some((place) => isWithin(part, place)))) return true;
  if (isKnownWorktree(repository.gitDir, repository.commonDir, repository.workTree)) return true;
  for (const directory of around) {
    const own = await openRepository(directory).catch(() => null);
    if (own?.gitDir === repository.gitDir && own.commonDir === repository.commonDir) return true;
  }
  return false;
}

/** Returns whether a directory is in a work tree that `.git` and the repository's own list agree on. Runs no git. */
function isWorktreeOf(directory: string, { commonDir }: Repository): boolean {
  for (let at = directory; ; at = dirname(at)) {
    const target = gitFileTarget(join(at, '.git'));
    if (target !== undefined) return target !== null && isKnownWorktree(target, commonDir, at);
    if (dirname(at) === at) return false;
  }
}

/** Returns the target of a `.git` file; null for a directory, undefined if missing. */
function gitFileTarget(path: string): string | null | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile() || stat.size > MAX_PATH * 2) return null;
  const target = /^gitdir: (.*?)[\r\n]*$/s.exec(readFileSync(path, 'utf8'))?.[1];
  return target === undefined ? null : realPath(resolve(dirname(path), target));
}

function isKnownWorktree(gitDir: string, commonDir: string, workTree: string | null): boolean {
  const [real, common] = [realPath(gitDir), realPath(commonDir)];
  if (real === null || common === null || workTree === null || dirname(real) !== join(common, 'worktrees'))
    return false;
  try {
    const back = readFileSync(join(real, 'gitdir'), 'utf8').trim();
    return basename(back) === '.git' && realPath(resolve(real, dirname(back))) === realPath(workTree);
  } catch {
    return false;
  }
}
