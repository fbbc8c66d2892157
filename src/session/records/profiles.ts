/**
 * Profiles of records by their use to this installation, with a notice about records of other versions, which otherwise look like no
 * records.
 */
import { profileId } from '../../config/resolve.js';
import type { Config } from '../../config/settings.js';
import { SYNTAX_VERSION } from '../../extract/version.js';
import { readAbout } from '../../git/notes-history.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import type { ProfilesReport } from '../../questions/state/question.js';
import { COMPILER_KIND } from '../../record/format.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { listNotesRefs } from '../../share/notes-refs.js';
import { COMPILER_PROFILE, type Session } from '../session.js';
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
