/**
 * The whole `status`: coverage of a ref, reasons for files that are left out, sizes, vectors, and next steps. The status of a server adds its
 * background work, and its text for agents is here, too; `text.ts` has the text for people.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { lockHolder } from '../../base/lock.js';
import { groupDigits } from '../../base/printable.js';
import { unreadLines, unreadVariables } from '../../config/resolve.js';
import type { Config } from '../../config/settings.js';
import { grammarStatus } from '../../extract/version.js';
import { readBranchAndRemotes } from '../../git/branches.js';
import type { ResolvedRef } from '../../git/objects.js';
import { mayHaveRefs, NOTES_PREFIX } from '../../git/repository.js';
import { readHookState } from '../../hooks/installed.js';
import { countMissing, VectorDrafts, vectorUnits } from '../../indexer/vector-plan.js';
import { KNOWLEDGE_KINDS, PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import { allLanguages } from '../../languages/registry.js';
import { commandText } from '../../params/param.js';
import { compilerStore, notesAt, syntaxStore, vectorStore } from '../../record/store.js';
import type { LastRun, RunningState } from '../../serve/job.js';
import { intactSnapshot, sharesVectors } from '../../session/indexing/known-snapshot.js';
import {
  countRecords,
  describeNotes,
  foreignNotice,
  type KnowledgeCount,
  readNotes,
} from '../../session/records/profiles.js';
import { retried } from '../../session/retry.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../../session/session.js';
import { countUnits, coverageOf, type UnitCounts } from '../../session/snapshot/coverage.js';
import type { SnapshotFiles, SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { createEmbedder, type VectorSource, vectorSource } from '../../session/vectors/vector-source.js';
import type { Manifest, ShardEntry } from '../../shard/directory.js';
import { describeEngine } from '../../shard/hnsw.js';
import { hnswPath, vectorPath } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { createLiveSet, type LiveSet } from '../../shard/live-set.js';
import { type IndexChoice, VectorIndex } from '../../shard/nearest.js';
import { readVectorShard } from '../../shard/vector-shard.js';
import type { Asker, ServerCaller } from '../asker.js';
import type { ExplainResponse } from '../explain/question.js';
import { explainText } from '../explain/reasons.js';
import { formatCount, formatCounts, formatSkipped } from '../format.js';
import type { Pen } from '../pen.js';
import type { ServerStatus, ServerStatusValues, StatusReport } from './question.js';

export function readStatus(session: Session, ref?: string): Promise<StatusReport> {
  return retried(session, ref, () => statusOf(session, ref));
}

async function statusOf(session: Session, ref?: string): Promise<StatusReport> {
  const { repository, gitConfig } = session;
  const compilers = compilerStore(repository, session.objects, COMPILER_PROFILE, COMPILER_ABOUT);
  const [contents, surroundings, dirty, grammars, compilerNotes, knowledge] = await Promise.all([
    session.origin(ref, { unborn: true }).then((origin) => contentsOf(session, origin)),
    surroundingsOf(session),
    session.countDirty(),
    grammarStatus(allLanguages()),
    readNotes(session, compilers),
    knowledgeOf(session),
  ]);
  const { resolved, manifest, counts, records, notes } = contents;
  const { languages, incomplete } = counts.about;
  const vectors = await readVectorStatus(session, contents);
  const { origins } = await session.configOfOrigin(contents.origin);
  const hook = await readHookState(repository, gitConfig);
  return {
    schemaVersion: 1,
    ref: resolved.ref,
    commit: resolved.commit,
    profile: session.profile,
    coverage: coverageOf(counts),
    records,
    chunks: counts.chunks,
    skipped: counts.skipped,
    degraded: counts.degraded,
    ...(incomplete.length > 0 && {
      parseErrors: { files: counts.parseErrors, first: incomplete.slice(0, MAX_INCOMPLETE) },
    }),
    languages,
    grammars,
    notes,
    ...(knowledge.length > 0 && { knowledge }),
    compiler:
      compilerNotes.commit === null
        ? null
        : { present: await compiledOf(session, contents, compilerNotes.targets), ...describeNotes(compilerNotes) },
    shards: {
      directory: session.shards.directory,
      count: manifest.shards.length,
      bytes: manifest.shards.reduce((sum, shard) => sum + shard.bytes, 0),
      documents: manifest.shards.reduce((sum, shard) => sum + shard.documents, 0),
    },
    vectors,
    dirty,
    ...surroundings,
    hook,
    writer: lockHolder(join(repository.commonDir, 'socraticode', 'writer.lock')),
    notice: session.hasGit ? await foreignNotice(session) : WITHOUT_GIT,
    next: [
      ...nextSteps(contents, { missingGrammars: grammars.missing, vectors, ref }),
      ...unreadLines(unreadVariables(process.env, (key) => (origins[key] ?? 'default') !== 'default')),
    ],
  };
}

const WITHOUT_GIT = 'no git program here: sizes of notes, and what people and agents wrote, are not counted';

async function surroundingsOf({ repository, hasGit }: Session) {
  if (hasGit) return readBranchAndRemotes(repository);
  return (await import('../../git/isomorphic.js')).branchAndRemotesWithoutGit(repository);
}

/** Facts about the files of a snapshot. */
interface Contents {
  resolved: ResolvedRef;
  origin: SnapshotOrigin;
  config: Config;
  source: VectorSource;
  manifest: Manifest;
  counts: UnitCounts;
  records: StatusReport['records'];
  notes: StatusReport['notes'];
  vectors: Covered;
}

async function contentsOf(session: Session, origin: SnapshotOrigin): Promise<Contents> {
  const { config } = await session.configOfOrigin(origin);
  const source = vectorSource(session, config);
  const intact = await intactSnapshot(session, origin, source);
  return intact === null
    ? countedContents(session, origin, source)
    : { resolved: origin.resolved, origin, config, source, ...(await knownContents(session, intact)) };
}

type Known = NonNullable<Awaited<ReturnType<typeof intactSnapshot>>>;

/** Takes the facts from the manifest, so that neither files nor notes are listed. */
async function knownContents(
  session: Session,
  { known, vectors: { dimensions, covered, total }, about, manifest }: Known,
): Promise<Pick<Contents, 'manifest' | 'counts' | 'records' | 'notes' | 'vectors'>> {
  const { files, blobs, chunks, skipped, degraded, parseErrors = 0 } = known;
  const counts = { files, chunks, skipped, degraded, parseErrors, missing: 0, unreadableBlobs: 0, about };
  const store = syntaxStore(session.repository, session.objects, session.profile);
  const [notes, ...bare] = await Promise.all([
    countRecords(session, store),
    ...about.bare.map((oid) => notesAt(session.objects, store.ref, oid)),
  ]);
  const missing = bare.filter((found) => found.length === 0).length;
  const records = { present: blobs - missing, missing };
  return { manifest, counts, records, notes, vectors: { dimensions, covered, total } };
}

async function countedContents(session: Session, origin: SnapshotOrigin, source: VectorSource): Promise<Contents> {
  const [scope, notes] = await Promise.all([
    session.filesOf(origin),
    readNotes(session, syntaxStore(session.repository, session.objects, session.profile)),
  ]);
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const counts = countUnits(scope, shards, manifest);
  const blobs = new Set(scope.catalog.files.map((file) => file.oid));
  const present = [...blobs].filter((oid) => notes.targets.has(oid)).length;
  const names = shards.map(({ name }) => name);
  return {
    ...{ resolved: origin.resolved, origin, config: scope.config, source, manifest, counts },
    records: { present, missing: blobs.size - present },
    notes: describeNotes(notes),
    vectors: coveredOf(session, { scope, source, shards, bytes: bytesOf(session, source, names) }),
  };
}

/** Number of a snapshot's contents that a compiler's record is about. */
async function compiledOf(
  session: Session,
  { origin }: Contents,
  targets: ReadonlyMap<string, string>,
): Promise<number> {
  const { catalog } = await session.filesOf(origin);
  return [...new Set(catalog.files.map(({ oid }) => oid))].filter((oid) => targets.has(oid)).length;
}

/** Looks for refs in git's files first: a repository without entries starts no git and loads nothing more. */
async function knowledgeOf(session: Session): Promise<KnowledgeCount[]> {
  const prefixes = [NOTES_PREFIX, PRIVATE_PREFIX].flatMap((prefix) =>
    KNOWLEDGE_KINDS.map((kind) => `${prefix}/${kind}`),
  );
  if (!session.hasGit || !mayHaveRefs(session.repository, prefixes)) return [];
  return (await import('../../session/records/profiles.js')).countKnowledge(session);
}

/** Most files with parse errors that are named. */
const MAX_INCOMPLETE = 5;

interface NextState {
  missingGrammars: string[];
  vectors: StatusReport['vectors'];
  ref?: string;
}

function nextSteps({ resolved, counts }: Contents, state: NextState): string[] {
  const { vectors } = state;
  const { ref } = state;
  const index = commandText('index', { ref });
  const steps: string[] = [];
  if (vectors.fault !== null) steps.push(vectors.fault.hint);
  const lacksVectors = vectors.embedder !== 'builtin' && vectors.covered < vectors.total;
  if (counts.missing > 0 || lacksVectors) steps.push(index);
  if ((counts.skipped.unreadable ?? 0) > 0) steps.push(`git fetch --refetch --no-filter && ${index}`);
  if (state.missingGrammars.length > 0 && (counts.degraded['grammar-missing'] ?? 0) > 0)
    steps.push('npm install -g git-socraticode');
  if (counts.files > 0 && counts.missing === 0)
    steps.push(`${commandText('search', { ref })} "what you are looking for"`);
  const hasFiles = Object.keys(counts.about.languages).length > 0;
  if (resolved.commit === null && ref === undefined) steps.push('git commit');
  else if (!hasFiles) steps.push(commandText('config', { showOrigin: true }));
  return steps;
}

/** `status` of a server, with its background work. Throws UNKNOWN_REF. */
export async function answerServerStatus(
  at: Asker,
  { ref, path }: ServerStatusValues,
): Promise<ServerStatus | ExplainResponse> {
  if (path !== undefined) {
    const { answerExplain } = await import('../explain/answer.js');
    return answerExplain(at, { paths: path, ref });
  }
  return serverStatusOf(at, ref);
}

async function serverStatusOf({ session, server }: Asker, ref: string | undefined): Promise<ServerStatus> {
  const { project } = server as ServerCaller;
  const status = await readStatus(session, ref);
  const { running, queued, last } = project.background.state();
  return {
    ...status,
    background: { running: running && runningJob(running), queued, last: last && lastJob(last) },
    watches: project.watches,
  };
}

function runningJob({ kind, ref, phase, done, total }: RunningState): ServerStatus['background']['running'] {
  return { kind, ref, phase, done, total: total === 0 ? null : total };
}

function lastJob({ kind, ref, ok, error, ms, endedAt }: LastRun): ServerStatus['background']['last'] {
  const fault = error === undefined ? null : { code: error.code, message: error.message, hint: error.hint };
  return { kind, ref, ok, error: fault, ms: Math.round(ms), endedAt: new Date(endedAt).toISOString() };
}

// Text for agents: facts that affect answers. The document has sizes and places of files.

export function serverStatusText(document: ServerStatus | ExplainResponse, { pen }: { pen: Pen }): string {
  return 'files' in document ? explainText(document, { pen }) : statusText(document);
}

function statusText(status: ServerStatus): string {
  const { branch, chunks, vectors, grammars, notice, writer } = status;
  const rows = [
    `${branch === null ? 'no branch checked out' : `branch ${branch}`}; ${formatCount(chunks, 'chunk')}`,
    `vectors: ${groupDigits(vectors.covered)} of ${groupDigits(vectors.total)} by ${vectors.embedder} ${vectors.model}${faultOf(vectors)}`,
    `languages: ${formatCounts(status.languages) || 'none'}`,
    `not indexed: ${formatSkipped(status.skipped) || 'nothing'}`,
    ...(Object.keys(status.degraded).length > 0 ? [`without symbols: ${formatCounts(status.degraded)}`] : []),
    ...(status.parseErrors === undefined
      ? []
      : [
          `parse errors may hide declarations in ${formatCount(status.parseErrors.files, 'file')}: ${status.parseErrors.first.join(', ')}`,
        ]),
    ...(grammars.missing.length > 0 ? [`grammars missing: ${grammars.missing.join(', ')}`] : []),
    ...(notice === null ? [] : [notice]),
    `background: ${backgroundOf(status)}`,
    ...(writer === null ? [] : [`process ${writer} is writing the index`]),
    `work tree ${status.watches ? 'watched' : 'looked at with every question'}; git hook ${status.hook.installed ? 'installed' : 'not installed'}`,
  ];
  return `${rows.join('\n')}\n`;
}

function faultOf({ fault }: ServerStatus['vectors']): string {
  return fault === null ? '' : `: ${fault.message}; ${fault.hint}`;
}

const PHASES: Readonly<Record<NonNullable<ServerStatus['background']['running']>['phase'], string>> = {
  starting: 'about to index',
  'waiting-for-lock': 'waiting for another process to index',
  fetching: 'fetching records of',
  indexing: 'indexing',
  vectors: 'computing vectors of',
  linking: 'linking the graph of',
};

function backgroundOf({ background }: ServerStatus): string {
  const { running, queued, last } = background;
  if (running !== null) {
    const total = running.total === null ? '' : ` ${running.done}/${running.total}`;
    const more = queued.length === 0 ? '' : `, then ${queued.map(({ ref }) => ref).join(', ')}`;
    return `${PHASES[running.phase]} ${running.ref}${total}${more}`;
  }
  if (last === null) return 'idle';
  if (last.ok) return `idle; ${last.ref} done at ${last.endedAt}`;
  return `idle; ${last.ref} failed: ${last.error?.message ?? 'unknown'}; ${last.error?.hint ?? ''}`;
}

// Vectors: how many chunks have one, where they are kept, and why some have none.

type VectorStatus = StatusReport['vectors'];

/** Asks a provider whether it is ready, only if vectors are missing; sends no source text. */
async function readVectorStatus(
  session: Session,
  { config, source, manifest, vectors: counts }: Contents,
): Promise<VectorStatus> {
  const names = manifest.shards.map(({ file }) => file);
  const store = vectorStore(session.repository, session.objects, source.profile);
  const notes = sharesVectors(source, config) ? describeNotes(await readNotes(session, store)) : null;
  const { engine, reason } = describeEngine();
  const isMissing = source.costly && counts.covered < counts.total;
  return {
    ...{ embedder: source.embedder, model: source.model, profile: source.profile },
    ...{ dimensions: counts.dimensions, covered: counts.covered, total: counts.total },
    ...{ bytes: bytesOf(session, source, names), notes },
    endpoint: (source.costly && config.embedder.endpoint) || null,
    ...{ engine, engineReason: reason, indexReason: await indexReason(config.vectors.index, manifest.shards) },
    fault: isMissing ? await findFault(config) : null,
  };
}

/** Reason for no vector graph although the settings ask for one: no file of the index is large enough. */
async function indexReason(choice: IndexChoice, shards: readonly ShardEntry[]): Promise<string | null> {
  if (choice !== 'hnsw') return null;
  const { HNSW_MIN_ROWS } = await import('../../shard/nearest.js');
  if (shards.some(({ documents }) => documents >= HNSW_MIN_ROWS)) return null;
  return `vectors.index=hnsw has no effect: a file of the index has a graph from ${groupDigits(HNSW_MIN_ROWS)} chunks on`;
}

interface Covered {
  dimensions: number | null;
  covered: number;
  total: number;
}

/** Counts by catalog; `key` names the shards and sizes counted, whose files never change. */
const COUNTED_VECTORS = new WeakMap<SnapshotFiles['catalog'], Covered & { key: string }>();

interface Counting {
  scope: SnapshotFiles;
  source: VectorSource;
  shards: readonly LexicalShard[];
  bytes: number;
}

function coveredOf(session: Session, { scope, source, shards, bytes }: Counting): Covered {
  const key = JSON.stringify([source.profile, bytes, shards.map(({ name }) => name)]);
  const known = COUNTED_VECTORS.get(scope.catalog);
  // A provider's vectors are also in drafts, whose size does not show how many they hold.
  if (known?.key === key && !source.costly) return known;
  const { maxFileBytes } = scope.config;
  const { live } = createLiveSet(shards, scope.catalog.files, (_, unit) => unit.size <= maxFileBytes);
  const counted = countCovered(session, source, live);
  COUNTED_VECTORS.set(scope.catalog, { ...counted, key });
  return counted;
}

function countCovered(session: Session, { profile, dimensions, costly }: VectorSource, live: LiveSet) {
  const { directory } = session.shards;
  if (!costly) {
    const vectors = live.shards.map(({ name, meta }) => readVectorShard(directory, profile, name, meta.documents));
    const { covered, total } = new VectorIndex(live, vectors);
    return { dimensions, covered, total };
  }
  const drafts = new VectorDrafts({ directory, profile }, live.shards, dimensions);
  const missing = vectorUnits(live).reduce((sum, unit) => sum + countMissing(unit, drafts), 0);
  return { dimensions: drafts.dimensions, covered: live.count - missing, total: live.count };
}

function bytesOf(session: Session, { profile }: VectorSource, names: readonly string[]): number {
  const { directory } = session.shards;
  const paths = names.flatMap((name) => [vectorPath(directory, profile, name), hnswPath(directory, profile, name)]);
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

async function findFault(config: Config): Promise<VectorStatus['fault']> {
  try {
    const embedder = await createEmbedder(config, { brisk: true });
    await embedder.prepare();
    return null;
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { code: error.code, message: error.message, hint: error.hint };
  }
}
