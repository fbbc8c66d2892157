/**
 * A registry of npm packages on loopback: it offers one tarball, and beside it whatever the lock file names for people who install
 * that package, packed from this checkout's own `node_modules`. Nothing else is there, so an install that succeeds needs nothing else.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { makeDirectory } from '../repositories/repo.js';

interface Manifest {
  name: string;
  version: string;
}

interface Offered {
  manifest: Manifest;
  /** The bytes of the tarball; null where only packages of other systems are meant. */
  pack: () => Buffer | null;
}

export interface PackageRegistry {
  /** `http://127.0.0.1:PORT/`. */
  url: string;
  close(): Promise<void>;
}

/** `npm pack` of a folder in `node_modules`, without running anything of it. */
function packFolder(folder: string): Buffer | null {
  if (!existsSync(folder)) return null;
  const stage = makeDirectory('packed');
  cpSync(folder, join(stage, 'package'), {
    recursive: true,
    filter: (path) => !path.slice(folder.length).includes('node_modules'),
  });
  return spawnSync('tar', ['-czf', '-', '-C', stage, 'package'], { maxBuffer: 1 << 30 }).stdout;
}

/** Packages that the lock file names for `npm install` without tools of development. */
function lockedPackages(root: string): Offered[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries<Record<string, unknown>>(packages)
    .filter(([path, { dev, link }]) => path.startsWith('node_modules/') && dev !== true && link !== true)
    .map(([path, entry]) => {
      const folder = join(root, path);
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      const file = join(folder, 'package.json');
      const manifest = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { ...entry, name };
      return { manifest, pack: () => packFolder(folder) };
    });
}

const tarballPath = ({ name, version }: Manifest) => `/-/${encodeURIComponent(name)}/${version}.tgz`;

/** Offers `tarball`, the package of `manifest`, and the packages that the lock file under `root` names. */
export async function startRegistry(root: string, manifest: Manifest, tarball: string): Promise<PackageRegistry> {
  const offered: Offered[] = [...lockedPackages(root), { manifest, pack: () => readFileSync(tarball) }];
  let url = '';
  const described = (name: string) => {
    const versions = offered.filter((one) => one.manifest.name === name).map((one) => one.manifest);
    if (versions.length === 0) return null;
    const entries = versions.map((one) => [
      one.version,
      { ...one, dist: { tarball: `${url.slice(0, -1)}${tarballPath(one)}` } },
    ]);
    return { name, 'dist-tags': { latest: versions[0].version }, versions: Object.fromEntries(entries) };
  };
  const answer = ({ url: asked = '/' }: IncomingMessage, response: ServerResponse) => {
    const packed = offered.find((one) => tarballPath(one.manifest) === asked)?.pack() ?? null;
    const document = packed ?? described(decodeURIComponent(asked.slice(1)));
    response.statusCode = document === null ? 404 : 200;
    response.end(Buffer.isBuffer(document) ? document : JSON.stringify(document ?? {}));
  };
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, close };
}
