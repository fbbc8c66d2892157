/** How an answer looks on this terminal: colours and a pager, as the command line, the environment and git's settings say. */
import { spawn } from 'node:child_process';
import { SocraticodeError } from '../base/errors.js';
import type { Io } from '../questions/asker.js';
import type { Session } from '../session/session.js';
import type { Look } from './context.js';

type Config = Session['gitConfig'];

const COLOR_CHOICES = ['auto', 'always', 'never'];
/** Values of git's boolean settings. */
const NO = /^(?:false|no|off|0|never|)$/i;
/** Pages end by themselves where they fit, keep colours, and stay on the screen: git's own choice. */
const PAGER_ENVIRONMENT = { LESS: 'FRX', LV: '-c' };
/** Exit status of a shell that finds no such program. */
const NOT_FOUND = 127;
const DEFAULT_ROWS = 24;

/** True where the answer is coloured. The command line wins, then the environment, then git's settings. Throws BAD_ARGUMENT. */
export function wantsColor({ stdout, env }: Pick<Io, 'stdout' | 'env'>, { color }: Look, config: Config): boolean {
  if (color !== undefined && !COLOR_CHOICES.includes(color))
    throw new SocraticodeError('BAD_ARGUMENT', `--color takes ${COLOR_CHOICES.join(', ')}, not "${color}"`);
  if (color === 'always' || color === 'never') return color === 'always';
  if (env.FORCE_COLOR !== undefined && !['', '0'].includes(env.FORCE_COLOR)) return true;
  if (env.NO_COLOR) return false;
  const wanted = color === undefined ? (last(config, 'color.socraticode') ?? last(config, 'color.ui')) : undefined;
  if (wanted === 'always') return true;
  if (wanted !== undefined && NO.test(wanted)) return false;
  // git itself may have started a pager for us: `pager.socraticode`.
  const isPaged = env.GIT_PAGER_IN_USE === 'true' && !NO.test(last(config, 'color.pager') ?? 'true');
  return (stdout.isTTY === true || isPaged) && env.TERM !== 'dumb';
}

/**
 * The command line of the pager, or null for none: GIT_PAGER, core.pager, PAGER, less, as git chooses. A pager is a program, and
 * `.git/config` may come in an archive: only the user's own settings name one.
 */
export function pagerOf({ stdout, env }: Pick<Io, 'stdout' | 'env'>, { pager }: Look, config: Config): string | null {
  if (!pager || stdout.isTTY !== true || env.TERM === 'dumb') return null;
  const own = config.filter(({ scope }) => scope === 'system' || scope === 'global');
  const switched = last(config, 'pager.socraticode');
  if (switched !== undefined && NO.test(switched)) return null;
  const named = last(own, 'pager.socraticode');
  const ours = named === undefined || /^(?:true|yes|on|1)$/i.test(named) ? undefined : named;
  const command = ours ?? env.GIT_PAGER ?? last(own, 'core.pager') ?? env.PAGER ?? 'less';
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

/** The value that counts: git's last one. */
const last = (config: Config, key: string): string | undefined =>
  config.filter((entry) => entry.key === key).at(-1)?.value;
