/** Quarantine: damaged parts are kept for inspection, files under another name and notes as files. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, renameSync } from 'node:fs';
import { join, relative } from 'node:path';
import { makeDirectory, refuseLinks, standingAt, writeFileAtomic } from '../../../base/atomic.js';
import { SocraticodeError } from '../../../base/errors.js';
import { localStateDirectory, type Repository } from '../../../git/repository.js';

const FOLDER = 'aside';
/** Limits for all notes together. An attacker's notes are not worth more, and each stays in the history of its ref. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 << 20;
const PLAIN_NAME = /^[\w-]{1,80}$/;

export class Aside {
  /** From the top of the local state. */
  readonly paths: string[] = [];
  private readonly state: string;
  private used: { files: number; bytes: number } | null = null;

  constructor(repository: Repository) {
    this.state = localStateDirectory(repository);
  }

  /** Path to which a file of a ref is moved. Throws DISK. */
  placeFor(ref: string): string {
    return this.add(join(this.directory('refs'), safeName(ref.replaceAll('/', '-'))));
  }

  /** Keeps bytes as `aside/<kind>-<profile>/<name>.note`, as long as there is room. Throws DISK. */
  keepNote(ref: { kind: string; profile: string }, name: string, bytes: Uint8Array): void {
    const directory = this.directory(safeName(`${ref.kind}-${ref.profile}`));
    this.used ??= usedBelow(join(this.state, FOLDER));
    if (this.used.files >= MAX_FILES || this.used.bytes + bytes.length > MAX_BYTES) return;
    this.used.files++;
    this.used.bytes += bytes.length;
    writeFileAtomic(this.add(join(directory, `${safeName(name)}.note`)), bytes);
  }

  /** Renames a file of any kind to `<path>.bad`. Throws DISK. */
  moveFile(path: string): void {
    if (standingAt(path) === undefined) return;
    try {
      renameSync(path, `${path}.bad`);
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot move ${path}: ${(cause as Error).message}`, { cause });
    }
    this.add(`${path}.bad`);
  }

  private directory(name: string): string {
    const path = join(this.state, FOLDER, name);
    refuseLinks([this.state, join(this.state, FOLDER), path]);
    makeDirectory(path);
    return path;
  }

  private add(path: string): string {
    this.paths.push(relative(this.state, path));
    return path;
  }
}

/** Names of refs and paths are a stranger's to choose. */
function safeName(name: string): string {
  return PLAIN_NAME.test(name) ? name : createHash('sha256').update(name).digest('hex').slice(0, 24);
}

function usedBelow(directory: string): { files: number; bytes: number } {
  const used = { files: 0, bytes: 0 };
  for (const name of readdirSync(directory, { recursive: true }) as string[]) {
    const stat = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    used.files++;
    used.bytes += stat.size;
  }
  return used;
}
