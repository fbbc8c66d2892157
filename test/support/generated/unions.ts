/** Notes trees of every shape, and what their union has to be. */
import fc from 'fast-check';
import { fastImport, readRef } from '../../../src/git/notes.js';
import { type ConflictPolicy, type Notes, notesBeyond, uniteNotes } from '../../../src/git/notes-union.js';
import type { Repository } from '../../../src/git/repository.js';
import type { TestRepo } from '../repositories/repo.js';

/** A target, a note (both by number), and the depth that it lies at. */
type Entry = readonly [target: number, note: number, depth: number];
export type Shape = readonly Entry[];

const TARGETS = 9;
/** Our own depth is 2; git picks others. */
const DEPTHS = [2, 2, 2, 0, 1, 3] as const;
const PREFIX = 'refs/notes/socraticode/syntax';

export interface Case {
  /** Three trees; of histories that have nothing in common, or each on top of the one before. */
  shapes: readonly [Shape, Shape, Shape];
  isRelated: boolean;
  isJudged: boolean;
  /** Notes that somebody deletes from the union. */
  deleted: readonly number[];
}

export const NOTES = 6;
const entry = fc.tuple(
  fc.nat(TARGETS - 1),
  fc.nat(NOTES - 1),
  fc.nat(DEPTHS.length - 1).map((i) => DEPTHS[i]),
);
const shape = fc.array(entry, { minLength: 1, maxLength: 8 });
export const cases: fc.Arbitrary<Case> = fc.record({
  shapes: fc.tuple(shape, shape, shape),
  isRelated: fc.boolean(),
  isJudged: fc.boolean(),
  deleted: fc.array(fc.nat(TARGETS - 1), { maxLength: 3 }),
});

/** Half of the notes are valid. */
export const noteText = (i: number) => `${i % 2 === 0 ? 'bad' : 'good'} ${i}`;
const POLICY: ConflictPolicy = { maxBytes: 100, isValid: (_, note) => String(note).startsWith('good') };

export function targetOf(i: number): string {
  return `${(i * 37).toString(16).padStart(6, '0')}${'0'.repeat(30)}${String(i).padStart(4, '0')}`;
}

function pathOf(target: string, depth: number): string {
  const parts = Array.from({ length: depth }, (_, i) => target.slice(2 * i, 2 * i + 2));
  return [...parts, target.slice(2 * depth)].join('/');
}

let names = 0;

/** One repository, and what is done in it. */
export class UnionWorld {
  private readonly notes: readonly string[];

  constructor(
    readonly repo: TestRepo,
    readonly repository: Repository,
  ) {
    this.notes = Array.from({ length: NOTES }, (_, i) => repo.blob(noteText(i)));
  }

  async commits({ shapes, isRelated }: Case): Promise<string[]> {
    const lines: string[] = [];
    for (const [i, entries] of shapes.entries()) {
      lines.push(`commit refs/heads/case${names++}`, `mark :${i + 1}`, 'committer a <a@b> now', 'data 0');
      if (isRelated && i > 0) lines.push(`from :${i}`, 'deleteall');
      for (const [target, note, depth] of entries)
        lines.push(`M 100644 ${this.notes[note]} ${pathOf(targetOf(target), depth)}`);
      lines.push('');
    }
    for (const i of shapes.keys()) lines.push(`get-mark :${i + 1}`);
    const { stdout, code, stderr } = await fastImport(this.repository, [Buffer.from(`${lines.join('\n')}\n`)]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim().split('\n');
  }

  /** Into a ref of its own, that begins with `from` as it is. */
  async unite(commits: readonly string[], { isJudged }: Case, from?: string): Promise<string> {
    const ref = `${PREFIX}/${names++}`;
    if (from !== undefined) await this.repository.git.run(['update-ref', ref, from]);
    for (const commit of commits) await uniteNotes(this.repository, ref, commit, isJudged ? POLICY : undefined);
    return (await readRef(this.repository.git, ref)) as string;
  }

  /** A commit on top of another without some notes. */
  async without(commit: string, targets: readonly number[]): Promise<string> {
    const ref = `refs/heads/case${names++}`;
    const lines = [`commit ${ref}`, 'mark :1', 'committer a <a@b> now', 'data 0', `from ${commit}`];
    for (const i of targets) lines.push(`D ${pathOf(targetOf(i), 2)}`);
    const { stdout } = await fastImport(this.repository, [Buffer.from(`${lines.join('\n')}\n\nget-mark :1\n`)]);
    return stdout.trim();
  }

  /** What a reader finds, sorted. */
  async notesOf(commit: string, { isJudged }: Case): Promise<[string, string][]> {
    const { notes } = await notesBeyond(this.repository.git, null, commit, isJudged ? POLICY : undefined);
    return [...notes].sort();
  }

  /** What the union has to be: of each target the smallest valid note, or the smallest. */
  expected({ shapes, isJudged }: Case): [string, string][] {
    const best: Notes = new Map();
    // Of two notes at one path the last one stands.
    const entries = shapes.flatMap((all) => [...new Map(all.map((each) => [`${each[0]} ${each[2]}`, each])).values()]);
    const isGood = (oid: string) => isJudged && this.notes.indexOf(oid) % 2 === 1;
    for (const [number, note] of entries) {
      const [target, oid] = [targetOf(number), this.notes[note]];
      const known = best.get(target);
      const wins = known === undefined || (isGood(oid) === isGood(known) ? oid < known : isGood(oid));
      if (wins) best.set(target, oid);
    }
    return [...best].sort();
  }

  treeOf(commit: string): Promise<string> {
    return this.repository.git.text(['rev-parse', `${commit}^{tree}`]);
  }

  /** Two notes of one target at two depths. */
  async depthsOf(commit: string): Promise<string> {
    return this.repository.git.text(['ls-tree', '-r', '--name-only', commit]);
  }
}
