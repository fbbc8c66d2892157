/** Ranks the chunks of a snapshot and of old file versions as one corpus. Old versions are indexed in memory. */
import { createProgress } from '../../base/progress.js';
import type { BlobFacts } from '../../extract/facts.js';
import type { FileVersion } from '../../history/file-versions.js';
import type { RankedChunk } from '../../history/text-history.js';
import { languageOfContent } from '../../languages/detect.js';
import { createCorpus } from '../../search/build-corpus.js';
import { pathFilter } from '../../search/filter.js';
import type { ParsedQuery } from '../../search/query.js';
import { rank } from '../../search/scoring.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import type { Session } from '../../session/session.js';
import { countUnits, coverageOf } from '../../session/snapshot/coverage.js';
import type { SnapshotFiles, SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { LexicalBuilder } from '../../shard/builder.js';
import { encodeLexical } from '../../shard/lexical-format.js';
import { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, createLiveSet, documentsOf, type LiveSet, locate } from '../../shard/live-set.js';

interface RankedHistory {
  found: RankedChunk[];
  coverage: { covered: number; total: number };
}

interface HistoryCorpusOptions {
  /** Old versions to rank. */
  versions: readonly FileVersion[];
  query: ParsedQuery;
  path?: readonly string[];
  /** Leaves out code that the snapshot has. */
  deleted?: boolean;
  limit: number;
  signal?: AbortSignal;
}

/** Returns the best chunks, each text once. Indexes versions that the snapshot lacks first. */
export async function rankHistory(
  session: Session,
  { origin, scope, source }: { origin: SnapshotOrigin; scope: SnapshotFiles; source: BlobFactsSource },
  options: HistoryCorpusOptions,
): Promise<RankedHistory> {
  const { shards, coverage } = await snapshotShards(session, origin, scope, options.signal);
  const builder = new LexicalBuilder(session.oidBytes);
  const old: CatalogFile[] = [];
  const add = ({ oid, path }: FileVersion, facts: BlobFacts | null, bytes: Buffer | null) => {
    if (facts === null || bytes === null) return;
    const language = source.languageOf(path) ?? languageOfContent(bytes);
    if (!old.some((file) => file.oid === oid && file.language === language)) builder.add(oid, language, facts, bytes);
    old.push({ path, oid, language, generated: false, vendored: false });
  };
  await source.prefetch(options.versions, createProgress('indexing history', 'versions'), add);
  const all = old.length === 0 ? shards : [...shards, new LexicalShard(encodeLexical(builder.finish()), 'history')];
  const { maxFileBytes } = scope.config;
  const { live, entries } = createLiveSet(
    all,
    [...scope.catalog.files, ...old],
    (_, unit) => unit.size <= maxFileBytes,
  );
  const corpus = createCorpus(live, entries);
  const accept = acceptOnce(live, scope, options);
  const ranked = rank(corpus, options.query, { accept, limit: options.limit });
  const matches = pathFilter(options);
  const found = ranked.map(({ document, file }) => {
    const { shard, local } = locate(live, document);
    const paths = live.files.paths(file);
    return { oid: live.files.oid(file), path: paths.find(matches) ?? paths[0], start: shard.columns.start[local] };
  });
  return { found, coverage };
}

async function snapshotShards(session: Session, origin: SnapshotOrigin, scope: SnapshotFiles, signal?: AbortSignal) {
  let manifest = session.shards.readManifest();
  let shards = session.shards.openShards(manifest);
  let counts = countUnits(scope, shards, manifest);
  if (counts.missing > 0 && session.backgroundIndexer !== null) {
    const failure = await session.backgroundIndexer.index(origin, { signal });
    manifest = session.shards.readManifest();
    shards = session.shards.openShards(manifest);
    counts = countUnits(scope, shards, manifest);
    if (failure !== null && counts.files === 0) throw failure;
  } else if (counts.missing > 0) {
    const { indexSnapshot } = await import('../../session/indexing/index-operation.js');
    ({ manifest, shards } = await indexSnapshot(session, origin, {
      progress: createProgress('indexing'),
      signal,
      implicit: true,
    }));
    counts = countUnits(scope, shards, manifest);
  }
  return { shards, coverage: coverageOf(counts) };
}

/** Versions of a file repeat most of their chunks. Accepts one of equal chunks: the snapshot's, else the first. */
function acceptOnce(live: LiveSet, scope: SnapshotFiles, { path, deleted }: HistoryCorpusOptions) {
  const accepted = new Uint8Array(live.fileOf.length);
  const seen = new Set<string>();
  const present = new Set(scope.catalog.files.map(({ oid }) => oid));
  const matches = pathFilter({ path });
  const files = Array.from({ length: live.files.length }, (_, file) => file);
  const isPresent = (file: number) => present.has(live.files.oid(file));
  for (const file of [...files.filter(isPresent), ...files.filter((each) => !isPresent(each))]) {
    const here = isPresent(file);
    const wanted = live.files.paths(file).some(matches) && !(deleted && here);
    const { first, end } = documentsOf(live, file);
    for (let document = first; document < end; document++) {
      const { shard, local } = locate(live, document);
      const key = `${shard.columns.hash[local]} ${shard.documentSymbol(local) ?? ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (wanted) accepted[document] = 1;
    }
  }
  return (document: number) => accepted[document] === 1;
}
