/** Commands about documents, in a repository whose guide speaks of its code. */
import assert from 'node:assert/strict';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { command } from './command.js';

const repo = createRepo();
const GUIDE = `# Guide

Sessions are kept by \`SessionStore\`.

## Tokens

Call \`SessionStore.rememberToken()\`; see [the code](../src/session.ts).
`;
repo.commit({ ...PROJECT, 'docs/guide.md': GUIDE }, 'a guide');

command('docs links', 'lists documents that mention code, and code that a document mentions', async (run) => {
  const { stdout } = await run(repo, ['SessionStore']);
  assert.match(
    stdout,
    /mentioned in 2 places\n {2}docs\/guide\.md\n {4}3 {2}SessionStore {2}Guide\n {4}7 {2}\S+ {2}Guide > Tokens\n/,
  );
  const guide = JSON.parse((await run(repo, ['docs/guide.md', '--json'])).stdout);
  assert.deepEqual(
    guide.mentions.list.map(({ target, line }: { target: { symbol: string | null }; line: number }) => [
      line,
      target.symbol,
    ]),
    [
      [3, 'SessionStore'],
      [7, 'SessionStore.rememberToken'],
      [7, null],
    ],
  );
  await run(repo, ['nearest_depot'], { code: 1 });
  repo.write({ 'docs/other.md': 'Ask `nearest_depot()`.\n' });
  assert.match((await run(repo, ['nearest_depot'])).stdout, /docs\/other\.md/);
  await run(repo, ['nearest_depot', '--committed'], { code: 1 });
});
