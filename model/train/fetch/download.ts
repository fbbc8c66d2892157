/** Downloads one package's files into `DIR/downloads`, with the registry's own client. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Package } from './corpus.js';

const run = promisify(execFile);
const LIMIT_MS = 300_000;

/**
 * Downloads the archives and returns their paths; of a source package, `orig` comes first. Throws the client's error.
 */
export async function download(one: Package, folder: string): Promise<string[]> {
  const present = located(one, folder);
  if (present.length > 0) return present;
  const [program, ...args] = command(one);
  try {
    await run(program, args, { cwd: folder, timeout: LIMIT_MS, maxBuffer: 16 << 20 });
  } catch (error) {
    const said = String((error as { stderr?: unknown }).stderr ?? error);
    throw new Error(said.split('\n').find((line) => /^(?:E:|npm err)/i.test(line)) ?? `${program} failed`);
  }
  const fetched = located(one, folder);
  if (fetched.length === 0) throw new Error(`${program} left no archive`);
  return fetched;
}

function command({ registry, name, version }: Package): [string, ...string[]] {
  if (registry === 'debian') return ['apt-get', 'download', '-qq', `${name}=${version}`];
  if (registry === 'npm') return ['npm', 'pack', '--silent', '--ignore-scripts', `${name}@${version}`];
  // A binary package may have the name of another source package, hence --only-source.
  return ['apt-get', 'source', '-qq', '--only-source', '--download-only', `${name}=${version}`];
}

function located({ registry, name, version }: Package, folder: string): string[] {
  if (registry === 'npm') {
    const path = join(folder, `${name.replace('@', '').replaceAll('/', '-')}-${version}.tgz`);
    return existsSync(path) ? [path] : [];
  }
  if (registry === 'debian-source') return sourceArchives(name, version, folder);
  const start = `${name}_${version.replaceAll(':', '%3a')}_`;
  return readdirSync(folder)
    .filter((file) => file.startsWith(start) && file.endsWith('.deb'))
    .map((file) => join(folder, file));
}

/** Main tarball and tarball of Debian's own files, as the `.dsc` lists them; empty unless both exist. */
function sourceArchives(name: string, version: string, folder: string): string[] {
  const control = join(folder, `${name}_${version.replace(/^\d+:/, '')}.dsc`);
  if (!existsSync(control)) return [];
  const listed = /^Files:\s*\n((?: .*\n?)+)/m.exec(readFileSync(control, 'utf8'))?.[1] ?? '';
  const files = listed.split('\n').map((line) => line.trim().split(/\s+/)[2] ?? '');
  const main = files.find((file) => /\.orig\.tar\.\w+$/.test(file));
  const debian = files.find((file) => /\.debian\.tar\.\w+$/.test(file));
  if (main === undefined || debian === undefined) return [];
  const paths = [main, debian].map((file) => join(folder, file));
  return paths.every((path) => existsSync(path)) ? paths : [];
}
