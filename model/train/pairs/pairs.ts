/**
 * The pairs stage: what a person would ask, and the code that answers, from unpacked packages. Reads
 * `DIR/packages/<package>/` and writes `DIR/pairs/<package>.jsonl`, one `Pair` a line. The same packages give the same
 * bytes.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePairs } from './choose.js';
import { chooseFiles } from './files.js';
import { type PackagePairs, PairMaker } from './pool.js';
import { PAIR_KINDS, type Pair } from './types.js';

interface Totals {
  packages: number;
  files: number;
  lost: number;
  /** Pairs by language, then by kind. */
  pairs: Map<string, Map<string, number>>;
}

export interface PairOptions {
  cache: string;
  /** One package folder alone. */
  only?: string;
  /** Number of child processes. The pairs do not depend on it. */
  workers: number;
}

export async function makeAllPairs({ cache, only, workers }: PairOptions): Promise<void> {
  const started = performance.now();
  const names = packagesOf(join(cache, 'packages')).filter((name) => name === (only ?? name));
  const totals = await makeAll(cache, names, workers);
  console.log(table(totals, (performance.now() - started) / 1_000));
}

/** Package folders in a fixed order; npm's scopes (`@scope/name`) are one level deeper. */
function packagesOf(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? packagesOf(join(root, name)).map((one) => `${name}/${one}`) : [name],
    )
    .sort();
}

/** Processes packages in any order, but claims files and writes pairs in the order of names. */
async function makeAll(cache: string, names: readonly string[], workers: number): Promise<Totals> {
  const totals: Totals = { packages: 0, files: 0, lost: 0, pairs: new Map() };
  const claimed = new Set<string>();
  const seen = new Set<string>();
  const finished = new Map<number, PackagePairs>();
  let next = 0;
  let written = 0;
  const flush = () => {
    for (let made = finished.get(written); made !== undefined; made = finished.get(written)) {
      finished.delete(written);
      const pairs = choosePairs(made.pairs, seen);
      write(cache, names[written++], pairs);
      add(totals, pairs, made.lost);
    }
  };
  const work = async () => {
    const maker = new PairMaker();
    while (next < names.length) {
      const index = next++;
      const root = join(cache, 'packages', names[index]);
      const files = chooseFiles(root, claimed);
      totals.files += files.length;
      finished.set(index, await maker.make(root, files));
      flush();
    }
    maker.stop();
  };
  await Promise.all(Array.from({ length: Math.max(1, workers) }, work));
  return totals;
}

/** Writes to another name first, so that a trainer that reads at the same time sees whole files only. */
function write(cache: string, name: string, pairs: readonly Pair[]): void {
  const folder = join(cache, 'pairs');
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name.replace(/\//g, '__')}.jsonl`);
  writeFileSync(`${path}.part`, pairs.map((pair) => `${JSON.stringify(pair)}\n`).join(''));
  renameSync(`${path}.part`, path);
}

function add(totals: Totals, pairs: readonly Pair[], lost: number): void {
  totals.packages++;
  totals.lost += lost;
  for (const { language, kind } of pairs) {
    const counts = totals.pairs.get(language) ?? new Map<string, number>();
    totals.pairs.set(language, counts.set(kind, (counts.get(kind) ?? 0) + 1));
  }
}

function table({ packages, files, lost, pairs }: Totals, seconds: number): string {
  const sum = (counts: Map<string, number>) => [...counts.values()].reduce((a, b) => a + b, 0);
  const all = new Map<string, number>();
  for (const counts of pairs.values()) for (const [kind, n] of counts) all.set(kind, (all.get(kind) ?? 0) + n);
  const row = (name: string, counts: Map<string, number>) =>
    [
      name.padEnd(14),
      ...[...PAIR_KINDS.map((kind) => counts.get(kind) ?? 0), sum(counts)].map((n) => `${n}`.padStart(9)),
    ].join('');
  const languages = [...pairs].sort((a, b) => sum(b[1]) - sum(a[1]) || (a[0] < b[0] ? -1 : 1));
  return [
    ['language'.padEnd(14), ...[...PAIR_KINDS, 'all'].map((kind) => kind.padStart(9))].join(''),
    ...languages.map(([language, counts]) => row(language, counts)),
    row('all', all),
    `${packages} packages, ${files} files (${lost} lost to limits), ${seconds.toFixed(1)} s`,
  ].join('\n');
}
