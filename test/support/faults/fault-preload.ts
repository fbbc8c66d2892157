/** Faults in git itself (`fault-preload.c`): for long campaigns, where there is a C compiler. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory, type TestRepo } from '../repositories/repo.js';
import type { DiskError } from './fault.js';

const SOURCE = fileURLToPath(new URL('../../../../test/support/faults/fault-preload.c', import.meta.url));

/** A point of the whole tree of processes: which one, and what becomes of it; without an error everybody is killed. */
export interface PreloadPlan {
  at: number;
  error?: DiskError;
  persistent?: boolean;
}

export class Preload {
  private constructor(private readonly library: string) {}

  /** Null where there is no compiler, or no Linux. */
  static build(): Preload | null {
    if (process.platform !== 'linux') return null;
    const library = join(makeDirectory('preload'), 'fault.so');
    const { status } = spawnSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl']);
    return status === 0 ? new Preload(library) : null;
  }

  /** The environment of a process that works in a repository, and how many points it and all it started have reached. */
  plan({ dir }: TestRepo, { at, error, persistent }: PreloadPlan): { env: NodeJS.ProcessEnv; count: () => number } {
    const file = join(makeDirectory('count'), 'count');
    writeFileSync(file, Buffer.alloc(8));
    const env = {
      ...{ LD_PRELOAD: this.library, FAULT_UNDER: dir, FAULT_COUNT: file, FAULT_AT: String(at) },
      FAULT_ERRNO: String(error === undefined ? 0 : constants.errno[error as 'EIO']),
      ...(persistent && { FAULT_FOR_GOOD: '1' }),
    };
    return { env, count: () => Number(readFileSync(file).readBigInt64LE()) };
  }
}
