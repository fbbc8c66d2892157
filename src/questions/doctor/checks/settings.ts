/** The configuration in effect: every value that is set, its source, and its faults. */
import { withoutSecrets } from '../../../base/hygiene.js';
import { ARTIFACTS_FILE } from '../../../config/context-artifacts.js';
import type { Session } from '../../../session/session.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import { readConfig } from '../../config/answer.js';
import { type Finding, fine, wrong } from '../check.js';

/** Throws BAD_CONFIG for the first fault, which names its place. */
export async function checkSettings(session: Session): Promise<Finding[]> {
  const { values } = await readConfig(session);
  const chosen = values.filter(({ origin }) => origin !== 'default');
  const summary = chosen.length === 0 ? 'defaults' : `valid, ${chosen.length} of ${values.length} chosen`;
  return [
    fine(summary),
    ...chosen.map(({ key, value, origin }): Finding => {
      const text = withoutSecrets(typeof value === 'string' ? value : JSON.stringify(value));
      return { ...fine(`${text} (${origin})`), name: key, facts: { value: text, origin } };
    }),
  ];
}

export function checkArtifacts({
  artifacts,
  artifactsFault,
}: Pick<SnapshotOrigin, 'artifacts' | 'artifactsFault'>): Finding {
  if (artifactsFault !== undefined)
    return wrong(artifactsFault, `Correct ${ARTIFACTS_FILE}; until then it is passed over.`);
  const n = artifacts?.length ?? 0;
  return fine(n === 0 ? 'none named' : `${n} named`);
}
