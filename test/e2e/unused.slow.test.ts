/** A repository without notes, tags, tasks and summaries pays nothing for them: no git asks for their refs, and their code is not loaded. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cli } from '../support/processes/cli.js';
import { makeDirectory } from '../support/repositories/repo.js';
import { shop } from '../support/repositories/shop.js';

const SPY = fileURLToPath(new URL('../support/spies/module-spy.js', import.meta.url));
const [TRACE, LOG] = ['trace', 'modules'].map((name) => join(makeDirectory('unused'), name));
const REFS = /socraticode\/(?:local\/)?(?:notes|tags|tasks|summaries)\b/;
/** Names of refs and kinds, by which git's files are looked at. */
const NAMES = /\/knowledge\/(?:kinds|entry|fields|note|tag|task|summary|may-have-summaries)\.js$/;

async function costOf(args: readonly string[], cwd: string) {
  for (const path of [TRACE, LOG]) rmSync(path, { force: true });
  const env = { NODE_OPTIONS: `--import=${SPY}`, MODULES_LOG: LOG, GIT_TRACE2_EVENT: TRACE };
  const { code, stderr } = await cli(args, { cwd, env });
  assert.ok(code === 0 || code === 1, stderr);
  const lines = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []);
  const gits = lines(TRACE).filter((line) => line.includes('"event":"start"'));
  const asked = gits.filter((line) => REFS.test(line));
  const loaded = lines(LOG).filter((url) => /\/knowledge\//.test(url) && !NAMES.test(url));
  return { gits: gits.length, asked: asked.length, loaded: [...new Set(loaded)] };
}

test('index, search, status and answers about a symbol start no git and load no code for what nobody wrote', async () => {
  const repo = shop();
  const { dir } = repo;
  // The first status counts the records, and later ones know their number.
  for (const args of [['index'], ['status']]) assert.equal((await cli(args, { cwd: dir })).code, 0);
  const commands = [['search', 'total'], ['status'], ['graph', 'symbol', 'total'], ['show', 'total'], ['index']];
  const unused = new Map<string, number>();
  for (const args of commands) {
    const { gits, asked, loaded } = await costOf(args, dir);
    assert.deepEqual({ asked, loaded }, { asked: 0, loaded: [] }, args.join(' '));
    unused.set(args.join(' '), gits);
  }
  // The same commands see a note, so that what is counted above is what notes cost.
  assert.equal((await cli(['note', 'add', repo.git('ls-files').split('\n')[0], 'a note'], { cwd: dir })).code, 0);
  const { gits } = await costOf(['status'], dir);
  assert.ok(gits > (unused.get('status') ?? 0), `${gits} git processes with a note`);
  const { loaded } = await costOf(['note', 'list'], dir);
  assert.ok(loaded.length > 0, 'code that reads notes is loaded');
});
