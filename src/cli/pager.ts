/** Long answers open in a pager, as the environment and git's settings say. Loaded for terminals alone. */
import { spawn } from 'node:child_process';
import type { Io } from '../questions/asker.js';
import { isOff, lastValue } from '../questions/writing/pen.js';
import type { Session } from '../session/session.js';
import type { Look } from './context.js';

/** Pages end by themselves where they fit, keep colours, and stay on the screen: git's own choice. */
const PAGER_ENVIRONMENT = { LESS: 'FRX', LV: '-c' };
/** Exit status of a shell that finds no such program. */
const NOT_FOUND = 127;
const DEFAULT_ROWS = 24;

/**
 * The command line of the pager, or null for none: GIT_PAGER, core.pager, PAGER, less, as git chooses. A pager is a program, and
 * `.git/config` may come in an archive: only the user's own settings name one.
 */
export function pagerOf(
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
  { pager }: Pick<Look, 'pager'>,
  config: Session['gitConfig'],
): string | null {
  if (!pager || stdout.isTTY !== true || env.TERM === 'dumb') return null;
  const own = config.filter(({ scope }) => scope === 'system' || scope === 'global');
  const switched = lastValue(config, 'pager.socraticode');
  if (switched !== undefined && isOff(switched)) return null;
  const named = lastValue(own, 'pager.socraticode');
  const ours = named === undefined || /^(?:true|yes|on|1)$/i.test(named) ? undefined : named;
  const command = ours ?? env.GIT_PAGER ?? lastValue(own, 'core.pager') ?? env.PAGER ?? 'less';
  return command === '' || command === 'cat' ? null : command;
}

/** True if the text is longer than the screen. */
export function isLong(text: string, { rows = DEFAULT_ROWS }: { rows?: number }): boolean {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (++lines >= rows) return true;
  return false;
}

/** Shows the text in the pager until it is left; resolves to false where no such program is there. */
export function page(text: string, pager: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    // Ctrl-C is for the pager, which ends by itself.
    const ignore = () => {};
    process.on('SIGINT', ignore);
    const done = (isShown: boolean) => {
      process.off('SIGINT', ignore);
      resolve(isShown);
    };
    const child = spawn(pager, [], {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...PAGER_ENVIRONMENT, ...env },
    });
    child.once('error', () => done(false));
    child.once('close', (status) => done(status !== NOT_FOUND));
    // A reader who has seen enough leaves before the end.
    child.stdin?.on('error', ignore);
    child.stdin?.end(text);
  });
}
