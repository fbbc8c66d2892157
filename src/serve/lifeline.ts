/** Detects that an open project's repository was removed or replaced, or that its configuration or object stores changed. */
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ConfigEntry, readGitConfig } from '../git/worktree.js';
import type { Session } from '../session/session.js';

export type Pulse = 'alive' | 'gone' | 'changed';

export class Lifeline {
  private readonly identity: string;
  private readonly files: readonly string[];
  private readonly lenders: string;
  private stamps: string;

  constructor(private readonly session: Session) {
    const { repository, gitConfig } = session;
    this.identity = identityOf(session);
    this.lenders = lendersOf(session);
    const named = gitConfig.flatMap(({ origin }) => fileOf(origin, repository.git.directory));
    const others = [join(repository.commonDir, 'config'), join(repository.gitDir, 'config.worktree'), ...userFiles()];
    this.files = [...new Set([...named, ...others])];
    this.stamps = this.readStamps();
  }

  /** Calls stat on a few files; runs git only if one of its configuration files was written. */
  async check(): Promise<Pulse> {
    const identity = identityOf(this.session);
    if (identity !== this.identity) return identity.includes(MISSING) ? 'gone' : 'changed';
    if (lendersOf(this.session) !== this.lenders) return 'changed';
    const stamps = this.readStamps();
    if (stamps === this.stamps) return 'alive';
    const now = await readGitConfig(this.session.repository.git);
    if (relevant(now) !== relevant(this.session.gitConfig)) return 'changed';
    this.stamps = stamps;
    return 'alive';
  }

  private readStamps(): string {
    return this.files.map(contentStamp).join(' ');
  }
}

const MISSING = 'missing';

/** Includes the time of creation: a directory that was removed and created again may get the same inode. */
function identityOf({ repository: { gitDir, commonDir, workTree } }: Session): string {
  const directories = [gitDir, commonDir, ...(workTree === null ? [] : [workTree])];
  return directories
    .map((path) => stampOf(path, ({ dev, ino, birthtimeMs }) => `${dev}-${ino}-${birthtimeMs}`))
    .join(' ');
}

/** Stamps `alternates`: a running `git cat-file` reads that file only once. */
function lendersOf({ repository }: Session): string {
  return contentStamp(join(repository.commonDir, 'objects', 'info', 'alternates'));
}

function contentStamp(path: string): string {
  return stampOf(path, ({ ino, size, mtimeMs }) => `${ino}-${size}-${mtimeMs}`);
}

function stampOf(path: string, describe: (stat: ReturnType<typeof statSync> & object) => string): string {
  try {
    return describe(statSync(path));
  } catch {
    return MISSING;
  }
}

/** Resolves an origin of a value as git reports it: `file:.git/config`. */
function fileOf(origin: string, directory: string): string[] {
  return origin.startsWith('file:') ? [resolve(directory, origin.slice('file:'.length))] : [];
}

/** Returns the user's configuration files, which may not exist yet. */
function userFiles(): string[] {
  const { GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME } = process.env;
  if (GIT_CONFIG_GLOBAL !== undefined) return GIT_CONFIG_GLOBAL === '' ? [] : [resolve(GIT_CONFIG_GLOBAL)];
  return [join(homedir(), '.gitconfig'), join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'config')];
}

/** Leaves out `branch.*`: pushes and fetches write it, and nothing here depends on it. */
function relevant(config: readonly ConfigEntry[]): string {
  return JSON.stringify(config.filter(({ key }) => !key.startsWith('branch.')));
}
