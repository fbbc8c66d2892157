/**
 * What this repository remembers of its remotes, so that nothing is asked or said again and again: which tracked notes are
 * united already, which remotes had no index, which take no pushes. Losing the file costs a question; believing a wrong one
 * does no harm, for it only makes the program keep still.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeDirectory, readPlainFile, writeStateFile } from '../base/atomic.js';
import { log } from '../base/log.js';
import { localStateDirectory, type Repository } from '../git/repository.js';

interface Memory {
  /** Tracking ref -> the commit that is part of the local notes. */
  united: Record<string, string>;
  /** Address (hashed: it can hold a password) -> when it was asked in vain, in milliseconds since 1970, and for how long. */
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

  /** Was this asked in vain a short while ago? A clock that was set back does not make it for ever. */
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
      return bytes === null ? memory : checked(JSON.parse(bytes.toString('utf8')), memory);
    } catch {
      return memory;
    }
  }

  /** Two processes at once may lose one of their changes, which costs a question. */
  private change(edit: (memory: Memory) => void): void {
    const memory = this.read();
    edit(memory);
    try {
      makeDirectory(localStateDirectory(this.repository));
      writeStateFile(this.path, JSON.stringify(memory));
    } catch (error) {
      log.debug(`cannot remember what remotes said: ${(error as Error).message}`);
    }
  }
}

function checked(value: unknown, empty: Memory): Memory {
  if (typeof value !== 'object' || value === null) return empty;
  const { united, asked, denied } = value as Partial<Record<keyof Memory, unknown>>;
  const isTime = (item: unknown): item is { at: number; forMs: number } =>
    Number.isFinite((item as { at: number } | null)?.at) && Number.isFinite((item as { forMs: number }).forMs);
  return {
    united: pick(united, (item): item is string => typeof item === 'string'),
    asked: pick(asked, isTime),
    denied: Array.isArray(denied) ? denied.filter((item) => typeof item === 'string') : [],
  };
}

function pick<T>(value: unknown, accept: (item: unknown) => item is T): Record<string, T> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, T] => accept(entry[1])));
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function keepLast<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).slice(-MAX_KEPT));
}
