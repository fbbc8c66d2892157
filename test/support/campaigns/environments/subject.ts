/**
 * What is tried in each environment: a process that indexes a repository, links its graph, exports it and asks, and writes
 * what it made as digests, and what it was told, into a file. `node subject.js DIRECTORY FILE [early]`
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportRecords } from '../../../../src/questions/export/answer.js';
import { answerSymbols } from '../../../../src/questions/graph/symbols/answer.js';
import { indexRef, warmSearch } from '../../../../src/session/indexing/index-operation.js';
import { Searcher } from '../../../../src/session/search/searcher.js';
import { Session } from '../../../../src/session/session.js';
import { vectorSource } from '../../../../src/session/vectors/vector-source.js';
import { buildHnsw } from '../../../../src/shard/hnsw.js';
import { readVectorShard } from '../../../../src/shard/vector-shard.js';
import { askerOf } from '../../in-process/asker.js';

/** Words of several languages, with letters whose case depends on whom one asks. */
const QUERIES = [
  'session store',
  'İstanbul ISPARTA ılık',
  'how is a parcel routed',
  'rememberTokne',
  'parcle',
  'straße größe',
  'class',
];

/** What is compared. */
export interface Made {
  /** Digest of every file, by name. */
  files: Record<string, string>;
  answers: string;
}

const digest = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

async function main([directory, file, early]: string[]): Promise<void> {
  const session = await Session.open({ directory });
  const report = await indexRef(session, early === undefined ? {} : { early: 1 });
  const at = askerOf(session);
  const symbols = await answerSymbols(at, { query: 'a', limit: 200 });
  await warmSearch(session);
  const output = join(session.repository.commonDir, 'exported');
  await exportRecords(session, { output });
  await buildGraphs(session);
  const answers: Record<string, unknown> = { symbols, chunks: report.chunks, skipped: report.skipped };
  const searcher = new Searcher(session);
  for (const query of QUERIES) {
    const { results, corrections, commit, coverage } = await searcher.search({ query, limit: 50, explain: true });
    answers[query] = { results, corrections, commit, coverage };
  }
  const files = { ...filesOf(session.shards.directory), ...filesOf(output) };
  session.close();
  writeFileSync(file, JSON.stringify({ files, answers: JSON.stringify(answers) } satisfies Made));
}

/** Far too few vectors for a graph of their own: it is built all the same. */
async function buildGraphs(session: Session): Promise<void> {
  const { directory } = session.shards;
  const { profile } = vectorSource(session, (await session.files()).config);
  for (const { file, documents } of session.shards.readManifest().shards) {
    const shard = readVectorShard(directory, profile, file, documents);
    if (shard !== null) await buildHnsw(directory, profile, file, shard);
  }
}

/** Times of files as this machine has them: which are listed depends on how long the run took. */
const OF_THIS_MACHINE = 'checked.bin';

/** Digest by name, of everything below a directory. */
function filesOf(directory: string): Record<string, string> {
  const names = (readdirSync(directory, { recursive: true, withFileTypes: true }) ?? []).filter(
    (entry) => entry.isFile() && entry.name !== OF_THIS_MACHINE,
  );
  const paths = names.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(directory.length + 1), digest(timeless(path))]));
}

/** The commit of the notes says when it was made, and the manifest names it. */
function timeless(path: string): Uint8Array | string {
  const bytes = readFileSync(path);
  if (basename(path) !== 'manifest.json') return bytes;
  const { notes: _, seal: __, ...rest } = JSON.parse(bytes.toString('utf8'));
  return JSON.stringify(rest);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
