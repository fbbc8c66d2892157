/**
 * Which repositories a server may be asked about. Arguments come from a model that has read who knows what: they name what
 * the user has opened already, or nothing. Every decision is about real paths, links resolved.
 */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { realParts } from '../git/parts.js';
import { openRepository, type Repository } from '../git/repository.js';
import { isWithin } from '../session/linked/consent.js';

/** Longer than any path that a system takes. */
const MAX_PATH = 4_096;
const MAX_SHOWN = 200;

export class Access {
  private readonly trusted = new Set<string>();

  /** `directory`: what is served; relative paths begin there. `allow`: what else the user has named. */
  constructor(
    readonly directory: string,
    allow: readonly string[],
  ) {
    for (const path of allow) this.permit(resolve(path));
  }

  /** A directory and what is in it may be asked about from now on. Absolute; one that is not there changes nothing. */
  permit(path: string): void {
    const real = realPath(path);
    if (real !== null) this.trusted.add(real);
  }

  /** What was named beside the served directory. */
  get allowed(): string[] {
    return [...this.trusted];
  }

  /**
   * The repository that a path names: one that is served, or in a directory that is trusted. `more` are further such
   * directories. Throws BAD_ARGUMENT for any other, whether it exists or not, and what opening throws.
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
      hint: `It answers about: ${what}. Others are named where it is started: git socraticode mcp --allow DIR`,
    });
  }
}

function shown(path: string): string {
  return visibleLine(path.length > MAX_SHOWN ? `${path.slice(0, MAX_SHOWN)}…` : path);
}

/** The text of a path; '' for what cannot be one. */
function plainPath(text: string): string {
  const isPath = text.length > 0 && text.length <= MAX_PATH && !text.includes('\0');
  const path = isPath ? fromUri(text) : null;
  // A NUL is in no path: resolving it fails.
  return path === null || path.includes('\0') ? '\0' : path;
}

/** A `file:` URI as a path; other text as it is; null for a URI of another machine, or one that is none. */
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
    // The native one gives names as they are written on disk, where upper and lower case are the same.
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Its work tree and where its parts are: submodules have theirs in there. */
function homesOf({ workTree, gitDir, commonDir }: Repository): string[] {
  return [...(workTree === null ? [] : [workTree]), gitDir, commonDir].flatMap((path) => realPath(path) ?? []);
}

/**
 * A directory of a user may hold somebody else's: a `.git` that came in an archive can lead to any repository of this
 * machine. Only one that is in there, the one that the directory itself is in, or a work tree that its own repository knows.
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

/** Another work tree of the same repository: its `.git` leads there, and the repository names it in return. No git is run for it. */
function isWorktreeOf(directory: string, { commonDir }: Repository): boolean {
  for (let at = directory; ; at = dirname(at)) {
    const target = gitFileTarget(join(at, '.git'));
    if (target !== undefined) return target !== null && isKnownWorktree(target, commonDir, at);
    if (dirname(at) === at) return false;
  }
}

/** Where a `.git` file leads; null for a directory, undefined where there is none. */
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
