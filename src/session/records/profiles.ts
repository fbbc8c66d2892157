/**
 * Profiles of records by their use to this installation, with a notice about records of other versions, which otherwise look like no
 * records. Counts of what the notes hold are below.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn } from '../../base/atomic.js';
import { Memory } from '../../base/cache.js';
import { profileId } from '../../config/resolve.js';
import type { Config } from '../../config/settings.js';
import { SYNTAX_VERSION } from '../../extract/version.js';
import { diffTrees } from '../../git/diff.js';
import { listNotes, notePath } from '../../git/notes.js';
import { readAbout } from '../../git/notes-history.js';
import type { Git } from '../../git/process.js';
import { KNOWLEDGE_KINDS, PRIVATE_PREFIX } from '../../knowledge/kinds.js';
import type { ProfilesReport } from '../../questions/state/question.js';
import { COMPILER_KIND } from '../../record/format.js';
import type { RecordStore } from '../../record/store.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { listNotesRefs } from '../../share/notes-refs.js';
import { COMPILER_PROFILE, type Session } from '../session.js';
import { SIZES } from '../state-kinds.js';
import { vectorSource } from '../vectors/vector-source.js';

type ProfileUse = ProfilesReport['profiles'][number]['use'];
type About = Record<string, unknown>;

const MAX_ABOUT = 16_384;

/** Returns the fingerprint of a profile if the text hashes to the profile's name; else null. */
export function checkedAbout(profile: string, text: string | null): About | null {
  if (text === null || text.length > MAX_ABOUT) return null;
  try {
    const about: unknown = JSON.parse(text);
    const isMap = typeof about === 'object' && about !== null && !Array.isArray(about);
    return isMap && profileId(about) === profile ? (about as About) : null;
  } catch {
    return null;
  }
}

/** Returns whether this installation writes that profile, under the settings of HEAD and the work tree. */
export async function isCurrent(session: Session, recordSet: { kind: string; profile: string }): Promise<boolean> {
  if (recordSet.kind === SYNTAX_KIND) return recordSet.profile === session.profile;
  if (recordSet.kind === COMPILER_KIND) return recordSet.profile === COMPILER_PROFILE;
  if (KNOWLEDGE_KINDS.includes(recordSet.kind)) return true;
  return (
    recordSet.kind === VECTORS_KIND && recordSet.profile === vectorSource(session, await currentConfig(session)).profile
  );
}

/** Returns the settings of HEAD, or of a repository without a commit. Throws BAD_CONFIG. */
export async function currentConfig(session: Session): Promise<Config> {
  const origin = await session.origin().catch(() => null);
  const settings = origin === null ? session.configOf(null, true) : session.configOfOrigin(origin);
  return (await settings).config;
}

/** `config` decides which vectors are in use. */
export function useOf(
  session: Session,
  config: Config,
  { kind, profile }: { kind: string; profile: string },
  about: About | null,
): ProfileUse {
  if (kind === SYNTAX_KIND) return profile === session.profile ? 'current' : compareSyntax(about);
  if (kind === COMPILER_KIND) return profile === COMPILER_PROFILE ? 'current' : 'unknown';
  if (profile === vectorSource(session, config).profile) return 'current';
  if (about === null) return 'unknown';
  // Vectors belong to the chunks of one syntax profile. A change of settings makes those of another embedder usable.
  return about.syntax === session.profile ? 'readable' : 'other';
}

function compareSyntax(about: About | null): ProfileUse {
  if (about === null) return 'unknown';
  const { chunker } = about;
  if (typeof chunker !== 'number' || chunker === SYNTAX_VERSION) return 'other';
  return chunker > SYNTAX_VERSION ? 'newer' : 'older';
}

/** Returns a line for people; null if there are usable records, or none at all. */
export async function foreignNotice(session: Session): Promise<string | null> {
  const refs = (await listNotesRefs(session.repository)).filter(({ kind }) => kind === SYNTAX_KIND);
  if (refs.length === 0 || refs.some(({ profile }) => profile === session.profile)) return null;
  const uses = new Map<string, ProfileUse>();
  for (const { profile, commit } of refs) {
    const about = checkedAbout(profile, await readAbout(session.repository.git, commit));
    uses.set(profile, compareSyntax(about));
  }
  return noticeText(uses);
}

/** Names a profile of a newer version if there is one, since then only an update makes more records usable. */
function noticeText(uses: ReadonlyMap<string, ProfileUse>): string {
  const newer = [...uses].find(([, use]) => use === 'newer');
  const [profile] = newer ?? [...uses][0];
  const where = `the records here (${profile}) were written by`;
  return newer === undefined
    ? `${where} another version; this one makes its own, beside them`
    : `${where} a newer version; this one makes its own: update git-socraticode to use them`;
}

// Counts the contents of notes refs: records with their packed size, and entries of knowledge by kind.

interface NotesState {
  ref: string;
  commit: string | null;
  targets: Map<string, string>;
  packedBytes: number;
}

/** Counts by commit of the notes ref, whose tree never changes. */
const COUNTED = new Memory<NotesState>(4);

/** Counts the bytes of the notes' blobs in the object store; 0 without git. Trees and commits add a few per cent. */
export async function readNotes(
  session: Session,
  store: Pick<RecordStore<unknown>, 'ref' | 'readTip'>,
): Promise<NotesState> {
  const { ref } = store;
  const commit = await store.readTip();
  if (commit === null) return { ref, commit, targets: new Map(), packedBytes: 0 };
  const key = `${ref} ${commit}`;
  const known = COUNTED.find(session, key);
  return known ?? COUNTED.set(session, key, await countNotes(session, ref, commit));
}

async function countNotes(session: Session, ref: string, commit: string): Promise<NotesState> {
  if (!session.hasGit) {
    const { tree } = await session.objects.resolve(commit);
    const entries = await session.objects.list(tree);
    const targets = new Map(entries.map(({ path, oid }) => [path.replaceAll('/', ''), oid]));
    return { ref, commit, targets, packedBytes: 0 };
  }
  const { git } = session.repository;
  const { notes } = await listNotes(git, commit);
  return { ref, commit, targets: notes, packedBytes: await sizeOf(git, [...notes.values()]) };
}

/** Bytes that objects take in the object store. */
async function sizeOf(git: Git, oids: readonly string[]): Promise<number> {
  // Sorted: git looks into each pack for an object, and the first index of 100,000 files leaves 400 packs.
  const { stdout } = await git.run(['cat-file', '--batch-check=%(objectsize:disk)'], {
    input: `${[...oids].sort().join('\n')}\n`,
  });
  return stdout
    .toString('latin1')
    .split('\n')
    .reduce((sum, line) => sum + (Number(line) || 0), 0);
}

export function describeNotes({ ref, commit, targets, packedBytes }: NotesState): NotesSize {
  return { ref, commit, records: targets.size, packedBytes };
}

interface NotesSize {
  ref: string;
  commit: string | null;
  records: number;
  packedBytes: number;
}

/** Sizes by ref, and the packs at that time: another pack may hold the same object in fewer bytes. */
interface KeptSizes {
  packs: string;
  sizes: NotesSize[];
}

/** Most notes that are added to a kept size instead of counting all. */
const MAX_ADDED = 1_000;

/** Counts the records of a ref like `readNotes`, from what was counted before where only a few were added since. */
export async function countRecords(session: Session, store: Parameters<typeof readNotes>[1]): Promise<NotesSize> {
  const { ref } = store;
  const commit = await store.readTip();
  if (commit === null) return { ref, commit, records: 0, packedBytes: 0 };
  const { repository, state } = session;
  const objects = join(repository.commonDir, 'objects');
  const packs = namesIn(join(objects, 'pack')).sort().join(' ');
  // Objects of another repository may be packed anew without a trace here.
  const isAlone = !existsSync(join(objects, 'info', 'alternates'));
  const kept = isAlone ? state.read(SIZES, '', ({ note }) => note as KeptSizes) : null;
  const sizes = kept?.packs === packs ? kept.sizes : [];
  const known = sizes.find((size) => size.ref === ref);
  if (known?.commit === commit) return known;
  const counted =
    (known === undefined ? null : await withAdded(session, known, commit)) ??
    describeNotes(await readNotes(session, store));
  const others = sizes.filter((size) => size.ref !== ref);
  const all: KeptSizes = { packs, sizes: [...others, counted] };
  if (isAlone) state.write(SIZES, '', new Uint8Array(), all);
  return counted;
}

/** Null if more than some additions lie between. */
async function withAdded(
  { repository: { git } }: Session,
  known: NotesSize,
  commit: string,
): Promise<NotesSize | null> {
  const changes = await diffTrees(git, known.commit, commit, { limit: MAX_ADDED }).catch(() => null);
  if (
    changes === null ||
    changes.some(({ path, oldOid }) => oldOid !== null || notePath(path.replaceAll('/', '')) !== path)
  )
    return null;
  const bytes = await sizeOf(
    git,
    changes.map(({ newOid }) => `${newOid}`),
  );
  return { ...known, commit, records: known.records + changes.length, packedBytes: known.packedBytes + bytes };
}

export interface KnowledgeCount {
  kind: string;
  /** Entries that pushes send. `own`: entries that stay in this clone. */
  shared: number;
  own: number;
  /** Refs with entries: each task has its own. */
  sets: number;
}

/** Counts the entries of each kind that has some. Starts one git, and one more for each ref. */
export async function countKnowledge({ repository }: Session): Promise<KnowledgeCount[]> {
  const counts = new Map<string, KnowledgeCount>();
  for (const { ref, commit, kind, isKnowledge, remote } of await listNotesRefs(repository, { own: true })) {
    if (!isKnowledge || remote !== null) continue;
    const { notes } = await listNotes(repository.git, commit);
    const count = counts.get(kind) ?? { kind, shared: 0, own: 0, sets: 0 };
    count[ref.startsWith(`${PRIVATE_PREFIX}/`) ? 'own' : 'shared'] += notes.size;
    count.sets++;
    counts.set(kind, count);
  }
  return [...counts.values()].sort((a, b) => KNOWLEDGE_KINDS.indexOf(a.kind) - KNOWLEDGE_KINDS.indexOf(b.kind));
}
