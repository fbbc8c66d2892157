/**
 * Remembers facts about remotes, so that requests and warnings are not repeated: which tracking refs are united
 * already, which remotes had no notes, which refuse pushes. Losing the file costs one request. A forged file does no
 * harm: it can only suppress requests and messages.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeDirectory, readPlainFile, writeStateFile } from '../base/atomic.js';
import { log } from '../base/log.js';
import { localStateDirectory, type Repository } from '../git/repository.js';

interface Memory {
  /** Tracking ref -> its commit that was last united with the local notes. */
  united: Record<string, string>;
  /**
   * Address -> time of a request that brought nothing (milliseconds since 1970), and how long not to repeat it.
   * Addresses are hashed, because they can hold a password.
   */
  asked: Record<string, { at: number; forMs: number }>;
  /** Addresses (hashed) that refused a push. */
  denied: string[];
}

const FILE = 'remotes.json';
const MAX_BYTES = 1 << 20;
const MAX_KEPT = 200;

export function addressKey(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 24);
}

export class RemoteMemory {
  private readonly path: string;

  constructor(private readonly repository: Repository) {
    this.path = join(localStateDirectory(repository), FILE);
  }

  isUnited(ref: string, commit: string): boolean {
    return this.read().united[ref] === commit;
  }

  setUnited(ref: string, commit: string): void {
    this.change((memory) => {
      memory.united = keepLast({ ...without(memory.united, ref), [ref]: commit });
    });
  }

  /**
   * Forgets the unions of removed tracking refs. Otherwise the same commit, pushed again, would not be united with local
   * notes that were removed meanwhile.
   */
  forgetUnited(refs: ReadonlySet<string>): void {
    if (Object.keys(this.read().united).every((ref) => !refs.has(ref))) return;
    this.change((memory) => {
      memory.united = Object.fromEntries(Object.entries(memory.united).filter(([ref]) => !refs.has(ref)));
    });
  }

  /**
   * Did a recent request bring nothing? The distance between the times counts, so that setting the clock back does not
   * suppress requests for ever.
   */
  wasAsked(key: string): boolean {
    const asked = this.read().asked[key];
    return asked !== undefined && Math.abs(Date.now() - asked.at) < asked.forMs;
  }

  setAsked(key: string, forMs: number): void {
    this.change((memory) => {
      memory.asked = keepLast({ ...without(memory.asked, key), [key]: { at: Date.now(), forMs } });
    });
  }

  isDenied(key: string): boolean {
    return this.read().denied.includes(key);
  }

  setDenied(key: string, isDenied: boolean): void {
    if (this.isDenied(key) === isDenied) return;
    this.change((memory) => {
      const others = memory.denied.filter((item) => item !== key);
      memory.denied = isDenied ? [...others, key].slice(-MAX_KEPT) : others;
    });
  }

  private read(): Memory {
    const memory: Memory = { united: {}, asked: {}, denied: [] };
    try {
      const bytes = readPlainFile(this.path, MAX_BYTES);
      return bytes === null ? memory : checked(JSON.parse(bytes.toString('utf8')));
    } catch {
      return memory;
    }
  }

  /**
   * Reads, edits and writes the file without a lock: if two processes write at once, one change is lost and costs one
   * request.
   */
  private change(edit: (memory: Memory) => void): void {
    const memory = this.read();
    edit(memory);
    try {
      makeDirectory(localStateDirectory(this.repository));
      writeStateFile(this.path, JSON.stringify(memory));
    } catch (error) {
      log.debug(`cannot write ${FILE}: ${(error as Error).message}`);
    }
  }
}

/** Throws for what is no object at all. A time that is no number is never near, so only how long it lasts is looked at. */
function checked(value: unknown): Memory {
  const { united, asked, denied } = value as Partial<Record<keyof Memory, unknown>>;
  const isTime = (item: unknown): item is { at: number; forMs: number } =>
    Number.isFinite((item as { forMs: number } | null)?.forMs);
  return {
    united: pick(united, (item): item is string => typeof item === 'string'),
    asked: pick(asked, isTime),
    denied: Array.isArray(denied) ? denied.filter((item) => typeof item === 'string') : [],
  };
}

function pick<T>(value: unknown, accept: (item: unknown) => item is T): Record<string, T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, T] => accept(entry[1])));
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function keepLast<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).slice(-MAX_KEPT));
}
