/** Tools that look after the index, and linked repositories in a server, asked by the SDK's own client. */
import assert from 'node:assert/strict';
import { readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownHolder } from '../../src/base/processes.js';
import { cli } from '../support/in-process/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const source = (name: string) => `export function ${name}(session: string): string {\n  return session;\n}\n`;

async function indexed(files: Record<string, string> = { 'a.ts': source('alpha') }): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit(files);
  await cli(['index'], { cwd: repo.dir });
  return repo;
}

test('index begins or reports, update waits, and both say what further extensions come to', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': source('alpha'), 'b.qqq': 'a template about sessions\n' });
  const server = await startServer(t, repo.dir);
  const messages: string[] = [];
  const update = await server.call(
    'codebase_update',
    { extraExtensions: 'qqq, .TS,foo' },
    { onprogress: ({ message }) => messages.push(message ?? '') },
  );
  assert.deepEqual([update.structured.state, update.structured.report.files], ['done', 2]);
  assert.ok(
    messages.some((message) => message.startsWith('indexing HEAD')),
    messages.join('\n'),
  );
  assert.deepEqual(update.structured.extensions, [
    { extension: '.qqq', files: 1, languages: [] },
    { extension: '.ts', files: 1, languages: ['typescript'] },
    { extension: '.foo', files: 0, languages: [] },
  ]);
  assert.match(update.text, /\.qqq: 1 file indexed as plain text without it; .*"languages"/);
  const bad = await server.call('codebase_index', { extraExtensions: 'a/b' });
  assert.deepEqual([bad.isError, /not an extension/.test(bad.text)], [true, true]);
  repo.commit({ 'c.ts': source('gamma') });
  const index = await server.call('codebase_index');
  assert.ok(['done', 'running'].includes(index.structured.state), index.text);
  assert.equal((await server.call('codebase_update')).structured.report.files, 3);
  const missing = await server.call('codebase_update', { ref: 'nowhere' });
  assert.match(missing.text, /UNKNOWN_REF/);
});

test('stop leaves another process that writes alone, and says which', async (t) => {
  const repo = await indexed();
  const server = await startServer(t, repo.dir);
  await server.call('codebase_update');
  // Ours to name: the lock file says who holds it.
  writeFileSync(join(repo.state, 'writer.lock'), JSON.stringify({ ...ownHolder(), id: 'ours' }));
  const { text, structured } = await server.call('codebase_stop');
  assert.equal(structured.writer, process.pid);
  assert.match(text, new RegExp(`process ${process.pid} is writing the index, and is left alone`));
});

test('remove deletes the index of the repository that is named, which the next question makes anew', async (t) => {
  const repo = await indexed();
  const server = await startServer(t, repo.dir);
  for (const args of [{}, { projectPath: makeDirectory('other') }])
    assert.equal((await server.call('codebase_remove', args)).isError, true, JSON.stringify(args));
  assert.equal(Object.keys(repo.notesRefs()).length, 1);
  const removed = await server.call('codebase_remove', { projectPath: repo.dir });
  assert.equal(removed.structured.refs.length, 1, removed.text);
  assert.deepEqual([repo.notesRefs(), removed.structured.remoteRefs], [{}, []]);
  assert.ok(!readdirSync(repo.commonDir).includes('socraticode'));
  const { structured } = await server.ask('codebase_search', { query: 'alpha' });
  assert.equal(structured.results[0].path, 'a.ts');
});

test('watch catches up and begins to watch; its stop leaves answers as they are', async (t) => {
  const repo = await indexed();
  const server = await startServer(t, repo.dir);
  const before = await server.call('codebase_watch', { action: 'status' });
  assert.deepEqual([before.structured.watches, before.structured.watcher], [false, null]);
  repo.commit({ 'b.ts': source('beta') });
  const started = await server.call('codebase_watch', { action: 'start' });
  assert.deepEqual([started.structured.watches, started.structured.indexing.report.files], [true, 2]);
  assert.match((await server.call('codebase_watch', { action: 'stop' })).text, /nothing to stop/);
  repo.write({ 'c.ts': source('gamma') });
  const { structured } = await server.ask('codebase_search', { query: 'gamma' });
  assert.equal(structured.results[0].path, 'c.ts');
});

test('linked repositories are searched once their user allows it, and can be named from then on', async (t) => {
  const repo = await indexed();
  const secret = await indexed({ 'secret.ts': source('hidden') });
  const inner = createRepo({ directory: join(repo.dir, 'inner') });
  inner.commit({ 'inner.ts': source('within') });
  await cli(['index'], { cwd: inner.dir });
  repo.write({
    '.socraticode.json': JSON.stringify({ linkedProjects: ['inner', `../${secret.dir.split('/').pop()}`] }),
  });
  const question = { query: 'session', includeLinked: true, fileFilter: '*.ts' };
  const server = await startServer(t, repo.dir);
  const { structured, text } = await server.ask('codebase_search', question);
  const state = ({ state: name }: { state: string }) => name;
  assert.deepEqual(structured.linked.map(state), ['searched', 'not-allowed']);
  assert.ok(!text.includes('hidden') && /^inner:inner\.ts/m.test(text), text);
  const named = await server.call('codebase_search', { query: 'session', projectPath: secret.dir });
  assert.match(named.text, /not a directory that this server answers about/);
  const env = { SOCRATICODE_LINKED_ALLOW: secret.dir };
  const allowed = await startServer(t, repo.dir, { env });
  assert.deepEqual((await allowed.ask('codebase_search', question)).structured.linked.map(state), [
    'searched',
    'searched',
  ]);
  const { structured: own } = await allowed.ask('codebase_search', { query: 'session', projectPath: secret.dir });
  assert.equal(own.results[0].path, 'secret.ts');
  // A server that was not asked about links before knows the consent as well, and no other directory.
  const fresh = await startServer(t, repo.dir, { env });
  const { structured: first } = await fresh.ask('codebase_search', { query: 'session', projectPath: secret.dir });
  assert.equal(first.results[0].path, 'secret.ts');
  const other = await fresh.call('codebase_search', { query: 'session', projectPath: makeDirectory('other') });
  assert.match(other.text, /not a directory that this server answers about/);
});

test('projects are listed with what is indexed of each', async (t) => {
  const other = await indexed();
  const repo = await indexed();
  const tree = join(realpathSync(makeDirectory('tree')), 'side');
  repo.git('worktree', 'add', '-q', '-b', 'side', tree);
  repo.write({ '.socraticode.json': '{"projectId": "main-one", "linkedProjects": ["gone"]}' });
  const server = await startServer(t, repo.dir);
  const { structured, text } = await server.call('codebase_list_projects');
  type Entry = Record<'name' | 'relation' | 'state' | 'branch' | 'path', string>;
  const isKnown = ({ relation }: Entry) => relation === 'known';
  assert.deepEqual(
    structured.projects
      .filter((entry: Entry) => !isKnown(entry))
      .map(({ name, relation, state, branch }: Entry) => `${name} ${relation} ${state} ${branch}`),
    ['main-one this indexed main', 'side worktree indexed side', 'gone linked missing null'],
  );
  assert.equal(structured.projects[1].path, tree);
  assert.match(text, /main-one {2}.* {2}this, main @ [0-9a-f]{9}, indexed 1\/1 files/);
  // What this user indexed elsewhere is named alone: its directory may not be asked about.
  const known = structured.projects.filter(isKnown).map(({ path, state }: Entry) => `${path} ${state}`);
  assert.ok(known.includes(`${other.dir} not-allowed`), text);
});

test('health and about answer in a repository without a commit and with settings that are wrong', async (t) => {
  const repo = createRepo();
  const server = await startServer(t, repo.dir);
  const fresh = await server.call('codebase_health');
  assert.equal(fresh.structured.ok, true, fresh.text);
  assert.match((await server.call('codebase_about')).text, /core: search .*\n[\s\S]*admin: index update/);
  repo.commit({ '.socraticode.json': '{"nonsense": 1}' });
  const { structured, text } = await server.call('codebase_health');
  assert.equal(structured.ok, false);
  assert.match(text, /^! configuration: \.socraticode\.json: unknown key "nonsense"/m);
});
