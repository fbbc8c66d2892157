/** `search --commits` in pieces: pages of an agent and the limit of the command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerCommits } from '../../../src/questions/history/commits.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { commitsText } from '../../../src/questions/result-text.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { openTools } from '../../support/in-process/tools.js';
import { createRepo } from '../../support/repositories/repo.js';

/** More than are compared by their symbols, and more than a page holds. */
const COMMITS = 23;

const repo = createRepo();
for (let i = 0; i < COMMITS; i++)
  repo.commit({ [`src/part${i}.ts`]: `export function part${i}(): void {}\n` }, `login: step ${i}`);
repo.commit({ 'other.ts': 'export {};\n' }, 'something else');

const subjects = (text: string) => text.match(/login: step \d+/g) ?? [];

async function textOf(limit: number): Promise<string> {
  const session = await Session.open({ directory: repo.dir });
  try {
    const document = await answerCommits(askerOf(session, { directory: repo.dir }), { query: 'login', limit });
    return commitsText(document, { pen: plainPen(COMMAND_WORDS) });
  } finally {
    await session.close();
  }
}

test('the limit of the command line shows the best commits, and counts the others', async () => {
  const [all, some] = [await textOf(100), await textOf(3)];
  assert.equal(new Set(subjects(all)).size, COMMITS);
  assert.doesNotMatch(all, /more commit|something else/);
  assert.deepEqual(subjects(some), subjects(all).slice(0, 3));
  assert.match(some, /\n {2}… 20 more commits\n/);
});

test('the pages of an agent have every commit once, in the order of one long answer', async (t) => {
  const { ask } = await openTools(t, repo.dir);
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const { text, structured } = await ask('codebase_history', { query: 'login', commits: true, cursor });
    pages.push(text);
    cursor = structured.more?.cursor;
  } while (cursor !== undefined && pages.length < COMMITS);
  assert.ok(pages.length > 2);
  assert.deepEqual(pages.flatMap(subjects), subjects(await textOf(100)));
  assert.match(pages[0], /more/);
  assert.doesNotMatch(pages.at(-1) ?? '', /more commit/);
});
