/** Commands that keep what people and agents know about code. */
import assert from 'node:assert/strict';
import { cloneRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { remoteWith } from '../support/repositories/share.js';
import { command, given, smallRepo } from './command.js';

const repo = smallRepo();
await given(repo, 'note', 'add', 'src/session.ts:7-10', 'tokens never expire');

const { remote, clone } = remoteWith(PROJECT);
await given(clone, 'note', 'add', 'lib/depot.py', '--share', 'slow for many depots');

command('note add', 'keeps a note about a symbol', async (run) => {
  const { stdout } = await run(repo, ['SessionStore.rememberToken', 'called', 'twice', 'by', 'login']);
  assert.match(
    stdout,
    /^[0-9a-f]{10} {2}src\/session\.ts:7-10 {2}SessionStore\.rememberToken {2}current\n called twice by login\n/,
  );
});

command('note list', 'says where the code of each note is now', async (run) => {
  const { stdout } = await run(repo, ['src/session.ts:7-10'.slice(0, 14)]);
  assert.match(stdout, /tokens never expire\n {2}A U Thor <author@example\.com>/);
  assert.match((await run(repo, ['lib'], { code: 1 })).stdout, /^no such notes\n/);
});

/** The id of the only note of a repository of its own. */
async function noteIn(own: ReturnType<typeof smallRepo>): Promise<string> {
  await given(own, 'note', 'add', 'src/session.ts:7-10', 'tokens never expire');
  return own.git('ls-tree', '-r', '--name-only', 'refs/socraticode/local/notes/v1').replaceAll('/', '');
}

command('note show', 'shows what changed in the code of a note', async (run) => {
  const own = smallRepo();
  const id = await noteIn(own);
  const file = `${PROJECT['src/session.ts']}`;
  own.write({ 'src/session.ts': file.replace('this.tokens.set(user, token)', 'this.tokens.set(token, user)') });
  assert.match(
    (await run(own, [id])).stdout,
    /stale: its code changed\n[\s\S]*- +this\.tokens\.set\(user[\s\S]*\+ +this\.tokens\.set\(token/,
  );
});

command('note resolve', 'settles a note', async (run) => {
  const own = smallRepo();
  assert.match(
    (await run(own, [(await noteIn(own)).slice(0, 6), 'they', 'do'])).stdout,
    /settled by A U Thor.*\n they do\n/,
  );
});

command('note share', 'lets a push send a note', async (run) => {
  const own = smallRepo();
  assert.match((await run(own, [await noteIn(own)])).stdout, /, shared\n/);
});

command('tags', 'counts the code that has each tag', async (run) => {
  assert.match((await run(repo)).stdout, /^auth +1 file, 0 symbols in others\n/);
});

command('tag list', 'names the places with a tag', async (run) => {
  assert.match((await run(repo, ['auth'])).stdout, /^auth: .*\nsrc\/login\.ts {2}whole file/);
  assert.match((await run(repo, ['database'], { code: 1 })).stdout, /^database: nothing\n/);
});

command('tag why', 'says which rule gave a tag', async (run) => {
  assert.match((await run(repo, ['login'])).stdout, /\n {2}symbol login {2}built-in rule 3\n/);
});

command('tag add', 'gives a tag by hand', async (run) => {
  const own = smallRepo();
  assert.match((await run(own, ['rememberToken', 'money'])).stdout, /has the tag money {2}only in this clone\n$/);
});

command('tag remove', 'takes away a tag that a rule gave', async (run) => {
  const own = smallRepo();
  assert.match((await run(own, ['login', 'auth'])).stdout, /does not have the tag auth/);
});

command('summarize', 'extracts what code is about where no model is configured', async (run) => {
  const { stdout } = await run(repo, ['src/session.ts']);
  assert.match(
    stdout,
    /^src\/session\.ts\n Defines SessionStore, loadSessions\. "Keeps the login of one user\." Used by 1 file\.\n/,
  );
});

command('wiki', 'writes pages that a browser opens', async (run) => {
  const own = smallRepo();
  assert.match((await run(own, ['--out', 'site'])).stdout, /site\/index\.html {2}\d+ pages, /);
  assert.equal((await run(own, ['--out', 'src'], { code: 2 })).stdout, '');
});

command('knowledge status', 'counts entries by kind', async (run) => {
  assert.match((await run(repo)).stdout, /^notes: 0 shared entries, \d+ only in this clone\n/);
});

command('knowledge push', 'sends shared entries', async (run) => {
  await run(clone);
  assert.match(remote.git('for-each-ref', 'refs/notes'), /refs\/notes\/socraticode\/notes\/v1/);
});

command('knowledge pull', 'brings them into another clone', async (run) => {
  await given(clone, 'knowledge', 'push');
  assert.match((await run(cloneRepo(remote))).stdout, /^origin: 1 entry received/);
});

command('knowledge compact', 'squashes their history', async (run) => {
  assert.match((await run(repo)).stdout, /local\/notes\/v1: \d+ records? (?:kept|in one commit already)/);
});

command('knowledge fsck', 'checks each of them', async (run) => {
  assert.match((await run(repo)).stdout, /\d+ entr(?:y|ies) of people and agents/);
});

await given(repo, 'task', 'create', 'remember', 'tokens', '--branch', 'topic');
const [other, another] = [smallRepo(), smallRepo()];
for (const own of [other, another]) await given(own, 'task', 'create', 'a', 'task');

command('task create', 'writes down what is to be done', async (run) => {
  const { stdout } = await run(repo, ['expire', 'tokens', '--plan', 'docs/plan.md']);
  assert.match(stdout, /^[0-9a-f]{10} {2}todo {2}expire tokens\n {2}plan docs\/plan\.md\n {2}A U Thor/);
});

command('task list', 'lists tasks by status and branch', async (run) => {
  assert.match(
    (await run(repo, ['--branch', 'topic'])).stdout,
    /^[0-9a-f]{10} {2}\S+ {2}remember tokens\n {2}branch topic\n/,
  );
  await run(repo, ['--status', 'dropped'], { code: 1 });
});

command('task get', 'shows a task with its history', async (run) => {
  assert.match((await run(repo, ['last'])).stdout, /\d todo by A U Thor/);
});

command('task update', 'changes the status of a task', async (run) => {
  const { stdout } = await run(other, ['last', '--status', 'done', '--note', 'in v2']);
  assert.match(stdout, / {2}done {2}a task\n[\s\S]* done by A U Thor[\s\S]*\n in v2\n/);
});

command('task link', 'links a task to a commit', async (run) => {
  const own = another;
  assert.match(
    (await run(own, ['last', '--commit', 'HEAD'])).stdout,
    new RegExp(`commit ${own.git('rev-parse', 'HEAD').slice(0, 9)}`),
  );
});
