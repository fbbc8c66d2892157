/** `profiles`: every profile known here, where it is, and what this installation makes of it. */
import { type KnownProfile, listProfiles } from '../../share/profiles.js';
import type { ProfilesReport } from '../contract.js';
import { foreignNotice } from '../indexing/foreign-records.js';
import type { Session } from '../session.js';
import { vectorSource } from '../vectors/vector-source.js';
import { checkedAbout, currentConfig, useOf } from './profile-use.js';

/** Throws BAD_CONFIG and GIT_FAILED. */
export async function readProfiles(session: Session): Promise<ProfilesReport> {
  const { repository, objects } = session;
  const config = await currentConfig(session);
  const head = await objects.resolve('HEAD').catch(() => null);
  const known = await listProfiles(repository, objects, head?.tree ?? null);
  const source = vectorSource(session, config);
  const own = new Map([
    [session.profile, session.about],
    [source.profile, source.about],
  ]);
  const profiles = known.map(({ kind, profile, about: said, places }: KnownProfile) => {
    // What this installation writes it can describe itself.
    const about = checkedAbout(profile, own.get(profile) ?? said);
    return { kind, profile, use: useOf(session, config, { kind, profile }, about), about, places };
  });
  return { profiles, notice: await foreignNotice(session) };
}
