/** Kinds of knowledge. All code that pushes, pulls, checks, compacts or removes entries takes them from here. */
import { mayHaveRefs, NOTES_PREFIX, type Repository } from '../git/repository.js';

export const NOTES_KIND = 'notes';
export const TASKS_KIND = 'tasks';
export const TAGS_KIND = 'tags';
export const SUMMARIES_KIND = 'summaries';
export const EVIDENCE_KIND = 'evidence';
export const APPROVALS_KIND = 'approvals';

export const KNOWLEDGE_KINDS: readonly string[] = [
  ...[NOTES_KIND, TASKS_KIND, TAGS_KIND, SUMMARIES_KIND, EVIDENCE_KIND],
  APPROVALS_KIND,
];

/** Refs of entries that stay in this clone: by default git neither fetches nor pushes them. */
export const PRIVATE_PREFIX = 'refs/socraticode/local';

/** Last part of the refs of kinds that have one set. Sets of a later format, if there ever is one, get another. */
export const ONE_SET = 'v1';

/** The ref of a set of entries. `set`: `ONE_SET`, the id of a task, or the profile of summaries. */
export function refOfSet(kind: string, set: string, isShared: boolean): string {
  return `${isShared ? NOTES_PREFIX : PRIVATE_PREFIX}/${kind}/${set}`;
}

export function kindOfRef(ref: string): string | null {
  const prefix = [NOTES_PREFIX, PRIVATE_PREFIX].find((each) => ref.startsWith(`${each}/`));
  const kind = prefix === undefined ? '' : ref.slice(prefix.length + 1).split('/')[0];
  return KNOWLEDGE_KINDS.includes(kind) ? kind : null;
}

/** Prefixes of refs of summaries: of shared ones, and of private ones. */
export const SUMMARY_PREFIXES = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${SUMMARIES_KIND}`);

/** Returns false for a repository without summaries, after three looks at git's files. */
export function mayHaveSummaries(repository: Pick<Repository, 'commonDir'>): boolean {
  return mayHaveRefs(repository, SUMMARY_PREFIXES);
}
