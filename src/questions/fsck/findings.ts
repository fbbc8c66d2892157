/** Kinds of findings (data), and the list of findings of one run. */
import type { FsckFinding } from './output.js';

interface Kind {
  /** Effect of `repair`; null if a person has to act. */
  repair: string | null;
  /** False for what is worth knowing and no fault. */
  fault?: false;
}

const DERIVED = 'keeps the note aside, takes it out of the notes and derives the record again';
const MOVED = 'moves the file aside and makes it again';
const REMOVED = 'deletes it';

/** Names are stable: scripts read them. */
const FINDINGS = {
  'ref-broken': {
    repair: 'sets the file of the ref aside and takes the last commit of its log, or derives all records again',
  },
  'ref-unreadable': { repair: null },
  'ref-symbolic': { repair: null },
  'ref-in-the-way': { repair: null },
  'ref-lock-stale': { repair: 'deletes it, if no git that runs here can have made it' },
  'note-unreadable': { repair: 'takes it out of the notes and derives the record again' },
  'note-undecodable': { repair: DERIVED },
  'note-too-large': { repair: 'takes it out of the notes and derives the record again' },
  'note-wrong-blob': { repair: DERIVED },
  'note-wrong-version': { repair: DERIVED },
  'note-not-about-a-blob': { repair: 'keeps the note aside and takes it out of the notes' },
  'note-twice': { repair: 'keeps one of them, the other aside' },
  // `git notes` files notes as it likes, and every reader finds them.
  'note-depth': { repair: 'puts it where this program looks first', fault: false },
  'note-mode': { repair: 'writes the entry as a plain file' },
  'note-stranger': { repair: 'keeps it aside and takes it out of the notes' },
  'note-differs': { repair: DERIVED },
  'entry-damaged': { repair: 'keeps it aside and takes it out: nobody can make it again' },
  'vectors-shape': { repair: 'keeps the note aside, takes it out of the notes and makes the vectors again' },
  'vectors-text': { repair: 'keeps the note aside, takes it out of the notes and makes the vectors again' },
  'state-link': { repair: null },
  'manifest-damaged': { repair: MOVED },
  'shard-missing': { repair: 'forgets it and makes it again from the records' },
  'shard-damaged': { repair: MOVED },
  'shard-counts': { repair: MOVED },
  'shard-differs': { repair: MOVED },
  'unit-twice': { repair: MOVED },
  'unit-unrecorded': { repair: 'writes the records again' },
  'snapshot-incomplete': { repair: 'forgets the claim and indexes HEAD' },
  'vector-file-missing': { repair: 'makes it again' },
  'vector-file-damaged': { repair: MOVED },
  'vector-file-differs': { repair: MOVED },
  'cache-damaged': { repair: MOVED },
  'orphan-records': { repair: null, fault: false },
  'notes-of-later-version': { repair: null, fault: false },
  'notes-not-here': { repair: null, fault: false },
  'state-of-others': { repair: null, fault: false },
  'units-not-compared': { repair: null, fault: false },
  'leftover-files': { repair: REMOVED, fault: false },
} as const satisfies Record<string, Kind>;

export type FindingKind = keyof typeof FINDINGS;

/** Findings of one kind that are listed: thousands of notes can be bad in the same way. */
const LISTED = 50;

interface FindingDetail {
  blob?: string | null;
  path?: string | null;
  /** The next step where --repair can do nothing. */
  hint?: string;
}

/** Collects findings; counts all of them and lists the first of each kind. */
export class Findings {
  readonly counts: Partial<Record<FindingKind, number>> = {};
  private readonly listed: FsckFinding[] = [];

  /** `about` is a ref or a file, `message` a sentence. */
  add(kind: FindingKind, about: string, message: string, { blob, path, hint }: FindingDetail = {}): void {
    const count = (this.counts[kind] ?? 0) + 1;
    this.counts[kind] = count;
    if (count > LISTED) return;
    const { repair } = FINDINGS[kind] as Kind;
    this.listed.push({
      ...{ kind, isFault: isFault(kind), about, blob: blob ?? null, path: path ?? null, message, repair },
      hint: hint ?? null,
    });
  }

  /** Once for each thing that it is about. */
  addOnce(kind: FindingKind, about: string, message: string): void {
    if (!this.listed.some((finding) => finding.kind === kind && finding.about === about))
      this.add(kind, about, message);
  }

  get list(): readonly FsckFinding[] {
    return this.listed;
  }

  /** Number of faults, listed or not. */
  get faults(): number {
    const kinds = Object.entries(this.counts) as [FindingKind, number][];
    return kinds.reduce((sum, [kind, count]) => sum + (isFault(kind) ? count : 0), 0);
  }
}

function isFault(kind: FindingKind): boolean {
  return (FINDINGS[kind] as Kind).fault !== false;
}
