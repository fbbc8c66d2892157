// Packages that a compiler needs to know what a repository's own code is: without `type-fest`, a type `Merge<A, B>` is unknown to it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Installs packages from npm into `work`, without their scripts, and links them into the clone, beside its own packages. */
export function installPackages(names, work, clone) {
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--legacy-peer-deps', '--prefix', work];
  execFileSync('npm', [...args, ...names], { stdio: ['ignore', 'ignore', 'inherit'] });
  const installed = join(work, 'node_modules');
  for (const entry of readdirSync(installed)) {
    if (entry.startsWith('.')) continue;
    const inside = entry.startsWith('@')
      ? readdirSync(join(installed, entry)).map((name) => join(entry, name))
      : [entry];
    for (const name of inside) {
      const link = join(clone, 'node_modules', name);
      if (existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(join(installed, name), link);
    }
  }
}
