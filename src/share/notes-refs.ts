/** Lists all notes refs of this program: local ones, and tracking refs that a fetch brought from a remote. */
import { NOTES_PREFIX } from '../git/notes.js';
import type { Repository } from '../git/repository.js';

export interface NotesRef {
  ref: string;
  commit: string;
  kind: string;
  profile: string;
  /** Null for a local ref. */
  remote: string | null;
}

const LOCAL = new RegExp(`^${NOTES_PREFIX}/([^/]+)/([^/]+)$`);
const TRACKING = /^refs\/notes\/remotes\/(.+)\/socraticode\/([^/]+)\/([^/]+)$/;

/**
 * Lists refs that point at commits, in git's order. Refs with names of another shape are ignored. Symbolic refs are
 * for another ref and are left out, unless `symbolic` asks for them.
 */
export async function listNotesRefs({ git }: Repository, options: { symbolic?: boolean } = {}): Promise<NotesRef[]> {
  const format = '--format=%(objectname) %(objecttype) %(refname) %(symref)';
  const text = await git.text(['for-each-ref', format, '--end-of-options', `${NOTES_PREFIX}/`, 'refs/notes/remotes/']);
  return text.split('\n').flatMap((line): NotesRef[] => {
    const [, commit, ref, symref] = /^(\S+) commit (\S+) ?(\S*)$/.exec(line) ?? [];
    if (ref === undefined || (symref !== '' && !options.symbolic)) return [];
    const local = LOCAL.exec(ref);
    if (local !== null) return [{ ref, commit, kind: local[1], profile: local[2], remote: null }];
    const tracking = TRACKING.exec(ref);
    return tracking === null ? [] : [{ ref, commit, kind: tracking[2], profile: tracking[3], remote: tracking[1] }];
  });
}
