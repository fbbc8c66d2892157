/** Commands about context artifacts, in a repository that names one. */
import assert from 'node:assert/strict';
import { command, given, smallRepo } from './command.js';

const repo = smallRepo();
const artifacts = [{ name: 'notes', path: 'README.md', description: 'what this is' }];
repo.commit({ '.socraticodecontextartifacts.json': JSON.stringify({ artifacts }) });
await given(repo, 'index');

command('context index', 'indexes artifacts', async (run) => {
  assert.match((await run(repo)).stdout, /^1 artifact inside/);
});

command('context list', 'lists artifacts and whether they are ready', async (run) => {
  assert.match((await run(repo)).stdout, /^notes {2}README\.md {2}ready/);
});

command('context search', 'searches artifacts alone', async (run) => {
  assert.match((await run(repo, ['depots'])).stdout, /^README\.md:1 /);
});

command('context show', 'prints an artifact', async (run) => {
  assert.match((await run(repo, ['notes'])).stdout, /Tracks parcels between depots/);
});

command('context remove', 'deletes what is kept of artifacts outside of the repository', async (run) => {
  assert.match((await run(repo)).stdout, /^nothing is kept of artifacts outside/);
});
