/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process';
import { log } from '../base/log.js';

interface Opener {
  command: string;
  args: readonly string[];
}

/** The command that opens `url`; null where no browser can be shown, such as over SSH. */
export function openerOf(url: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Opener | null {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` of cmd.exe would read `&` in an address as the end of the command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER || env.WSL_DISTRO_NAME);
  return hasDisplay ? { command: 'xdg-open', args: [url] } : null;
}

/** Starts the browser and waits for nothing: the address is printed as well. */
export function openInBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const opener = openerOf(url, process.platform, env);
  if (opener === null) return;
  const child = spawn(opener.command, opener.args, { stdio: 'ignore', detached: true });
  child.on('error', ({ message }) => log.debug(`web: no browser was opened: ${message}`));
  child.unref();
}
