/** Lists all notes refs of this program: local ones, tracking refs that a fetch brought from a remote, and private ones. */
import { NOTES_PREFIX, type Repository } from '../git/repository.js';
import { KNOWLEDGE_KINDS, kindOfRef, PRIVATE_PREFIX } from '../knowledge/kinds.js';
import { COMPILER_KIND } from '../record/format.js';
import { SYNTAX_KIND } from '../record/syntax-codec.js';
import { VECTORS_KIND } from '../record/vector-codec.js';
import type { NotesSelector } from './pull.js';

const every = (kind: string): NotesSelector => ({ kind, profile: null });

/** Records of every profile: the index, which anybody can derive again. */
export const INDEX: readonly NotesSelector[] = [SYNTAX_KIND, VECTORS_KIND, COMPILER_KIND].map(every);
/** Entries of every set: knowledge, which nobody can derive again. */
export const KNOWLEDGE: readonly NotesSelector[] = KNOWLEDGE_KINDS.map(every);

/** Kind of a remote's or a local notes ref, such as `syntax` of `refs/notes/socraticode/syntax/<profile>`. */
export const kindOfNotesRef = (ref: string): string => ref.slice(NOTES_PREFIX.length + 1).split('/')[0];

/** Returns whether a ref is of the index. A ref of neither list is of a kind that only a later version knows. */
export const isIndex = ({ kind }: { kind: string }): boolean => INDEX.some((each) => each.kind === kind);

export interface NotesRef {
  ref: string;
  commit: string;
  kind: string;
  profile: string;
  /** Null for a local ref. */
  remote: string | null;
  /** True for what people and agents have written, which nobody can derive again. */
  isKnowledge: boolean;
}

const LOCAL = new RegExp(`^${NOTES_PREFIX}/([^/]+)/([^/]+)$`);
const PRIVATE = new RegExp(`^${PRIVATE_PREFIX}/([^/]+)/([^/]+)$`);
const TRACKING = /^refs\/notes\/remotes\/(.+)\/socraticode\/([^/]+)\/([^/]+)$/;

/**
 * Lists refs that point at commits, in git's order. Refs with names of another shape are ignored. Symbolic refs stand for another ref and
 * are left out, unless `symbolic` is true. `own`: lists private refs as well, which never leave this clone.
 */
export async function listNotesRefs(
  { git }: Repository,
  options: { symbolic?: boolean; own?: boolean } = {},
): Promise<NotesRef[]> {
  const format = '--format=%(objectname) %(objecttype) %(refname) %(symref)';
  const prefixes = [`${NOTES_PREFIX}/`, 'refs/notes/remotes/', ...(options.own ? [`${PRIVATE_PREFIX}/`] : [])];
  const text = await git.text(['for-each-ref', format, '--end-of-options', ...prefixes]);
  return text.split('\n').flatMap((line): NotesRef[] => {
    const [, commit, ref, symref] = /^(\S+) commit (\S+) ?(\S*)$/.exec(line) ?? [];
    if (ref === undefined || (symref !== '' && !options.symbolic)) return [];
    const local = LOCAL.exec(ref) ?? PRIVATE.exec(ref);
    const isKnowledge = kindOfRef(ref) !== null;
    if (local !== null) return [{ ref, commit, kind: local[1], profile: local[2], remote: null, isKnowledge }];
    const tracking = TRACKING.exec(ref);
    if (tracking === null) return [];
    const [, remote, kind, profile] = tracking;
    return [{ ref, commit, kind, profile, remote, isKnowledge: kindOfRef(`${NOTES_PREFIX}/${kind}/`) !== null }];
  });
}
