/** Unpacks archives to a folder of files that may be used. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Copyright, readCopyright } from './copyright.js';
import type { Package } from './corpus.js';
import { permitted } from './licences.js';
import { prune, sizeOf } from './prune.js';

const run = promisify(execFile);
const LIMIT_MS = 120_000;
const MAX_BYTES = 60e6;

/**
 * Unpacks into `target` and removes what must not be used; returns the licence (SPDX). Throws where the package as a
 * whole must not be used, and leaves nothing of it behind.
 */
export async function unpack(one: Package, archives: readonly string[], target: string): Promise<string> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  try {
    await extract(one, archives, target);
    const bytes = sizeOf(target);
    if (bytes > MAX_BYTES) throw new Error(`${Math.round(bytes / 1e6)} MB unpacked`);
    const { licence, stated, files } = one.registry === 'npm' ? ofNpm(target) : ofDebian(one, target);
    if (licence === null) throw new Error(`licence not permitted: ${stated.slice(0, 80)}`);
    prune(target, files);
    return licence;
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    throw error;
  }
}

/** Unpacks untrusted archives: tar and dpkg-deb themselves refuse absolute paths and `..`. */
async function extract({ registry }: Package, archives: readonly string[], target: string): Promise<void> {
  const tar = (path: string, strip: number) =>
    run(
      'tar',
      ['-x', '-f', path, '-C', target, '--no-same-owner', '--no-same-permissions', `--strip-components=${strip}`],
      {
        timeout: LIMIT_MS,
      },
    );
  if (registry === 'debian') {
    await run('dpkg-deb', ['-x', archives[0], target], { timeout: LIMIT_MS });
    await extractJars(target);
  } else await tar(archives[0], 1);
  if (registry === 'debian-source') {
    // Upstream may have a `debian` folder too; only Debian's own copyright file was checked.
    rmSync(join(target, 'debian'), { recursive: true, force: true });
    await tar(archives[1], 0);
  }
}

function ofNpm(target: string): Copyright {
  const manifest: unknown = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'));
  const { license } = manifest as { license?: unknown };
  const stated = String((license as { type?: unknown } | undefined)?.type ?? license ?? 'none');
  return { licence: permitted(stated), stated, files: [] };
}

function ofDebian({ registry, name }: Package, target: string): Copyright {
  const docs = join(target, 'usr/share/doc');
  const folders = existsSync(docs) ? [name, ...readdirSync(docs)] : [];
  const candidates =
    registry === 'debian-source' ? ['debian/copyright'] : folders.map((doc) => `usr/share/doc/${doc}/copyright`);
  const found = candidates.map((path) => join(target, path)).find((path) => existsSync(path));
  if (found === undefined) throw new Error('no copyright file');
  return readCopyright(readFileSync(found, 'utf8'));
}

/** Unpacks jars, in which Clojure sources are packaged. unzip itself refuses absolute paths and `..`. */
async function extractJars(target: string): Promise<void> {
  const folder = join(target, 'usr/share/java');
  if (!existsSync(folder)) return;
  const jars = readdirSync(folder, { withFileTypes: true }).filter((jar) => jar.isFile() && jar.name.endsWith('.jar'));
  for (const { name } of jars) {
    await run('unzip', ['-qq', '-o', '-d', join(folder, name.replace(/\.jar$/, '')), join(folder, name)], {
      timeout: LIMIT_MS,
    });
    rmSync(join(folder, name));
  }
}
