/**
 * Publishes what `build.mjs` built: `node release/publish.mjs [--out DIR] [--dry-run]`. npm reads NODE_AUTH_TOKEN, gh reads GH_TOKEN.
 * HEAD must have the tag of the version. npm signs the provenance of the package where a CI lends it an identity.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { out: { type: 'string', default: 'build/release' }, 'dry-run': { type: 'boolean', default: false } },
});
const out = resolve(ROOT, values.out);
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const tag = `v${version}`;

const tags = execFileSync('git', ['tag', '--points-at', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
if (!tags.includes(tag)) throw new Error(`HEAD has no tag ${tag}: run git tag --sign ${tag}`);
execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out, stdio: 'inherit' });

const files = readdirSync(out).sort();
// The program, then the fleet.
const tarballs = files.filter((name) => name.endsWith('.tgz'));
const signed = process.env.GITHUB_ACTIONS ? ['--provenance'] : [];
const steps = [
  ...tarballs.map((name) => ['npm', 'publish', name, '--ignore-scripts', '--access', 'public', ...signed]),
  ['gh', 'release', 'create', tag, '--verify-tag', '--title', tag, '--generate-notes', ...files],
];
for (const [program, ...args] of steps) {
  process.stdout.write(`${[program, ...args].join(' ')}\n`);
  if (!values['dry-run']) execFileSync(program, args, { cwd: out, stdio: 'inherit' });
}
