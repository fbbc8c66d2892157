// Runs every compiled test under build/test (or those whose path contains an argument) and fails if none is found.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', 'build', 'test');
const wanted = process.argv.slice(2);
const files = readdirSync(root, { recursive: true })
  .filter((name) => name.endsWith('.test.js'))
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => join(root, name))
  .sort();
if (files.length === 0) {
  console.error('no test files found');
  process.exit(1);
}
const run = spawnSync(process.execPath, ['--test', '--test-concurrency=2', ...files], { stdio: 'inherit' });
process.exit(run.status ?? 1);
