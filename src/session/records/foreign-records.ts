/** Notice about records of other versions, which otherwise look as if there were no records. */
import { readAbout } from '../../git/notes-history.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import { listNotesRefs } from '../../share/notes-refs.js';
import type { Session } from '../session.js';
import { checkedAbout, compareSyntax, type ProfileUse } from './profile-use.js';

/** Returns one line for people; null if there are usable records, or none at all. */
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

/** Names a profile of a newer version if there is one: only an update makes more records usable. */
function noticeText(uses: ReadonlyMap<string, ProfileUse>): string {
  const newer = [...uses].find(([, use]) => use === 'newer');
  const [profile] = newer ?? [...uses][0];
  const where = `the records here (${profile}) were written by`;
  return newer === undefined
    ? `${where} another version; this one makes its own, beside them`
    : `${where} a newer version; this one makes its own: update git-socraticode to use them`;
}
