/**
 * Compiles and packs the extension: `node editors/vscode/package.mjs [FILE]` writes FILE, or git-socraticode.vsix beside this script. Works
 * in a temporary folder. With SOURCE_DATE_EPOCH the same sources give the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

// What npm unpacks gets its rights from it.
process.umask(0o022);
const HERE = fileURLToPath(new URL('.', import.meta.url));
const VSCE = '@vscode/vsce@3.6.0';

const folder = mkdtempSync(join(tmpdir(), 'git-socraticode-vscode-'));
const out = resolve(process.argv[2] ?? join(HERE, 'git-socraticode.vsix'));
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'inherit' });
try {
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'README.md',
    '.vscodeignore',
    'src',
    'media',
  ])
    cpSync(join(HERE, name), join(folder, name), { recursive: true });
  copyFileSync(join(HERE, '../../LICENSE'), join(folder, 'LICENSE'));
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  run('npm', 'run', 'compile');
  run('npx', '--yes', VSCE, 'package', '--out', out, '--allow-missing-repository');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
