/** Commands that answer about code, its history and the index, in one indexed repository. */
import assert from 'node:assert/strict';
import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { command, given, smallRepo } from './command.js';

const repo = smallRepo();
await given(repo, 'index');

command('index', 'indexes HEAD, and finds nothing to do the second time', async (run) => {
  const fresh = smallRepo();
  assert.match((await run(fresh)).stdout, /^HEAD [0-9a-f]+: 6 files, 6 chunks \(6 new, /);
  assert.match((await run(fresh)).stdout, /nothing to do/);
});

command('search', 'finds a definition by its name', async (run) => {
  assert.match((await run(repo, ['rememberToken'])).stdout, /^src\/session\.ts:\d+ {2}SessionStore\.rememberToken/);
  await run(repo, ['nowhereToBeFound'], { code: 1 });
  const commits = await run(repo, ['--commits', 'login']);
  assert.match(commits.stdout, /^[0-9a-f]{9} \S+ a login \(A U Thor\)\n {2}src\/login\.ts, src\/main\.ts\n {2}login\n/);
});

command('pack', 'collects code for a task within a budget of tokens', async (run) => {
  const { stdout } = await run(repo, ['rememberToken', '--max-tokens', '1000']);
  assert.match(stdout, /rememberToken\(user: string/);
  assert.match(stdout, / of 1000 /);
});

command('similar', 'finds code that resembles a line', async (run) => {
  assert.match((await run(repo, ['src/session.ts:8'])).stdout, /^like src\/session\.ts:/);
});

command('show', 'prints lines and symbols, as of any ref', async (run) => {
  const { stdout } = await run(repo, ['login', 'src/main.ts:1', '--ref', 'HEAD']);
  assert.match(
    stdout,
    /^src\/login\.ts:3 {2}login .*\n3:export function login[\s\S]*\nsrc\/main\.ts:1 .*\n1:import[\s\S]*\nHEAD @ /,
  );
  await run(repo, ['src/login.ts', 'nowhere'], { code: 1 });
  assert.match((await run(repo, ['--in', 'HEAD~1..HEAD'])).stdout, /^src\/login\.ts:1 .*new\)\n\+1:/);
  await run(repo, ['nowhere'], { code: 2 });
});

command('history', 'says which commit brought a symbol in', async (run) => {
  assert.match((await run(repo, ['login'])).stdout, /first appeared [0-9a-f]+ \S+ a login/);
});

command('diff', 'lists the symbols that differ between two commits', async (run) => {
  assert.match((await run(repo, ['HEAD~1', 'HEAD'])).stdout, /\+ src\/login\.ts\n {2}\+ 3 login/);
});

command('review', 'names uses that dangle, and fails where that is asked for', async (run) => {
  const edited = smallRepo();
  edited.write({ 'src/session.ts': String(PROJECT['src/session.ts']).replace('rememberToken(', 'keepToken(') });
  const { stdout } = await run(edited, ['--fail-on', 'dangling'], { code: 1 });
  assert.match(stdout, /certain dangling uses\n {2}src\/login\.ts:4 {2}login {2}.*rememberToken/);
});

command('review ok', 'approves changed code, which a review then shows as seen', async (run) => {
  const branched = smallRepo();
  branched.git('checkout', '-q', '-b', 'topic');
  branched.commit({ 'src/late.ts': 'export const late = 1;\n' }, 'late');
  const { stdout } = await run(branched, ['--all']);
  assert.match(stdout, /^1 part approved by A U Thor \(in this clone alone\)\n {2}src\/late\.ts:1 {2}late\n/);
  assert.match((await run(branched, ['--all'])).stdout, /^0 parts approved .*; 1 was approved before/);
});

command('why', 'names the commits behind a line', async (run) => {
  assert.match(
    (await run(repo, ['src/login.ts:4'])).stdout,
    /^src\/login\.ts:4\n[0-9a-f]{9} \S+ a login \(A U Thor\) wrote 1 of 1 line\n/,
  );
});

command('tests', 'lists tests that will run a function, and the command that runs them', async (run) => {
  const tested = smallRepo();
  tested.commit({ 'src/login.test.ts': "import { login } from './login';\nlogin('ann');\n" }, 'a test');
  const { stdout } = await run(tested, ['login']);
  assert.match(
    stdout,
    /^1 test file will run it, 0 others may\n\nwill run it\n {2}src\/login\.test\.ts:2 {2}directly\n/,
  );
  assert.match(stdout, /\nrun\n {2}node --test src\/login\.test\.ts\n/);
  const none = await run(smallRepo(), ['rememberToken'], { code: 1 });
  assert.match(none.stdout, /^no test file is known to run it\n/);
});

command('coupling', 'names files that changed in the same commits', async (run) => {
  const coupled = smallRepo();
  for (const text of ['1', '2', '3'])
    coupled.commit({ 'src/rates.ts': `export const rate = ${text};\n`, 'rates.md': text });
  const { stdout } = await run(coupled, ['src/rates.ts']);
  assert.match(
    stdout,
    /^src\/rates\.ts changed in 3 commits\n\nusually also changes\n {2}rates\.md {2}in 3 of 3 commits\n/,
  );
  assert.match((await run(coupled, ['login'], { code: 1 })).stdout, /^login: its file changed in 1 commit\n/);
});

command('owners', 'names the authors who changed a file', async (run) => {
  assert.match((await run(repo, ['src/login.ts'])).stdout, /^src\/login\.ts changed in 1 commit\n +100% {2}A U Thor /);
});

command('hotspots', 'ranks files by changes, users and complexity', async (run) => {
  assert.match(
    (await run(repo, [])).stdout,
    /^heat = churn x centrality x complexity, a number without a unit\n *heat .*complexity\n[^a-z]+ {2}src\/\w+\.ts {2}\d commits?, \d+ lines? of code\n/,
  );
  assert.match((await run(repo, ['nowhere'], { code: 2 })).stderr, /no file or directory nowhere/);
});

command('explain', 'says whether files are indexed, and why not', async (run) => {
  assert.match((await run(repo, ['src/session.ts'])).stdout, /^src\/session\.ts {2}indexed\n {2}content +typescript, /);
  assert.match((await run(repo, ['tls/ca.pem'], { code: 1 })).stdout, /^tls\/ca\.pem {2}no such file/);
});

command('conflicts', 'names branches that conflict, and exits with 1 if none does', async (run) => {
  const forked = smallRepo();
  assert.match((await run(forked, [], { code: 1 })).stdout, /^no branch to compare with$/m);
  forked.git('checkout', '-q', '-b', 'other');
  forked.commit({ 'src/main.ts': "import { login } from './login';\n\nlogin('bob');\n" });
  forked.git('checkout', '-q', 'main');
  forked.write({ 'src/main.ts': "import { login } from './login';\n\nlogin('eve');\n" });
  assert.match((await run(forked)).stdout, /^other {2}1 merge conflict .*\n {2}! src\/main\.ts {2}contents$/m);
});

command('fixed', 'names tags that have a fix and those that have not, and exits with 1 for these', async (run) => {
  const tagged = smallRepo();
  tagged.git('tag', 'v1');
  tagged.commit(
    { 'src/login.ts': String(tagged.git('show', 'HEAD:src/login.ts')).replace("'x'", "'y', 'z'") },
    'login: y',
  );
  const { stdout } = await run(tagged, ['HEAD'], { code: 1 });
  assert.match(stdout, /^1 fixed, 1 vulnerable, 0 never had it, 0 unknown$/m);
  assert.match(stdout, /^! v1 {2}vulnerable .*\n {4}src\/login\.ts:4 {2}login$/m);
});

command('status', 'says how much of HEAD is indexed, and which setting has no effect', async (run) => {
  const { stdout: usual } = await run(repo);
  assert.match(usual, /^coverage +6 of 6 files/m);
  assert.doesNotMatch(usual, /hnsw/);
  repo.git('config', 'socraticode.vectors.index', 'hnsw');
  const { stdout } = await run(repo);
  repo.git('config', '--unset', 'socraticode.vectors.index');
  assert.match(stdout, /^vectors .*vectors\.index=hnsw has no effect: .* from 100,000 chunks on/m);
});

command('profiles', 'lists the kinds of records that are kept', async (run) => {
  assert.match((await run(repo)).stdout, /^syntax [0-9a-f]{12}: in use/);
});

command('fsck', 'checks records and local files', async (run) => {
  assert.match((await run(repo)).stdout, /^checked 6 records .*\nnothing is wrong$/m);
});

command('compact', 'squashes the history of notes', async (run) => {
  assert.match((await run(repo)).stdout, /6 records in one commit/);
});

command('publish', 'sends the index of a branch to a fleet, and names the command that is next', async (run, t) => {
  const to = `file://${makeDirectory('fleet')}`;
  const { stdout: planned } = await run(repo, ['--to', to, '--repo', 'shop', '--dry-run']);
  assert.match(planned, /^shop -> file:.*\n\S+ [0-9a-f]{10}: \d+ files would be sent\n$/);
  await run(repo, ['--repo', 'shop'], { code: 2 });
  const unnamed = await run(repo, ['--to', to], { code: 2 });
  assert.ok(unnamed.stderr.includes(`git socraticode publish --to ${to} --repo NAME`), unnamed.stderr);
  const { stdout } = await run(repo, ['--to', to, '--repo', 'shop']);
  const [, url, words] = /^ask it: SOCRATICODE_FLEET_URL=(\S+) git socraticode (.*) WORDS$/m.exec(stdout) ?? [];
  process.env.SOCRATICODE_FLEET_URL = url;
  t.after(() => delete process.env.SOCRATICODE_FLEET_URL);
  await given(repo, ...words.split(' '), 'rememberToken');
  assert.doesNotMatch((await run(repo, ['--repo', 'shop'])).stdout, /ask it/);
});

command('fleet init', 'makes the tables of a store once', async (run) => {
  const at = `file://${makeDirectory('fleet')}`;
  assert.match((await run(repo, ['--at', at])).stdout, /made the tables/);
  assert.match((await run(repo, ['--at', at])).stdout, /the tables are there/);
});

command('fleet rebuild', 'leaves a store as it is if nothing of it can be read', async (run) => {
  const folder = makeDirectory('fleet');
  const at = `file://${folder}`;
  await given(repo, 'fleet', 'init', '--at', at);
  const [profile] = readdirSync(folder);
  const manifests = join(folder, profile, 'view_1.lance/_versions');
  for (const name of readdirSync(manifests)) truncateSync(join(manifests, name), 5);
  assert.match(
    (await run(repo, ['--at', at], { code: 1 })).stdout,
    /cannot be opened: .*\n.*the old tables stay in use/,
  );
});

command('fleet status', 'says how large a store is', async (run) => {
  const at = `file://${makeDirectory('fleet')}`;
  assert.match((await run(repo, ['--at', at])).stdout, /^0 repositories, 0 refs\nunit +0 rows/m);
});

command('fleet fsck', 'finds nothing wrong in a new store', async (run) => {
  const at = `file://${makeDirectory('fleet')}`;
  assert.match((await run(repo, ['--at', at])).stdout, /nothing is wrong/);
});

command('fleet maintain', 'removes what no view names', async (run) => {
  const at = `file://${makeDirectory('fleet')}`;
  assert.match((await run(repo, ['--at', at, '--now'])).stdout, /^removed 0 unused contents/);
});

command('fleet token', 'adds a token, lists its grant, and revokes it', async (run) => {
  const tokens = ['--tokens', `${makeDirectory('fleet')}/tokens.json`];
  const added = await run(repo, ['add', 'ci of shop', '--publish', 'acme/*', ...tokens]);
  assert.match(added.stdout, /^[0-9a-f]{64}\nci of shop {2}reads nothing; publishes acme\/\*\n/);
  assert.equal((await run(repo, ['list', ...tokens])).stdout, 'ci of shop  reads nothing; publishes acme/*\n');
  assert.equal((await run(repo, ['revoke', 'ci of shop', ...tokens])).stdout, 'revoked; left:\nno token\n');
  assert.match((await run(repo, ['add', ...tokens], { code: 2 })).stderr, /whose token is added/);
});

command('fleet drop', 'refuses a repository that is not there', async (run) => {
  const at = `file://${makeDirectory('fleet')}`;
  assert.match((await run(repo, ['shop', '--at', at], { code: 2 })).stderr, /no repository shop/);
});

command('remove', 'deletes notes and local state', async (run) => {
  const indexed = smallRepo();
  await given(indexed, 'index');
  assert.match((await run(indexed)).stdout, /^deleted refs\/notes\/socraticode\//m);
  assert.deepEqual(indexed.notesRefs(), {});
});

command('grep', 'finds every line that matches, with the symbol around it', async (run) => {
  const { stdout } = await run(repo, ['-w', 'rememberToken', 'src']);
  assert.match(stdout, /^src\/session\.ts\n SessionStore\.rememberToken\n\d+:.*rememberToken/m);
  assert.match(stdout, /^\d+ hits in \d+ files, all shown$/m);
  await run(repo, ['-F', 'nowhere[ToBeFound'], { code: 1 });
  const input = '{"pattern": "REMEMBERTOKEN", "ignoreCase": true}\nremember(\nrememberToken\n';
  const lines = (await run(repo, ['--stdin', 'src/session.ts'], { input })).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    lines.map(({ error, total }) => error?.code ?? total),
    [{ hits: 1, files: 1 }, 'BAD_ARGUMENT', { hits: 1, files: 1 }],
  );
  const { stdout: patch } = await run(repo, ['--ast', '$A.rememberToken($$$B)', '--rewrite', '$A.keep($$$B)']);
  repo.gitInput(patch, 'apply', '--check');
});
