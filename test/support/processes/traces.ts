/** What a program may have left behind: processes and files. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** Command lines of processes that work in a directory or name it; none where there is no /proc. */
export function processesIn(directory: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .flatMap((entry) => {
      try {
        const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        const isThere = readlinkSync(`/proc/${entry}/cwd`).startsWith(directory);
        return command !== '' && (isThere || command.includes(directory)) ? [`${entry} ${command}`] : [];
      } catch {
        return []; // It has ended since.
      }
    });
}

/** Paths of everything below a directory that is no directory itself, `/` between their parts. */
export function filesUnder(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      relative(directory, `${entry.parentPath ?? entry.path}${sep}${entry.name}`)
        .split(sep)
        .join('/'),
    )
    .sort();
}
