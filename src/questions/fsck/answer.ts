/** `fsck`: compares the index with the blobs. Reads only, unless it is to repair. */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDirectory, refuseLinks, standingAt, writeFileAtomic } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits } from '../../base/printable.js';
import { createProgress } from '../../base/progress.js';
import { lastLogged, quarantineRefFile, RefLocks } from '../../git/crash-recovery.js';
import {
  fastImport,
  NOTES_AUTHOR,
  type NoteEntry,
  notePath,
  notesFailure,
  readRef,
  requireDirect,
} from '../../git/notes.js';
import { moveRefs } from '../../git/notes-history.js';
import { listTree } from '../../git/objects.js';
import { localStateDirectory, NOTES_PREFIX, type Repository } from '../../git/repository.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import { deriveAgain } from '../../indexer/verify-records.js';
import { PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import { optionText } from '../../params/param.js';
import { MAX_RECORD_BYTES } from '../../record/format.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { indexRef } from '../../session/indexing/index-operation.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount, formatCounts, formatSeconds } from '../format.js';
import { type Check, type FindingKind, Findings, freshCounts, readNotes } from './check.js';
import {
  type CheckedAll,
  type CheckedFiles,
  type CheckRequest,
  checkAll,
  checkAllNotes,
  checkLocal,
  checkRefs,
  isLocalRequested,
  rederiveAll,
  withCheck,
} from './check-all.js';
import { type CheckedNotes, plannedBlob, type Sample } from './check-notes.js';
import type { CheckedShards } from './check-shards.js';
import type { FsckFinding, FsckReport, FsckValues } from './question.js';

/** With `repair`, records of a named profile may be removed even if it is not in use. */
export type FsckRequest = CheckRequest & { repair?: boolean };

/** Throws as `fsck` does. */
export async function answerKnowledgeFsck({ session, signal }: Asker, { repair }: Pick<FsckValues, 'repair'>) {
  return { schemaVersion: 1 as const, ...(await fsck(session, { repair, knowledge: true, signal })) };
}

/** Throws as `fsck` does. */
export async function answerFsck({ session, signal }: Asker, { rederive, profile, repair }: FsckValues) {
  const report = await fsck(session, { rederive: sampleSize(rederive), profile, repair, signal });
  return { schemaVersion: 1 as const, ...report };
}

function sampleSize(text: string | undefined): Sample | undefined {
  return text === undefined || text === 'all' ? text : Number(text);
}

/** Attempts: files that were just listed may vanish when a writer publishes. */
const ATTEMPTS = 3;

/** Throws GIT_FAILED, BAD_CONFIG or CANCELLED if nothing can be known; with `repair` also LOCKED and DISK. Earlier repairs stay. */
export async function fsck(session: Session, { repair, ...request }: FsckRequest = {}): Promise<FsckReport> {
  const started = performance.now();
  const first = repair ? await repairAll(session, request) : null;
  const all = await checkCalmly(session, first === null ? request : { ...request, rederive: undefined });
  const { findings, counts } = all.check;
  return {
    ok: findings.faults === 0,
    indexed: counts.refs > 0 || standingAt(session.shards.directory) !== undefined,
    checked: counts,
    rederived: first?.rederived ?? all.rederived,
    findings: [...findings.list],
    counts: findings.counts,
    repaired: first?.repaired ?? null,
    ms: Math.round(performance.now() - started),
  };
}

async function checkCalmly(session: Session, request: CheckRequest): Promise<CheckedAll> {
  for (let attempt = 1; ; attempt++) {
    const version = session.shards.version();
    const all = await withCheck(session, request, (check) => checkAll(check, request));
    const isMoved = session.shards.version() !== version;
    if (!isMoved || all.check.findings.faults === 0 || attempt >= ATTEMPTS) return all;
  }
}

/** Findings shown of each kind; the document has more. */
const SHOWN = 8;

export function fsckText(report: FsckReport): string {
  const { indexed, repaired, rederived } = report;
  if (!indexed && repaired === null && report.findings.length === 0) return 'nothing indexed yet\n';
  const lines = repaired === null ? [] : repairLines(repaired);
  lines.push(...findingLines(report, repaired === null ? '' : 'left: '));
  lines.push(checkedLine(report));
  if (rederived !== null) lines.push(...rederivedLines(rederived));
  lines.push(verdict(report));
  return `${lines.join('\n')}\n`;
}

function findingLines({ findings, counts }: Pick<FsckReport, 'findings' | 'counts'>, before: string): string[] {
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  return kinds.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    const shown = own.slice(0, SHOWN);
    const more = (counts[kind] ?? own.length) - shown.length;
    const lines = shown.map((finding) => `${before}${findingLine(finding)}`);
    if (more > 0) lines.push(`  and ${groupDigits(more)} more (${optionText('json')})`);
    const next =
      own[0].hint ?? (own[0].repair !== null && before === '' ? `${optionText('repair')} ${own[0].repair}` : null);
    return next === null ? lines : [...lines, `  ${next}`];
  });
}

function findingLine({ kind, isFault, about, path, message }: FsckFinding): string {
  const at = path === null ? '' : ` (${path})`;
  return `${isFault ? 'error' : 'note'}: ${kind}: ${about}: ${message}${at}`;
}

function repairLines({ findings, counts, aside, commits, indexed }: NonNullable<FsckReport['repaired']>): string[] {
  const lines = findingLines({ findings, counts }, 'found ');
  for (const { ref, removed, replaced } of commits) {
    const done = `${formatCount(replaced, 'record')} derived again, ${groupDigits(removed)} taken out`;
    lines.push(`repaired ${ref}: ${done}`);
  }
  if (aside.length > 0) {
    const [first] = aside;
    lines.push(`set aside, in the local state: ${first}${aside.length > 1 ? ` and ${aside.length - 1} more` : ''}`);
  }
  if (indexed) lines.push('HEAD was indexed');
  return lines;
}

function recordCounts({ records, vectors, compiler, knowledge }: FsckReport['checked']): string {
  const others = [
    [vectors, 'vector record'],
    [compiler, 'compiler record'],
  ] as const;
  const counts = others.filter(([n]) => n > 0).map(([n, what]) => ` and ${formatCount(n, what)}`);
  if (knowledge > 0) counts.push(` and ${formatCount(knowledge, 'entry', 'entries')} of people and agents`);
  return `${formatCount(records, 'record')}${counts.join('')}`;
}

function checkedLine({ checked, ms }: FsckReport): string {
  const { noteBytes, shards, units, snapshots, files, fileBytes } = checked;
  const parts = [
    `${recordCounts(checked)} (${formatBytes(noteBytes)})`,
    `${formatCount(shards, 'shard')} with ${formatCount(units, 'blob')}`,
    `${formatCount(snapshots, 'complete snapshot')}`,
    `${formatCount(files, 'local file')} (${formatBytes(fileBytes)})`,
  ];
  return `checked ${parts.join(', ')} in ${formatSeconds(ms)}`;
}

function rederivedLines(report: NonNullable<FsckReport['rederived']>): string[] {
  const { of, equal, different, notComparable, vectorsCompared } = report;
  const compared = equal + different;
  const lines = [
    `derived ${groupDigits(compared)} of ${formatCount(of, 'record')} again: ${different === 0 ? 'all equal' : `${groupDigits(different)} differ`}`,
  ];
  const left = formatCounts(notComparable);
  if (left !== '') lines.push(`not comparable on this machine: ${left}`);
  if (vectorsCompared > 0)
    lines.push(
      `${formatCount(vectorsCompared, 'vector record')} compared with the texts of their chunks; no provider was asked again`,
    );
  return lines;
}

function verdict({ ok, counts, findings }: FsckReport): string {
  if (ok) return 'nothing is wrong';
  const faults = [...new Set(findings.filter(({ isFault }) => isFault).map(({ kind }) => kind))];
  return formatCount(
    faults.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0),
    'error',
  );
}

// `fsck --repair` moves damaged parts away, then builds them again. If it is killed, it can be run again.

type Repaired = NonNullable<FsckReport['repaired']>;

/** Findings that leave no place to write records or shards. */
const IN_THE_WAY: readonly FindingKind[] = ['ref-in-the-way', 'ref-symbolic', 'ref-unreadable', 'state-link'];

/** Reports what was wrong and what was done. Throws LOCKED, DISK, GIT_FAILED or CANCELLED. */
async function repairAll(
  session: Session,
  request: CheckRequest,
): Promise<{ repaired: Repaired; rederived: CheckedAll['rederived'] }> {
  const { signal } = request;
  const repair = () => withCheck(session, request, (check) => repairParts(check, request));
  const done = await withWriterLock(session, repair, { signal });
  const { findings } = done.check;
  const isStuck = IN_THE_WAY.some((kind) => findings.counts[kind] !== undefined);
  const isChanged = findings.faults > 0 || done.commits.length > 0;
  const indexed = isChanged && !isStuck && !request.knowledge && done.check.head !== null;
  // Other snapshots are built again from their records at the next question about them.
  if (indexed) await indexRef(session, { signal });
  const { quarantine, commits, rederived } = done;
  if (isChanged) logRepaired(findings.faults, quarantine.paths.length, commits.length);
  const repaired = { findings: [...findings.list], counts: findings.counts, aside: quarantine.paths, commits, indexed };
  return { repaired, rederived };
}

function logRepaired(faults: number, aside: number, commits: number): void {
  const message = `repair: ${faults} faults, ${aside} files moved aside, ${commits} refs written`;
  log.event('repair', message, { faults, aside, commits }, 'warn');
}

interface RepairedParts {
  check: Check;
  quarantine: Quarantine;
  commits: RepairCommit[];
  rederived: CheckedAll['rederived'];
}

async function repairParts(check: Check, request: CheckRequest): Promise<RepairedParts> {
  const quarantine = new Quarantine(check.session.repository);
  await repairRefs(check, quarantine);
  const notes = await checkAllNotes(check);
  const rederived = request.rederive === undefined ? null : await rederiveAll(check, notes, request.rederive);
  const commits: RepairCommit[] = [];
  for (const checked of notes) {
    // A profile that is not in use is repaired only if it was named.
    if (!needsCommit(checked) || !(checked.isOwn || checked.profile === request.profile)) continue;
    const replacements = checked.isOwn && checked.kind === SYNTAX_KIND ? await deriveBad(check, checked) : [];
    await quarantineNotes(check, checked, quarantine);
    commits.push(await commitGood(check.session.repository, checked, replacements));
  }
  if (isLocalRequested(check)) {
    const unheard = { ...check, findings: new Findings(), counts: freshCounts() };
    const now = commits.length === 0 ? notes : await checkAllNotes(unheard);
    repairLocal(check, await checkLocal(check, now), quarantine);
  }
  return { check, quarantine, commits, rederived };
}

async function repairRefs(check: Check, quarantine: Quarantine): Promise<void> {
  const { repository } = check.session;
  const seen = { ...check, findings: new Findings(), counts: freshCounts() };
  const { broken, locks } = await checkRefs(seen);
  if (locks.length > 0) await clearLocks(repository);
  for (const ref of broken) if (quarantineRefFile(repository, ref, quarantine.placeFor(ref))) await restore(check, ref);
  for (const { kind, about, message } of seen.findings.list)
    if (kind === 'ref-broken' || kind === 'ref-lock-stale') check.findings.add(kind, about, message);
}

/** Time without change after which a lock counts as abandoned. */
const STILL_MS = 1_100;

async function clearLocks(repository: Repository): Promise<void> {
  const locks = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => new RefLocks(repository, `${prefix}/`));
  for (const each of locks) await each.clear();
  await sleep(STILL_MS);
  for (const each of locks) await each.clear();
}

/** Restores a ref from its log: after a power cut the ref can be empty while its commit is whole. */
async function restore({ session, objects }: Check, ref: string): Promise<void> {
  const { repository } = session;
  const oid = lastLogged(repository, ref);
  if (oid === null || (await objects.info(oid))?.type !== 'commit') return;
  try {
    await listTree(repository.git, oid);
  } catch {
    return;
  }
  const failure = await moveRefs(repository.git, [{ ref, from: '0'.repeat(oid.length), to: oid }]);
  if (failure !== null && (await readRef(repository.git, ref)) === null)
    log.warn(`${ref} was not restored: ${failure}`);
}

/** Records that replace bad ones, if their languages are known. */
async function deriveBad(check: Check, checked: CheckedNotes): Promise<NoteEntry[]> {
  const wanted = new Map<string, readonly string[] | null>();
  for (const { target, languages } of checked.bad) {
    if (target === null || checked.good.has(target)) continue;
    if (languages !== null || check.headFiles.has(target)) wanted.set(target, languages);
  }
  const replacements: NoteEntry[] = [];
  if (wanted.size === 0) return replacements;
  const pool = new ParserPool();
  const progress = createProgress('deriving again', 'records');
  let done = 0;
  try {
    const blobs = [...wanted].map(([oid, languages]) => plannedBlob(check, oid, languages));
    for await (const { oid, note } of deriveAgain(check, blobs, pool)) {
      if (note !== null) replacements.push({ target: oid, note });
      progress.update(++done, blobs.length);
    }
  } finally {
    progress.finish();
    pool.stop();
  }
  return replacements;
}

async function quarantineNotes(check: Check, checked: CheckedNotes, quarantine: Quarantine): Promise<void> {
  const damaged = checked.bad.filter(({ note }) => note !== null);
  for await (const { item, content } of readNotes(
    damaged,
    check.objects,
    ({ note }) => note as string,
    MAX_RECORD_BYTES,
  )) {
    if (content !== null) quarantine.keepNote(checked, item.target ?? item.path, content);
  }
}

function repairLocal(
  check: Check,
  { shards, files }: { shards: CheckedShards; files: CheckedFiles },
  quarantine: Quarantine,
): void {
  if (!shards.isOurs) return;
  for (const path of [...shards.bad, ...files.bad]) quarantine.moveFile(path);
  for (const path of files.leftovers) rmSync(path, { recursive: true, force: true });
  const { manifest, sound, incomplete, isWrongAboutNotes } = shards;
  const names = new Set(sound.map(({ name }) => name));
  const retained = manifest.shards.filter(({ file }) => names.has(file));
  const isLess = retained.length < manifest.shards.length;
  if (!isLess && incomplete.length === 0 && !isWrongAboutNotes) return;
  check.session.shards.publish({
    ...{ ...manifest, shards: retained, notes: isWrongAboutNotes ? null : manifest.notes },
    // Snapshots that needed the removed parts are unknown, so all are checked again.
    complete: isLess ? [] : manifest.complete.filter(({ key }) => !incomplete.includes(key)),
  });
}

// Removes bad notes from a ref with one new commit. History stays, and so do notes that others add meanwhile.

type RepairCommit = NonNullable<FsckReport['repaired']>['commits'][number];

const LINES_PER_BLOCK = 2_000;

/** True if a commit can repair something. */
function needsCommit({ bad, misplaced, elsewhere }: CheckedNotes): boolean {
  return elsewhere === 0 && (bad.length > 0 || misplaced > 0);
}

/**
 * Commits the good notes of a checked ref and the replacements on top of the checked commit. Throws LOCKED if another process moved the ref
 * meanwhile, GIT_FAILED or DISK; then the ref is unchanged.
 */
async function commitGood(
  repository: Repository,
  checked: CheckedNotes,
  replacements: readonly NoteEntry[],
): Promise<RepairCommit> {
  const { ref, commit } = checked;
  await requireDirect(repository, ref);
  const { code, stderr } = await fastImport(repository, repairBlocks(checked, replacements));
  const tip = await readRef(repository.git, ref);
  if (code !== 0) {
    if (tip !== commit) throw new SocraticodeError('LOCKED', `${ref} was written meanwhile`);
    throw notesFailure(stderr);
  }
  return {
    ref,
    commit: tip ?? commit,
    removed: checked.bad.length - replacements.length,
    replaced: replacements.length,
  };
}

/** Writes the whole tree again, which drops entries that a path cannot name, or that occur twice. */
function* repairBlocks(
  { ref, commit, good, bad }: CheckedNotes,
  replacements: readonly NoteEntry[],
): Generator<Buffer> {
  const message = `Repair: ${bad.length} bad ${bad.length === 1 ? 'entry' : 'entries'}, ${replacements.length} derived again`;
  let lines = [`commit ${ref}`, `committer ${NOTES_AUTHOR} now`, `data ${Buffer.byteLength(message)}`, message];
  lines.push(`from ${commit}`, 'deleteall');
  for (const [target, note] of good) {
    lines.push(`M 100644 ${note} ${notePath(target)}`);
    if (lines.length < LINES_PER_BLOCK) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  yield Buffer.from(`${lines.join('\n')}\n`);
  for (const { target, note } of replacements)
    yield Buffer.concat([
      Buffer.from(`M 100644 inline ${notePath(target)}\ndata ${note.length}\n`),
      note,
      Buffer.from('\n'),
    ]);
}

// Quarantine of damaged parts for inspection: renamed files, and notes as files.

const FOLDER = 'aside';
/** Limits of all quarantined notes, which an attacker may have made. Each stays in the history of its ref anyway. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 << 20;
const PLAIN_NAME = /^[\w-]{1,80}$/;

class Quarantine {
  /** Paths below the local state. */
  readonly paths: string[] = [];
  private readonly state: string;
  private used: { files: number; bytes: number } | null = null;

  constructor(repository: Repository) {
    this.state = localStateDirectory(repository);
  }

  /** New path of a ref's file. Throws DISK. */
  placeFor(ref: string): string {
    return this.add(join(this.directory('refs'), safeName(ref.replaceAll('/', '-'))));
  }

  /** Writes bytes to `aside/<kind>-<profile>/<name>.note` while there is room. Throws DISK. */
  keepNote(ref: { kind: string; profile: string }, name: string, bytes: Uint8Array): void {
    const directory = this.directory(safeName(`${ref.kind}-${ref.profile}`));
    this.used ??= usedBelow(join(this.state, FOLDER));
    if (this.used.files >= MAX_FILES || this.used.bytes + bytes.length > MAX_BYTES) return;
    this.used.files++;
    this.used.bytes += bytes.length;
    writeFileAtomic(this.add(join(directory, `${safeName(name)}.note`)), bytes);
  }

  /** Renames a file of any kind to `<path>.bad`. Throws DISK. */
  moveFile(path: string): void {
    if (standingAt(path) === undefined) return;
    try {
      renameSync(path, `${path}.bad`);
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot move ${path}: ${(cause as Error).message}`, { cause });
    }
    this.add(`${path}.bad`);
  }

  private directory(name: string): string {
    const path = join(this.state, FOLDER, name);
    refuseLinks([this.state, join(this.state, FOLDER), path]);
    makeDirectory(path);
    return path;
  }

  private add(path: string): string {
    this.paths.push(relative(this.state, path));
    return path;
  }
}

/** File name for a ref or path, whose name a stranger may have chosen. */
function safeName(name: string): string {
  return PLAIN_NAME.test(name) ? name : createHash('sha256').update(name).digest('hex').slice(0, 24);
}

function usedBelow(directory: string): { files: number; bytes: number } {
  const used = { files: 0, bytes: 0 };
  for (const name of readdirSync(directory, { recursive: true }) as string[]) {
    const stat = lstatSync(join(directory, name), { throwIfNoEntry: false });
    if (!stat?.isFile()) continue;
    used.files++;
    used.bytes += stat.size;
  }
  return used;
}
