/** What hooks add to a commit whose output is captured: pairs of commits, with and without them. */
import { appendFileSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { capturedGit, pathWith, until } from '../../repositories/hooks.js';
import { makeDirectory } from '../../repositories/repo.js';
import { COMMIT, indexed, repoWithHooks } from './hook-events.js';

export interface Cost {
  pairs: number;
  /** Milliseconds of the clock: median and 95th percentile of the differences, and of the commits without hooks. */
  medianAdded: number;
  p95Added: number;
  median: number;
  p95: number;
  /** Milliseconds of processor time that a commit's own processes take more, on average. */
  cpuAdded: number;
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];
const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
const round = (value: number) => Math.round(value * 10) / 10;

/** Processor time of children that were waited for, in ms: a worker that outlives its hook is nobody's child. */
function childrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** `real`: with the real worker, which is waited for between commits; else with one that ends at once. */
export async function commitCost(pairs: number, real: boolean): Promise<Cost> {
  const repo = await repoWithHooks();
  const ended = join(makeDirectory('ended'), 'lines');
  const script = `#!/bin/sh\nrm -f "$2/socraticode/hook.queue"; rmdir "$2/socraticode/hook.starting"; echo >>'${ended}'\n`;
  const env = real ? {} : { PATH: pathWith('git-socraticode', script) };
  const times: Record<'with' | 'without', number[]> = { with: [], without: [] };
  const cpu = { with: 0, without: 0 };
  for (let i = 0; i < pairs; i++) {
    for (const kind of i % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)) {
      appendFileSync(join(repo.dir, 'cost.ts'), `export const c${i}${kind} = ${i};\n`);
      repo.git('add', '.');
      const off = kind === 'without' ? ['-c', 'core.hooksPath=/dev/null'] : [];
      const before = childrenMs();
      times[kind].push(capturedGit(repo.dir, [...off, ...COMMIT], env).ms);
      cpu[kind] += childrenMs() - before;
      if (kind === 'with')
        await until(
          () => (real ? indexed(repo).length : sizeOf(ended)) > i,
          () => 'the worker of a commit has not ended',
        );
    }
  }
  const added = times.with.map((ms, i) => ms - times.without[i]);
  return {
    pairs,
    medianAdded: round(quantile(added, 0.5)),
    p95Added: round(quantile(added, 0.95)),
    median: round(quantile(times.without, 0.5)),
    p95: round(quantile(times.without, 0.95)),
    cpuAdded: round((cpu.with - cpu.without) / pairs),
  };
}
