/** `profiles`: every profile known here, where it is, and what this installation makes of it. */

import { foreignNotice } from '../../session/records/foreign-records.js';
import { checkedAbout, currentConfig, useOf } from '../../session/records/profile-use.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../../session/session.js';
import { vectorSource } from '../../session/vectors/vector-source.js';
import { type KnownProfile, listProfiles } from '../../share/profiles.js';
import type { Asker } from '../asker.js';
import type { ProfilesReport } from './output.js';

export const answerProfiles = async ({ session }: Asker) => ({
  schemaVersion: 1 as const,
  ...(await readProfiles(session)),
});

/** Throws BAD_CONFIG and GIT_FAILED. */
async function readProfiles(session: Session): Promise<ProfilesReport> {
  const { repository, objects } = session;
  const config = await currentConfig(session);
  const head = await objects.resolve('HEAD').catch(() => null);
  const known = await listProfiles(repository, objects, head?.tree ?? null);
  const source = vectorSource(session, config);
  const own = new Map([
    [session.profile, session.about],
    [source.profile, source.about],
    [COMPILER_PROFILE, COMPILER_ABOUT],
  ]);
  const profiles = known.map(({ kind, profile, about: said, places }: KnownProfile) => {
    // Of profiles that this installation writes, its own description is the true one.
    const about = checkedAbout(profile, own.get(profile) ?? said);
    return { kind, profile, use: useOf(session, config, { kind, profile }, about), about, places };
  });
  return { profiles, notice: await foreignNotice(session) };
}
