/** Compiles and packs the extension: `node editors/vscode/package.mjs` writes git-socraticode.vsix. Works in a temporary folder. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const VSCE = '@vscode/vsce@3.6.0';

const folder = mkdtempSync(join(tmpdir(), 'git-socraticode-vscode-'));
const run = (program, ...args) => execFileSync(program, args, { cwd: folder, stdio: 'inherit' });
try {
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'README.md', '.vscodeignore', 'src'])
    cpSync(join(HERE, name), join(folder, name), { recursive: true });
  copyFileSync(join(HERE, '../../LICENSE'), join(folder, 'LICENSE'));
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  run('npm', 'run', 'compile');
  const out = join(HERE, 'git-socraticode.vsix');
  run('npx', '--yes', VSCE, 'package', '--out', out, '--allow-missing-repository');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
