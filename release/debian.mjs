/** Builds the Debian package from an installed tree, with dpkg-deb. The same tree and time give the same bytes. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { debianControl } from './describe.mjs';

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };
const LIBRARY = 'usr/lib/git-socraticode';
/** Removes what the program wrote itself, the compiled code of its bundle, which dpkg does not know. */
const BEFORE_REMOVAL = `#!/bin/sh
set -e
rm -rf /${LIBRARY}/dist/code
`;

/**
 * Writes git-socraticode_VERSION_ARCHITECTURE.deb into `out` and returns its name. `stage`: the package with its node_modules;
 * `time`: seconds since 1970 that files carry.
 */
export function buildDebian({ stage, out, manifest, repository, time }) {
  const architecture = ARCHITECTURES[process.arch];
  if (architecture === undefined) throw new Error(`no Debian architecture is known for ${process.arch}`);
  const root = mkdtempSync(join(tmpdir(), 'git-socraticode-deb-'));
  try {
    const size = layOut(root, stage);
    const control = debianControl(manifest, repository, { architecture, size });
    mkdirSync(join(root, 'DEBIAN'));
    writeFileSync(join(root, 'DEBIAN/control'), control);
    writeFileSync(join(root, 'DEBIAN/prerm'), BEFORE_REMOVAL, { mode: 0o755 });
    // Root owns what is installed; nobody else may write there, whatever the umask of the build was.
    execFileSync('chmod', ['-R', 'u+rwX,go+rX,go-w', root]);
    const name = `${manifest.name}_${manifest.version}_${architecture}.deb`;
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', root, join(out, name)], { env, stdio: 'pipe' });
    return name;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Files as they are installed. Returns their size in KiB. */
function layOut(root, stage) {
  const library = join(root, LIBRARY);
  cpSync(stage, library, { recursive: true, verbatimSymlinks: true });
  chmodSync(join(library, 'dist/cli/main.js'), 0o755);
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/git-socraticode/dist/cli/main.js', join(root, 'usr/bin/git-socraticode'));
  const pages = join(root, 'usr/share/man/man1');
  mkdirSync(pages, { recursive: true });
  for (const page of readdirSync(join(library, 'dist/man')))
    writeFileSync(join(pages, `${page}.gz`), gzipSync(readFileSync(join(library, 'dist/man', page)), { level: 9 }));
  rmSync(join(library, 'dist/man'), { recursive: true });
  const copyright = join(root, 'usr/share/doc/git-socraticode');
  mkdirSync(copyright, { recursive: true });
  cpSync(join(library, 'LICENSE'), join(copyright, 'copyright'));
  return Number(execFileSync('du', ['-sk', root], { encoding: 'utf8' }).split('\t')[0]);
}
