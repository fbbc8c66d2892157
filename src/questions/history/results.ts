/** Lineages as the `history` document shows them: commits with their words, and the newest text. */
import { type CommitInfo, readCommit } from '../../git/commit.js';
import { walkHistory } from '../../git/log.js';
import type { HistoryScope } from '../../history/follow.js';
import { firstAppearance, type Lineage, lastDisappearance, newestVersion } from '../../history/lineage.js';
import type { TraceEvent, Version } from '../../history/trace.js';
import { textOf } from '../../history/version-text.js';
import type { Session } from '../../session/session.js';
import type { HistoryResponse } from './output.js';

type Result = HistoryResponse['results'][number];

/** Events listed of one result; the first appearance always is. */
const MAX_EVENTS = 50;
/** Text shown of one result. */
const MAX_CONTENT_BYTES = 64 * 1024;

export async function describeLineages(
  session: Session,
  history: HistoryScope,
  lineages: readonly Lineage[],
  { noContent, contentLines }: { noContent?: boolean; contentLines?: number },
): Promise<Result[]> {
  const commits = new Map<string, Promise<CommitInfo | null>>();
  const infoOf = (oid: string) => {
    if (!commits.has(oid)) commits.set(oid, readCommit(session.objects, oid));
    return commits.get(oid) as Promise<CommitInfo | null>;
  };
  const results: Result[] = [];
  for (const lineage of lineages) {
    const version = newestVersion(lineage);
    if (version !== null)
      results.push(await describe(session, history, { lineage, version, infoOf, noContent, contentLines }));
  }
  return results;
}

interface Described {
  lineage: Lineage;
  version: Version;
  infoOf: (oid: string) => Promise<CommitInfo | null>;
  noContent?: boolean;
  contentLines?: number;
}

async function describe(session: Session, history: HistoryScope, described: Described): Promise<Result> {
  const { lineage, version, infoOf, noContent, contentLines } = described;
  const { events, present } = lineage;
  const first = firstAppearance(lineage);
  const last = lastDisappearance(lineage);
  const isPresent = present.length > 0;
  const merge = isPresent || last !== null ? null : await droppingMerge(history, lineage, version);
  const gone = merge ?? last?.commit ?? null;
  // Until it was gone: a branch that did not know yet may have gone on changing it.
  const known = last === null ? events : events.slice(events.indexOf(last));
  const changed = known.find(({ type, parts }) => type === 'changed' || (type === 'moved' && parts !== undefined));
  const listed = events.slice(0, MAX_EVENTS);
  if (first !== null && !listed.includes(first)) listed.push(first);
  const brief = async (oid: string | undefined) => (oid === undefined ? null : briefOf(oid, await infoOf(oid)));
  const disappeared = gone === null ? null : { ...briefOf(gone, await infoOf(gone)), merge: merge !== null };
  const content = noContent ? null : await textOf(version, history.source);
  return {
    path: version.path,
    startLine: version.definition.startLine,
    endLine: version.definition.endLine,
    symbol: version.definition.symbol || null,
    kind: version.definition.kind,
    present: isPresent,
    paths: [...new Set([version.path, ...lineage.places.map(({ path }) => path).sort()])],
    firstAppeared: await brief(first?.commit),
    lastChanged: await brief(changed?.commit),
    disappeared,
    changes: events.filter(({ type }) => type === 'changed' || type === 'moved').length,
    events: await Promise.all(listed.map(async (event) => eventOf(event, await infoOf(event.commit)))),
    eventsLeftOut: events.length - listed.length,
    blob: version.oid,
    show: await showOf(session, { version, isPresent, tip: history.walk.tip, gone, infoOf }),
    ...(content === null ? {} : { content: firstLines(content.subarray(0, MAX_CONTENT_BYTES), contentLines) }),
  };
}

function firstLines(content: Buffer, lines = Infinity): string {
  const text = content.toString('utf8');
  return lines === Infinity ? text : text.split('\n').slice(0, lines).join('\n');
}

function briefOf(oid: string, info: CommitInfo | null) {
  return { commit: oid, date: info?.date ?? null, author: info?.author ?? '', subject: info?.subject ?? '' };
}

function eventOf(event: TraceEvent, info: CommitInfo | null): Result['events'][number] {
  const { type, path, from, parts, after, before } = event;
  return {
    type,
    ...briefOf(event.commit, info),
    path,
    ...(from === undefined ? {} : { from: from.path }),
    symbol: (after ?? before)?.definition.symbol || null,
    ...(parts === undefined ? {} : { parts }),
  };
}

/** `COMMIT:PATH` of the file with the version shown: the ref itself, or the last commit before it was gone. */
async function showOf(
  { objects }: Session,
  place: Pick<Described, 'version' | 'infoOf'> & { isPresent: boolean; tip: string; gone: string | null },
): Promise<string | null> {
  const { version, isPresent, tip, gone, infoOf } = place;
  const candidates = isPresent ? [tip] : gone === null ? [] : ((await infoOf(gone))?.parents ?? []);
  for (const commit of candidates) {
    const found = await objects.info(`${commit}:${version.path}`);
    if (found?.oid === version.oid) return `${commit}:${version.path}`;
  }
  return null;
}

/** Merges that are looked into. */
const MAX_MERGES = 5_000;

/**
 * Code that is gone without a commit that removes it was left out by a merge that took the other side: the oldest
 * merge since its last event that lacks this version, although a parent has it.
 */
async function droppingMerge(history: HistoryScope, { events }: Lineage, version: Version): Promise<string | null> {
  const newest = events[0]?.commit;
  let dropped: string | null = null;
  let isSince = true;
  let seen = 0;
  const walk = { ...history.walk, paths: version.path.includes('\\x') ? [] : [version.path], merges: 'each' as const };
  await walkHistory(history.git, { ...walk, maxCommits: undefined }, ({ commit, changes }) => {
    if (commit === newest || ++seen > MAX_MERGES) isSince = false;
    if (!isSince) return;
    for (const { path, oldOids, newOid } of changes)
      if (path === version.path && oldOids.includes(version.oid) && newOid !== version.oid) dropped = commit;
  });
  return dropped;
}
