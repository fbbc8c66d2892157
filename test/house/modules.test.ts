/**
 * Modules that a question loads: each costs about 0.3 ms of every start, so a careless import is paid by everybody. The counts are
 * bounds to lower when a question gets lighter, never to raise without a reason in the commit.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cli } from '../support/processes/cli.js';
import { shop } from '../support/repositories/shop.js';

const SPY = fileURLToPath(new URL('../support/spies/module-spy.js', import.meta.url));

/**
 * Command lines on an indexed repository, with the most modules of `src` that each may load. `base/bundle` is one of them: usually it
 * loads the others from one file, with their code as V8 compiled it, and each still costs its evaluation.
 */
const BOUNDS: readonly [args: readonly string[], most: number][] = [
  [['--version'], 2],
  [['search', '--mode', 'lexical', 'total'], 95],
  [['graph', 'impact', 'total'], 97],
  [['grep', '--count', 'total'], 64],
  [['status'], 100],
];

/** Counts once for all languages: each has one declaration, which loads nothing else, and a new language is no careless import. */
const DECLARATION = /\/languages\/\w+\/index\.js$/;

async function modulesOf(args: readonly string[], cwd: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'socraticode-modules-'));
  const log = join(folder, 'modules');
  try {
    const env = { NODE_OPTIONS: `--import=${SPY}`, MODULES_LOG: log };
    const { code, stderr } = await cli(args, { cwd, env });
    assert.ok(code === 0 || code === 1, stderr);
    const urls = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
    const ours = urls.filter((url) => !url.includes('/test/'));
    return [...new Set(ours.map((url) => url.replace(DECLARATION, '/languages/*/index.js')))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('a question loads few modules', async (t) => {
  const { dir } = shop();
  assert.equal((await cli(['index'], { cwd: dir })).code, 0);
  assert.equal((await cli(['graph', 'stats'], { cwd: dir })).code, 0);
  for (const [args, most] of BOUNDS) {
    const modules = await modulesOf(args, dir);
    t.diagnostic(`${args.join(' ')}: ${modules.length}`);
    assert.ok(modules.length > 0, 'modules are seen');
    assert.ok(modules.length <= most, `${args.join(' ')} loads ${modules.length} modules, allowed are ${most}`);
  }
});

test('a declaration of a question loads nothing but declarations', async () => {
  const { dir } = shop();
  const modules = await modulesOf(['graph', 'impact', '--help'], dir);
  const heavy = modules.filter(
    (url) =>
      /\/src\/(?:git|session|engine|search|shard|record|graph|languages)\//.test(url) &&
      // The lists of values that documents have may stand where they are defined, in a module that loads nothing.
      /^import /m.test(readFileSync(fileURLToPath(url), 'utf8')),
  );
  assert.deepEqual(heavy, []);
});
