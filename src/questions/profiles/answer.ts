/** `profiles`: every known profile, where its records are, and whether this installation can use them. */
import { checkedAbout, currentConfig, foreignNotice, useOf } from '../../session/records/profiles.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../../session/session.js';
import { vectorSource } from '../../session/vectors/vector-source.js';
import { type KnownProfile, listProfiles } from '../../share/exported-records.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import type { ProfilesReport } from './question.js';

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
    // For profiles that this installation writes, its own description is the true one.
    const about = checkedAbout(profile, own.get(profile) ?? said);
    return { kind, profile, use: useOf(session, config, { kind, profile }, about), about, places };
  });
  return { profiles, notice: await foreignNotice(session) };
}

type Profile = ProfilesReport['profiles'][number];

const USES: Readonly<Record<Profile['use'], string>> = {
  current: 'in use',
  readable: 'of another embedder; in use with its settings',
  newer: 'of a newer version, which this one cannot read',
  older: 'of an older version',
  other: 'of another version',
  unknown: 'of unknown origin: its notes do not describe it',
};

export function profilesText({ profiles, notice }: ProfilesReport): string {
  if (profiles.length === 0) return 'nothing is indexed yet: git socraticode index\n';
  const lines = profiles.flatMap((profile) => [
    `${profile.kind} ${profile.profile}: ${USES[profile.use]}${describe(profile)}`,
    ...profile.places.map(({ name, records, bytes, date }) => {
      const parts = [records === null ? null : formatCount(records, 'record'), formatBytes(bytes), date];
      return `  ${name}: ${parts.filter((part) => part !== null).join(', ')}`;
    }),
  ]);
  if (notice !== null) lines.push(notice);
  return `${lines.join('\n')}\n`;
}

/** Embedder and dimensions of vectors, or version of the chunker; the document has the rest. */
function describe({ about }: Profile): string {
  if (about === null) return '';
  const { embedder, dimensions, chunker } = about;
  const parts = [
    typeof embedder === 'string' ? embedder : null,
    typeof dimensions === 'number' ? `${dimensions} dimensions` : null,
    typeof chunker === 'number' ? `extraction ${chunker}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}
