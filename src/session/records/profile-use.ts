/** Classifies the profiles of records by their use to this installation. */
import { profileId } from '../../config/profile.js';
import type { Config } from '../../config/types.js';
import { SYNTAX_VERSION } from '../../extract/version.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import type { ProfilesReport } from '../../questions/profiles/output.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import { COMPILER_KIND } from '../../record/limits.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import { COMPILER_PROFILE, type Session } from '../session.js';
import { vectorSource } from '../vectors/vector-source.js';

export type ProfileUse = ProfilesReport['profiles'][number]['use'];
type About = Record<string, unknown>;

const MAX_ABOUT = 16_384;

/** Returns the fingerprint of a profile if the text hashes to the profile's name, else null. */
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

/** Returns whether this installation writes that profile under the settings of HEAD and the work tree. */
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

/** Returns the use of a profile's records; `config` decides which vectors are in use. */
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
  // Vectors belong to the chunks of one syntax profile; a change of settings makes another embedder's usable.
  return about.syntax === session.profile ? 'readable' : 'other';
}

/** Returns the use of syntax records under another profile. */
export function compareSyntax(about: About | null): ProfileUse {
  if (about === null) return 'unknown';
  const { chunker } = about;
  if (typeof chunker !== 'number' || chunker === SYNTAX_VERSION) return 'other';
  return chunker > SYNTAX_VERSION ? 'newer' : 'older';
}
