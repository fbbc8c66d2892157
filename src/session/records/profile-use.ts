/** What this installation makes of a profile that somebody wrote records under. */
import { profileId } from '../../config/profile.js';
import type { Config } from '../../config/types.js';
import type { ProfilesReport } from '../../engine/contract.js';
import { SYNTAX_VERSION } from '../../extract/version.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import { VECTORS_KIND } from '../../record/vector-codec.js';
import type { Session } from '../session.js';
import { vectorSource } from '../vectors/vector-source.js';

export type ProfileUse = ProfilesReport['profiles'][number]['use'];
export type About = Record<string, unknown>;

const MAX_ABOUT = 16_384;

/** What a profile stands for, if the text is its fingerprint: then the profile's own name proves it. */
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

/** Does this installation write that profile under the settings of HEAD and the work tree? */
export async function isCurrent(session: Session, recordSet: { kind: string; profile: string }): Promise<boolean> {
  if (recordSet.kind === SYNTAX_KIND) return recordSet.profile === session.profile;
  return (
    recordSet.kind === VECTORS_KIND && recordSet.profile === vectorSource(session, await currentConfig(session)).profile
  );
}

/** Settings of HEAD, or of a repository without a commit. Throws BAD_CONFIG. */
export async function currentConfig(session: Session): Promise<Config> {
  const origin = await session.origin().catch(() => null);
  const settings = origin === null ? session.configOf(null, true) : session.configOfOrigin(origin);
  return (await settings).config;
}

/** What can be done with records of a profile; `config` decides which vectors are in use. */
export function useOf(
  session: Session,
  config: Config,
  { kind, profile }: { kind: string; profile: string },
  about: About | null,
): ProfileUse {
  if (kind === SYNTAX_KIND) return profile === session.profile ? 'current' : compareSyntax(about);
  if (profile === vectorSource(session, config).profile) return 'current';
  if (about === null) return 'unknown';
  // Vectors belong to the chunks of one syntax profile; another embedder is a matter of settings.
  return about.syntax === session.profile ? 'readable' : 'other';
}

/** Of syntax records under another profile than our own. */
export function compareSyntax(about: About | null): ProfileUse {
  if (about === null) return 'unknown';
  const { chunker } = about;
  if (typeof chunker !== 'number' || chunker === SYNTAX_VERSION) return 'other';
  return chunker > SYNTAX_VERSION ? 'newer' : 'older';
}
