/** `git socraticode context …` and the tools of the same name, as people and agents use them. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  contextIndexReportSchema,
  contextListSchema,
  contextRemoveReportSchema,
  contextSearchResponseSchema,
} from '../../src/questions/context/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { startServer } from '../support/servers/mcp.js';

const FILE = '.socraticodecontextartifacts.json';

function project(outside: string): TestRepo {
  const repo = createRepo();
  const artifacts = [
    { name: 'db', path: 'db/schema.sql', description: 'tables of the shop' },
    { name: 'wiki', path: outside, description: 'decisions\u001b[2J' },
  ];
  repo.commit({
    [FILE]: JSON.stringify({ artifacts }),
    '.socraticode.json': '{"exclude": ["*.sql"]}',
    'db/schema.sql': 'CREATE TABLE invoice (\n  id BIGINT,\n  overdue BOOLEAN\n);\n',
    'src/a.ts': 'export const overdue = 1;\n',
  });
  return repo;
}

function wiki(): string {
  const directory = join(makeDirectory('wiki'), 'pages');
  mkdirSync(directory);
  writeFileSync(join(directory, 'billing.md'), '# Overdue invoices\n\nReminders go out at night.\n');
  return directory;
}

test('list, search, show, index and remove: text for people, documents for programs', async () => {
  const outside = wiki();
  const repo = project(outside);
  const cwd = repo.dir;
  const env = { SOCRATICODE_CONTEXT_ALLOW: outside };
  const refused = await cli(['context', 'list'], { cwd });
  assert.equal(refused.code, 0);
  assert.match(refused.stdout, /^db {2}db\/schema\.sql {2}partial {2}0 of 1 file/);
  assert.match(
    refused.stdout,
    /\(outside\) {2}not-allowed\n {2}decisions\\x1b\[2J\n.*git config --global --add socraticode/,
  );
  const found = await cli(['context', 'search', 'overdue', 'invoice', '--limit', '2'], { cwd, env });
  assert.equal(found.code, 0);
  assert.match(found.stdout, /db\/schema\.sql:1 {2}invoice {2}table {2}\[db\]/);
  assert.match(found.stdout, /pages\/billing\.md:1 {2}Overdue invoices {2}section {2}\[wiki\]/);
  assert.ok(!found.stdout.includes('src/a.ts'));
  const none = await cli(['context', 'search', 'overdue', '--artifact', 'wiki'], { cwd });
  assert.equal(none.code, 1);
  assert.match(none.stdout, /not searched: wiki, not-allowed/);
  const shown = await cli(['context', 'show', 'wiki'], { cwd, env });
  assert.match(shown.stdout, /billing\.md\n # Overdue invoices\n \n Reminders/);
  const asked = await cliJson(['context', 'search', 'overdue', '--min-score', '0.1', '--committed'], { cwd, env });
  assert.equal(check(contextSearchResponseSchema, asked).artifacts, 2);
  check(contextListSchema, await cliJson(['context', 'list', '--ref', 'HEAD', '--artifact', 'db'], { cwd }));
  check(contextListSchema, await cliJson(['context', 'show', 'db', '--ref', 'main'], { cwd }));
  const report = check(contextIndexReportSchema, await cliJson(['context', 'index'], { cwd, env }));
  assert.deepEqual([report.new, report.outside], [0, { artifacts: 1, files: 1, new: 0 }]);
  const removed = check(contextRemoveReportSchema, await cliJson(['context', 'remove'], { cwd, env }));
  assert.deepEqual([removed.removed, removed.kept], [1, ['db']]);
  const bad = await cli(['context', 'search', 'x', '--min-score', '7'], { cwd });
  assert.equal(bad.code, 2);
});

test('without artifacts: an empty list and how to name some; a search fails', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const { code, stdout } = await cli(['context', 'list'], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.match(stdout, /no context artifacts; list files or folders in \.socraticodecontextartifacts\.json/);
  const failed = await cli(['context', 'search', 'a'], { cwd: repo.dir });
  assert.equal(failed.code, 2);
  assert.match(failed.stderr, /this repository names no context artifacts\n {2}List files/);
});

test('the tools answer the same, and the resource is one artifact', async (t) => {
  const outside = wiki();
  const repo = project(outside);
  await cli(['index'], { cwd: repo.dir });
  const server = await startServer(t, repo.dir, { env: { SOCRATICODE_CONTEXT_ALLOW: outside } });
  const list = await server.call('codebase_context');
  assert.deepEqual(
    check(contextListSchema, list.structured).artifacts.list.map(({ name }) => name),
    ['db', 'wiki'],
  );
  assert.match(list.text, /\nwiki {2}.*\(outside\)/);
  const index = await server.call('codebase_context_index');
  assert.deepEqual(index.structured.outside, { artifacts: 1, files: 1, new: 1 });
  const search = await server.call('codebase_context_search', { query: 'overdue invoices' });
  assert.deepEqual(search.structured.results.map(({ artifact }: { artifact: string }) => artifact).sort(), [
    'db',
    'wiki',
  ]);
  const one = await server.call('codebase_context_search', { query: 'overdue', artifactName: 'wiki', limit: 1 });
  assert.match(one.text, /\[wiki\]/);
  const unknown = await server.call('codebase_context_search', { query: 'overdue', artifactName: 'nope' });
  assert.ok(unknown.isError);
  assert.match(unknown.text, /no artifact is called nope\n.*db, wiki/);
  const shown = await server.call('codebase_context', { artifactName: 'db' });
  assert.match(shown.text, /CREATE TABLE invoice/);
  const { contents } = await server.client.readResource({ uri: 'socraticode://context/wiki' });
  assert.match('text' in contents[0] ? (contents[0].text as string) : '', /Reminders go out at night/);
  const removed = await server.call('codebase_context_remove', { projectPath: repo.dir });
  assert.equal(removed.structured.removed, 1);
});
