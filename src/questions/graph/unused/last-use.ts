/** Finds the commit that removed the last use of a definition. */
import { type CommitInfo, readCommit } from '../../../git/commits.js';
import { type CommitChanges, readShallow, walkHistory } from '../../../git/log.js';
import { plainName } from '../../../graph/query/name-occurrences.js';
import { classByName } from '../../../search/path-classes.js';
import type { PreparedGraph } from '../../../session/graph/prepare.js';
import type { Session } from '../../../session/session.js';
import type { UnusedSymbol } from './question.js';

/** Maximum number of commits that are walked for each definition. */
const MAX_COMMITS = 1_000;

type Since = NonNullable<UnusedSymbol['since']>;

/**
 * Walks the commits in which the number of occurrences of the name in a file changed (git's pickaxe), newest first.
 * Nothing uses the definition now, so the newest commit that removed its name removed the last use. If other
 * definitions have that name, only the definition's own file counts. Tests do not count.
 */
export async function lastUseOf(
  session: Session,
  { graph, origin }: Pick<PreparedGraph, 'graph' | 'origin'>,
  { node, signal }: { node: number; signal?: AbortSignal },
): Promise<Since | null> {
  const { commit: tip } = origin.resolved;
  if (tip === null) return null;
  const text = plainName(graph.name(node));
  const isOnly = graph.namesakes(node).length === 1;
  const commits: CommitChanges[] = [];
  const walk = { tip, maxCommits: MAX_COMMITS, contains: { text }, shallow: readShallow(session.repository), signal };
  await walkHistory(session.repository.git, walk, (commit) => commits.push(commit));
  const word = new RegExp(`(?<![\\p{L}\\p{N}_$])${text.replace(/\$/g, '\\$')}(?![\\p{L}\\p{N}_$])`, 'gu');
  const counter = new Counter(session, word);
  let own = graph.path(node);
  for (const { commit, changes } of commits) {
    const counted = await Promise.all(
      changes.map(async ({ path, oldOids, newOid }) => {
        const [before, now] = await Promise.all([counter.count(oldOids[0] ?? null), counter.count(newOid)]);
        return { path, before, now };
      }),
    );
    const difference = counted.reduce((sum, { before, now }) => sum + now - before, 0);
    const taken = counted.filter(({ before, now, path }) => now < before && classByName(path) !== 'test');
    const brought = counted.find(({ path, before }) => path === own && before === 0);
    // A file that moved loses the name at one path, and gains it at another.
    if (difference === 0 && brought !== undefined && taken.length === 1) own = taken[0].path;
    if (difference === 0) continue;
    const last = taken.find(({ path }) => isOnly || path === own);
    if (brought === undefined && (difference > 0 || last === undefined)) continue;
    const info = await readCommit(session.objects, commit);
    if (info === null) return null;
    if (brought !== undefined) return { ...briefOf(info), event: 'never-used', path: own };
    return { ...briefOf(info), event: 'last-use-removed', path: last?.path ?? own };
  }
  return null;
}

function briefOf({ commit, date, subject }: CommitInfo): Pick<Since, 'commit' | 'date' | 'subject'> {
  return { commit, date, subject };
}

/** Counts a word in blobs, reading each once. */
class Counter {
  private readonly known = new Map<string, number>();

  constructor(
    private readonly session: Session,
    private readonly word: RegExp,
  ) {}

  async count(oid: string | null): Promise<number> {
    if (oid === null) return 0;
    const known = this.known.get(oid);
    if (known !== undefined) return known;
    const object = await this.session.objects.read(oid);
    const text = object?.type === 'blob' ? object.content.toString('utf8') : '';
    const count = text.match(this.word)?.length ?? 0;
    this.known.set(oid, count);
    return count;
  }
}
