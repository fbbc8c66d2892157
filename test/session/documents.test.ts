/** Facts of documents: read once for each blob and language, in the order of their paths, with the packages of the manifests. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readDocuments } from '../../src/session/documents.js';
import { Session } from '../../src/session/session.js';
import { graphOf } from '../graph/build.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

/** Reads the documents of HEAD in a session of its own, and counts the blobs that it reads. */
async function read(t: TestContext, repo: TestRepo, paths: Record<string, string>) {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return readIn(session, repo, paths);
}

async function readIn(session: Session, repo: TestRepo, paths: Record<string, string>) {
  const graph = graphOf({
    files: Object.fromEntries(Object.entries(paths).map(([path, language]) => [path, { language }])),
  });
  for (const file of graph.tables.files) Object.assign(file, { oid: repo.git('rev-parse', `HEAD:${file.path}`) });
  const wanted: string[] = [];
  const objects = {
    info: session.objects.info.bind(session.objects),
    read: (oid: string) => {
      wanted.push(oid);
      return session.objects.read(oid);
    },
    close() {},
  };
  const { documents, leftOut, published } = await readDocuments(session, { graph, objects });
  const titles = documents.map(({ path, facts }) => `${path} ${facts.sections.map(({ title }) => title)}`);
  return { titles, leftOut, published, read: wanted.length };
}

test('a document is read once, for this session and the next, and only what has changed is read again', async (t) => {
  const repo = createRepo();
  repo.commit({ 'b.md': '# Two\n', 'a.md': '# One\n', 'c.ts': '' });
  const files = { 'b.md': 'markdown', 'a.md': 'markdown', 'c.ts': 'typescript' };
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  assert.deepEqual(await readIn(session, repo, files), {
    titles: ['a.md One', 'b.md Two'],
    leftOut: 0,
    published: new Map(),
    read: 2,
  });
  assert.equal((await readIn(session, repo, files)).read, 0);
  assert.equal((await read(t, repo, files)).read, 0);
  repo.commit({ 'a.md': '# Three\n' });
  const next = await read(t, repo, files);
  assert.deepEqual([next.titles, next.read], [['a.md Three', 'b.md Two'], 1]);
});

test('the same bytes are another document in another language', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.md': '# One\n\nTwo\n===\n', 'a.rst': '# One\n\nTwo\n===\n' });
  const { titles } = await read(t, repo, { 'a.md': 'markdown', 'a.rst': 'rst' });
  assert.deepEqual(titles, ['a.md One,Two', 'a.rst Two']);
});

test('a document that is too large is left out and counted; a snapshot without documents has none', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.md': '# One\n', 'large.md': `# Two\n${'x\n'.repeat(1 << 20)}`, 'c.ts': '' });
  const found = await read(t, repo, { 'a.md': 'markdown', 'large.md': 'markdown' });
  assert.deepEqual([found.titles, found.leftOut], [['a.md One'], 1]);
  assert.deepEqual(await read(t, repo, { 'c.ts': 'typescript' }), {
    titles: [],
    leftOut: 0,
    published: new Map(),
    read: 0,
  });
});
