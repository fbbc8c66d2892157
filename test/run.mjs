// Runs compiled tests: the fast loop, `--all` of them, or those whose path contains one of the arguments. Fails if none is found.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const compiled = join(here, '..', 'build', 'test');
/** Left out of the fast loop: see docs/contributing.md. */
const SLOW = /^(e2e|campaign)\/|\.slow\.test\.ts$/;

const parts = process.argv.slice(2).filter((arg) => arg !== '--all');
const isAll = process.argv.includes('--all');
const isWanted = (name) => (parts.length > 0 ? parts.some((part) => name.includes(part)) : isAll || !SLOW.test(name));

// From the sources: the folder of compiled files may still hold tests that were moved or deleted.
const files = readdirSync(here, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && isWanted(name))
  .map((name) => join(compiled, name.replace(/\.ts$/, '.js')))
  .sort();
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}
const run = spawnSync(process.execPath, ['--test', '--test-concurrency=2', ...files], { stdio: 'inherit' });
process.exit(run.status ?? 1);
