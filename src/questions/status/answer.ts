/** The whole `status`: coverage of a ref, why files are left out, sizes, and what to type next. */
import { join } from 'node:path';
import { lockHolder } from '../../base/lock.js';
import { grammarStatus } from '../../extract/grammar-files.js';
import { mayHaveRefs } from '../../git/may-have-refs.js';
import { readBranchAndRemotes } from '../../git/porcelain.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import { readHookState } from '../../hooks/state.js';
import { KNOWLEDGE_KINDS, PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import { commandText } from '../../params/command-line.js';
import { syntaxStore } from '../../record/store.js';
import type { KnowledgeCount } from '../../session/knowledge/count.js';
import { describeNotes, readNotes } from '../../session/notes-state.js';
import { openCompilerStore } from '../../session/records/compiler-records.js';
import { foreignNotice } from '../../session/records/foreign-records.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { countUnits, coverageOf, type UnitCounts } from '../../session/snapshot/coverage.js';
import type { SnapshotFiles } from '../../session/snapshot/snapshot.js';
import { readVectorStatus } from '../../session/vectors/vector-status.js';
import type { LexicalShard } from '../../shard/lexical.js';
import { lookUpUnit } from '../../shard/live.js';
import type { Manifest } from '../../shard/manifest.js';
import type { StatusReport } from './output.js';

export function readStatus(session: Session, ref?: string): Promise<StatusReport> {
  return retried(session, ref, () => statusOf(session, ref));
}

async function statusOf(session: Session, ref?: string): Promise<StatusReport> {
  const { repository, gitConfig } = session;
  const [scope, surroundings, dirty, grammars, notes, told, knowledge] = await Promise.all([
    session.origin(ref, { unborn: true }).then((origin) => session.filesOf(origin)),
    readBranchAndRemotes(repository),
    session.countDirty(),
    grammarStatus(),
    readNotes(session, syntaxStore(session.repository, session.objects, session.profile)),
    readNotes(session, openCompilerStore(session)),
    knowledgeOf(session),
  ]);
  const { manifest, shards, counts, languages } = countedOf(session, scope);
  const vectors = await readVectorStatus(session, scope, shards);
  const blobs = new Set(scope.catalog.files.map((file) => file.oid));
  const noted = (targets: ReadonlyMap<string, string>) => [...blobs].filter((oid) => targets.has(oid)).length;
  const present = noted(notes.targets);
  const hook = await readHookState(repository, gitConfig);
  return {
    schemaVersion: 1,
    ref: scope.ref,
    commit: scope.commit,
    profile: session.profile,
    coverage: coverageOf(counts),
    records: { present, missing: blobs.size - present },
    chunks: counts.chunks,
    skipped: counts.skipped,
    degraded: counts.degraded,
    languages,
    grammars,
    notes: describeNotes(notes),
    ...(knowledge.length > 0 && { knowledge }),
    compiler: told.commit === null ? null : { present: noted(told.targets), ...describeNotes(told) },
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
    notice: await foreignNotice(session),
    next: nextSteps(scope, counts, { missingGrammars: grammars.missing, vectors, ref }),
  };
}

/** Refs are looked for in git's files first: a repository without entries starts no git and loads nothing more. */
async function knowledgeOf(session: Session): Promise<KnowledgeCount[]> {
  const prefixes = [NOTES_PREFIX, PRIVATE_PREFIX].flatMap((prefix) =>
    KNOWLEDGE_KINDS.map((kind) => `${prefix}/${kind}`),
  );
  if (!mayHaveRefs(session.repository, prefixes)) return [];
  return (await import('../../session/knowledge/count.js')).countKnowledge(session);
}

interface Counted {
  version: string;
  manifest: Manifest;
  shards: LexicalShard[];
  counts: UnitCounts;
  languages: Record<string, number>;
}

/** A process that stays counts the files of a snapshot again only when a manifest was published. */
const COUNTED = new WeakMap<SnapshotFiles['catalog'], Counted>();

function countedOf(session: Session, scope: SnapshotFiles): Counted {
  const version = session.shards.version();
  const known = COUNTED.get(scope.catalog);
  if (known !== undefined && known.version === version && version !== '') return known;
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest, known?.shards);
  const languages: Record<string, number> = {};
  for (const file of scope.catalog.files) {
    const unit = lookUpUnit(shards, file);
    const language = file.language ?? (unit === null ? 'unknown' : shards[unit.shard].unitLanguageId(unit.unit));
    languages[language] = (languages[language] ?? 0) + 1;
  }
  const counted = { version, manifest, shards, counts: countUnits(scope, shards, manifest), languages };
  COUNTED.set(scope.catalog, counted);
  return counted;
}

interface NextState {
  missingGrammars: string[];
  vectors: StatusReport['vectors'];
  ref?: string;
}

function nextSteps(scope: SnapshotFiles, counts: UnitCounts, state: NextState): string[] {
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
  if (scope.commit === null && ref === undefined) steps.push('git commit');
  else if (scope.catalog.files.length === 0) steps.push(commandText('config', { showOrigin: true }));
  return steps;
}
