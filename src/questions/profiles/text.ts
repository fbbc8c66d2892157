/** Text of `profiles`. */
import { visibleLine } from '../../base/hygiene.js';
import { formatBytes, formatCount } from '../writing/format.js';
import type { ProfilesReport } from './output.js';

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
    `${visibleLine(profile.kind)} ${visibleLine(profile.profile)}: ${USES[profile.use]}${describe(profile)}`,
    ...profile.places.map(({ name, records, bytes, date }) => {
      const parts = [records === null ? null : formatCount(records, 'record'), formatBytes(bytes), date];
      return `  ${visibleLine(name)}: ${parts.filter((part) => part !== null).join(', ')}`;
    }),
  ]);
  if (notice !== null) lines.push(notice);
  return `${lines.join('\n')}\n`;
}

/** Embedder and dimensions of vectors, version of the chunker of records: the rest is in the document. */
function describe({ about }: Profile): string {
  if (about === null) return '';
  const { embedder, dimensions, chunker } = about;
  const parts = [
    typeof embedder === 'string' ? embedder : null,
    typeof dimensions === 'number' ? `${dimensions} dimensions` : null,
    typeof chunker === 'number' ? `extraction ${chunker}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${parts.map(visibleLine).join(', ')})`;
}
