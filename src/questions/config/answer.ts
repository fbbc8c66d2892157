/** `config`: every setting in effect with its origin, one a line, as git prints its own. */
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { unreadLine, unreadVariables } from '../../config/resolve.js';
import { SETTINGS, settingAt } from '../../config/settings.js';
import { resolveRef } from '../../git/objects.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { ConfigReport, ConfigValues } from './question.js';

export const answerConfig = ({ session }: Asker, { ref }: ConfigValues) => readConfig(session, ref);

/** Throws UNKNOWN_REF and BAD_CONFIG. */
export async function readConfig(session: Session, ref?: string): Promise<ConfigReport> {
  const tree = await resolveRef(session.objects, ref ?? 'HEAD').then(
    (resolved) => resolved.tree,
    (error) => {
      // Without a commit, the work tree's settings apply.
      if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
      throw error;
    },
  );
  const { config, origins } = await session.configOf(tree, ref === undefined);
  const values = Object.keys(SETTINGS).flatMap((key) => {
    const value = settingAt(config, key);
    return value === undefined ? [] : [{ key, value, origin: origins[key] ?? 'default' }];
  });
  const unread = unreadVariables(process.env, (key) => (origins[key] ?? 'default') !== 'default');
  return { schemaVersion: 1, values, ...(unread.length > 0 && { unread }) };
}

/** Warns of variables that are set and not read here; `doctor` and `config` know which settings were chosen since. */
export function warnOfUnread(env: NodeJS.ProcessEnv): void {
  for (const variable of unreadVariables(env)) log.print('warn', unreadLine(variable));
}

export function configText(
  { values: settings, unread = [] }: ConfigReport,
  { values }: { values: ConfigValues },
): string {
  const width = Math.max(...settings.map(({ origin }) => origin.length));
  const lines = settings.map(({ key, value, origin }) => {
    const prefix = values.showOrigin ? `${origin.padEnd(width)}  ` : '';
    return `${prefix}${key}=${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  });
  return [...lines, ...unread.map((variable) => `# ${unreadLine(variable)}\n`)].join('');
}
