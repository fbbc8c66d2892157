/** `config`: every setting in effect, with its origin. */

import { isSocraticodeError } from '../../base/errors.js';
import { settingAt } from '../../config/setting.js';
import { SETTINGS } from '../../config/settings.js';
import { resolveRef } from '../../git/snapshot.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { ConfigReport } from './output.js';
import type { ConfigValues } from './question.js';

export const answerConfig = ({ session }: Asker, { ref }: ConfigValues) => readConfig(session, ref);

/** Throws UNKNOWN_REF and BAD_CONFIG. */
export async function readConfig(session: Session, ref?: string): Promise<ConfigReport> {
  const tree = await resolveRef(session.objects, ref ?? 'HEAD').then(
    (resolved) => resolved.tree,
    (error) => {
      // Before the first commit there is still a work tree with settings.
      if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
      throw error;
    },
  );
  const { config, origins } = await session.configOf(tree, ref === undefined);
  const values = Object.keys(SETTINGS).flatMap((key) => {
    const value = settingAt(config, key);
    return value === undefined ? [] : [{ key, value, origin: origins[key] ?? 'default' }];
  });
  return { schemaVersion: 1, values };
}
