/**
 * Joins the packs of one run. Each batch of records is an import of its own, so that a killed run loses little, and each large import is a
 * pack: with more than 50 packs, git collects garbage at the user's next commit.
 */
import { randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import { makeDirectory, plainFileAt, removeQuietly, standingAt, textAt } from '../base/atomic.js';
import { log } from '../base/log.js';
import { isGcRunning } from './crash-recovery.js';
import { localStateDirectory, type Repository } from './repository.js';

/** Packs from which on they are joined during a run. */
const MANY = 30;
/** A limit of the user would make several packs. */
const ONE_PACK = [['pack.packSizeLimit', '0']] as const;
/** Files beside a pack that say that git keeps it, or keeps it apart. */
const MARKS = ['.keep', '.promisor', '.bitmap', '.mtimes'];
/** Files of a pack. git looks for the index first, so that it goes first. */
const PARTS = ['.idx', '.rev', '.pack'];

/** Packs that imports wrote since they were joined last. */
export class WrittenPacks {
  private isStarted = false;
  private readonly file: string;

  constructor(private readonly repository: Repository) {
    this.file = join(localStateDirectory(repository), `.tmp-${process.pid}-packs-${randomBytes(6).toString('hex')}`);
  }

  /** File to which imports add a line for each pack that they keep. */
  get edges(): string {
    if (!this.isStarted) makeDirectory(localStateDirectory(this.repository));
    this.isStarted = true;
    return this.file;
  }

  async joinIfMany(): Promise<void> {
    if (this.names().length >= MANY) await this.join();
  }

  /** Joins the packs to one, and removes them. They stay where git may need them as they are, or is older than 2.32. */
  async join(): Promise<void> {
    if (!this.isStarted) return;
    const names = this.names();
    removeQuietly(this.file);
    const { repository, folder } = this;
    // An index of several packs holds on to each of them.
    if (names.length < 2 || isGcRunning(repository) || standingAt(join(folder, 'multi-pack-index'))) return;
    const args = ['pack-objects', '--quiet', '--stdin-packs', '--window=0', join(folder, 'pack')];
    const input = names.map((name) => `${name}.pack\n`).join('');
    const { code, stdout, stderr } = await repository.git.run(args, { input, config: ONE_PACK, allow: [1, 128, 129] });
    const joined = `pack-${stdout.toString('latin1').trim()}`;
    if (code !== 0 || plainFileAt(join(folder, `${joined}.idx`)) === null) {
      log.debug(`packs are not joined: ${stderr}`);
      return;
    }
    for (const name of names) if (name !== joined) for (const part of PARTS) removeQuietly(join(folder, name + part));
  }

  private get folder(): string {
    return join(this.repository.commonDir, 'objects', 'pack');
  }

  private names(): string[] {
    if (!this.isStarted) return [];
    const named = textAt(this.file).matchAll(/^(.*\.pack):/gm);
    const names = new Set(Array.from(named, ([, path]) => basename(path, '.pack')));
    return [...names].filter((name) => {
      const has = (part: string) => standingAt(join(this.folder, name + part)) !== undefined;
      return /^pack-[0-9a-f]+$/.test(name) && has('.pack') && has('.idx') && !MARKS.some(has);
    });
  }
}
