/** Commands about settings, the machine, hooks and coding agents, and those that stay: none needs an index. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CLI } from '../support/processes/cli.js';
import { connect } from '../support/servers/lsp-client.js';
import { startServer } from '../support/servers/mcp.js';
import { command, given, smallRepo } from './command.js';

const repo = smallRepo();

command('config', 'lists settings with their origin', async (run) => {
  assert.match((await run(repo, ['--show-origin'])).stdout, /^default +search\.limit=10$/m);
});

command('doctor', 'examines the machine and the repository', async (run) => {
  assert.match((await run(repo)).stdout, /^ +ok +git +\d/m);
});

command('completion', 'prints a script for a shell', async (run) => {
  assert.match((await run(repo, ['bash'])).stdout, /_git_socraticode/);
});

command('hooks install', 'writes hooks', async (run) => {
  assert.match((await run(smallRepo())).stdout, /^post-commit +created/);
});

command('hooks status', 'lists hooks', async (run) => {
  await given(repo, 'hooks', 'install');
  assert.match((await run(repo)).stdout, /^post-commit +installed/m);
});

command('hooks uninstall', 'deletes them', async (run) => {
  await given(repo, 'hooks', 'install');
  await run(repo);
  assert.equal(existsSync(join(repo.commonDir, 'hooks', 'post-commit')), false);
});

command('hooks run', 'indexes what a hook has queued', async (run) => {
  await run(repo, ['--event', 'post-commit']);
  assert.equal(repo.notes().size, 6);
});

command('mcp install', 'writes the configuration of a client', async (run) => {
  await run(repo, ['--client', 'cursor']);
  assert.ok(existsSync(join(repo.dir, '.cursor/mcp.json')));
});

command('mcp uninstall', 'takes it out', async (run) => {
  await given(repo, 'mcp', 'install', '--client', 'cursor');
  assert.match((await run(repo, ['--client', 'cursor'])).stdout, /^cursor +deleted/);
});

command('agents install', 'writes a section for agents', async (run) => {
  assert.match((await run(repo, ['--client', 'gemini'])).stdout, /^gemini {2}created GEMINI\.md$/m);
});

command('agents status', 'lists the files that have one', async (run) => {
  await given(repo, 'agents', 'install', '--client', 'gemini');
  assert.match((await run(repo)).stdout, /^gemini {2}installed GEMINI\.md$/m);
});

command('agents annotate', 'is silent where no search is told of', async (run) => {
  assert.equal((await run(repo)).stdout, '');
});

command('agents uninstall', 'takes it out', async (run) => {
  await given(repo, 'agents', 'install', '--client', 'gemini');
  assert.match((await run(repo)).stdout, /^gemini {2}deleted GEMINI\.md$/m);
});

command('mcp', 'answers an agent over stdio', async (_run, t) => {
  const server = await startServer(t, repo.dir);
  const { structured } = await server.ask('codebase_search', { query: 'rememberToken' });
  assert.equal(structured.results[0].path, 'src/session.ts');
});

command('serve', 'refuses to answer other machines without tokens, before it opens anything', async (run) => {
  const { stderr } = await run(repo, ['--fleet', 'file:///nowhere/at/all', '--listen', '0.0.0.0:0'], { code: 2 });
  assert.match(stderr, /without tokens only this machine is served\n.*--tokens FILE/);
});

command('watch', 'says that HEAD is ready, and ends with its input', async () => {
  const child = spawn(process.execPath, [CLI, 'watch', '--json'], { cwd: repo.dir, stdio: 'pipe' });
  const ended = once(child, 'close');
  const [line] = await once(child.stdout, 'data');
  child.stdin.end();
  child.kill('SIGTERM');
  await ended;
  assert.equal(JSON.parse(String(line)).event, 'refreshed');
});

command('lsp', 'answers an editor, and ends when it exits', async () => {
  const editor = await connect(repo.dir, process.env);
  assert.ok(Array.isArray(await editor.at('textDocument/definition', 'src/session.ts', 0, 0)));
  assert.equal(await editor.close(), 0);
});

command('web', 'serves a page that answers with its key, and ends on a signal', async () => {
  const child = spawn(process.execPath, [CLI, 'web', '--no-open', '--port', '0'], { cwd: repo.dir, stdio: 'pipe' });
  const ended = once(child, 'close');
  const [line] = await once(child.stderr, 'data');
  const [, address, key] = /(http:\/\/127\.0\.0\.1:\d+\/)#key=([\w-]+)/.exec(String(line)) ?? [];
  assert.match(await (await fetch(address)).text(), /<script type="module"/);
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` };
  const about = await fetch(`${address}api/about`, { method: 'POST', headers, body: '{}' });
  assert.equal((await about.json()).head.branch, 'main');
  child.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
});
