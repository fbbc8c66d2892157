/**
 * Finds old file versions with words of a query that the next version lacks, as git's pickaxe does for one text. Words
 * that the next version keeps are found there, or in the snapshot. This reduces a window of a thousand commits to a few
 * hundred versions worth parsing.
 */
import type { Progress } from '../base/progress.js';
import { type CommitChanges, type WalkWindow, walkHistory } from '../git/log.js';
import { type HistoryScope, isFile } from './follow.js';
import type { BlobSource, FileVersion } from './source.js';

interface RemovedText {
  /** Best versions first. */
  versions: FileVersion[];
  window: WalkWindow;
  /** Number of versions that were read, and of matching ones left out because there were too many. */
  examined: number;
  leftOut: number;
}

/** Maximum number of versions to rank. Parsing that many takes seconds if they are new. */
const MAX_PROMISING = 800;
/** Maximum number of versions that are read; older ones are skipped. */
const MAX_EXAMINED = 60_000;

/** Weight of a word that the next version keeps, relative to one that it lacks. */
const STAYED = 0.25;

/** Finds and ranks the versions. `words` are lower-case beginnings of words. */
export async function findRemovedText(
  scope: HistoryScope,
  words: readonly string[],
  progress: Progress,
): Promise<RemovedText> {
  const commits: CommitChanges[] = [];
  let count = 0;
  const window = await walkHistory(scope.git, scope.walk, ({ commit, changes }) => {
    const own = changes.filter(({ path, type }) => isFile(type) && count <= MAX_EXAMINED && scope.accepts(path));
    count += own.length;
    if (own.length > 0) commits.push({ commit, changes: own });
  });
  const counter = new WordCounter(scope.source, words);
  const drops = new Map<string, { version: FileVersion; gone: boolean[]; had: boolean[] }>();
  let done = 0;
  for (const { changes } of commits) {
    // Reads all files of a commit at once, so that requests to git are batched.
    await Promise.all(
      changes.map(async ({ path, oldOids, newOid }) => {
        const after = await counter.count(newOid);
        for (const oid of oldOids) {
          const before = oid === null ? null : await counter.count(oid);
          if (oid === null || before === null) continue;
          const gone = before.map((n, i) => n > (after?.[i] ?? 0));
          const key = `${oid} ${path}`;
          if (gone.includes(true) && !drops.has(key))
            drops.set(key, { version: { oid, path }, gone, had: before.map((n) => n > 0) });
        }
      }),
    );
    progress.update(++done, commits.length);
  }
  progress.finish();
  const idf = counter.idf();
  const score = ({ gone, had }: { gone: boolean[]; had: boolean[] }) =>
    idf.reduce((sum, weight, i) => sum + weight * (gone[i] ? 1 : had[i] ? STAYED : 0), 0);
  const ranked = [...drops.values()].map((drop) => ({ version: drop.version, score: score(drop) }));
  // The sort is stable, so among equal scores the newest version stays first.
  ranked.sort((a, b) => b.score - a.score);
  const versions = ranked.slice(0, MAX_PROMISING).map(({ version }) => version);
  return { versions, window, examined: counter.size, leftOut: ranked.length - versions.length };
}

/** Counts how often each word begins in a blob. */
class WordCounter {
  private readonly counts = new Map<string, Promise<number[] | null>>();
  private readonly documents: number[];
  private readonly expression: RegExp;
  private read = 0;

  constructor(
    private readonly source: BlobSource,
    private readonly words: readonly string[],
  ) {
    this.documents = words.map(() => 0);
    // Words need no escaping, as they have letters and digits only. The longest alternative comes first, to be matched.
    const longestFirst = [...words].sort((a, b) => b.length - a.length);
    this.expression = new RegExp(longestFirst.join('|'), 'g');
  }

  get size(): number {
    return this.read;
  }

  count(oid: string | null): Promise<number[] | null> {
    if (oid === null) return Promise.resolve(null);
    let counts = this.counts.get(oid);
    if (counts === undefined) {
      counts = this.scan(oid);
      this.counts.set(oid, counts);
    }
    return counts;
  }

  private async scan(oid: string): Promise<number[] | null> {
    const bytes = await this.source.bytes(oid);
    if (bytes === null) return null;
    this.read++;
    const counts = this.words.map(() => 0);
    for (const [word] of bytes.toString('utf8').toLowerCase().matchAll(this.expression))
      counts[this.words.indexOf(word)]++;
    for (const [i, n] of counts.entries()) if (n > 0) this.documents[i]++;
    return counts;
  }

  idf(): number[] {
    return this.documents.map((n) => Math.log(1 + (this.read - n + 0.5) / (n + 0.5)));
  }
}
