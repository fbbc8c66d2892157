/** A pack from a real index where something is missing: the graph, results, harmless text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SocraticodeError } from '../../../src/base/errors.js';
import { visibleDocument } from '../../../src/base/hygiene.js';
import { estimateTokens } from '../../../src/base/tokens.js';
import { openSources, type PackSources, runPack } from '../../../src/questions/pack/answer.js';
import { packText } from '../../../src/questions/pack/text.js';
import { plainPen } from '../../../src/questions/writing/pen.js';
import { TOOL_WORDS } from '../../../src/questions/writing/words.js';
import { Session } from '../../../src/session/session.js';
import { createRepo, type Files } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

async function withSources<T>(files: Files, work: (session: Session, sources: PackSources) => Promise<T>): Promise<T> {
  const repo = createRepo();
  repo.commit(files);
  const session = await Session.open({ directory: repo.dir });
  try {
    return await work(session, await openSources(session));
  } finally {
    session.close();
  }
}

test('while the graph is being linked a pack is made of what the search finds, and says so', async () => {
  await withSources(PROJECT, async (session, { searcher }) => {
    const notReady = () => Promise.reject(new SocraticodeError('NOT_READY', 'still linking'));
    const pack = await runPack(
      session,
      { task: 'remember the token of a user', maxTokens: 12_000 },
      { searcher, graphs: { prepareOnce: notReady } },
    );
    assert.equal(pack.linked, false);
    assert.equal(pack.items[0].path, 'src/session.ts');
    assert.match(packText(pack, plainPen(TOOL_WORDS)), /the graph is not linked yet/);
  });
});

test('nothing found is an empty pack; other failures are not hidden', async () => {
  await withSources(PROJECT, async (session, sources) => {
    const none = await runPack(session, { task: 'qqqqzzzz', path: ['nowhere/**'], maxTokens: 12_000 }, sources);
    assert.deepEqual([none.items, none.dropped], [[], { list: [], leftOut: 0 }]);
    assert.match(packText(none, plainPen(TOOL_WORDS)), /no results/);
    const broken = { ...sources, graphs: { prepareOnce: () => Promise.reject(new Error('broken')) } };
    await assert.rejects(runPack(session, { task: 'token', maxTokens: 12_000 }, broken), /broken/);
  });
});

test('text that tries to move the cursor is shown as text, and counted so', async () => {
  const escapes = `export function paint(): string {\n  return '${'\\u001b[31m\\u202e'.repeat(40)}';\n}\n`.replaceAll(
    /\\u([0-9a-f]{4})/g,
    (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)),
  );
  await withSources({ 'src/paint.ts': escapes }, async (session, sources) => {
    const pack = await runPack(session, { task: 'paint', maxTokens: 900 }, sources);
    const text = packText(pack, plainPen(TOOL_WORDS));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
    assert.doesNotMatch(text, /[\u001b\u202e]/);
    for (const reply of [text, JSON.stringify(visibleDocument(pack))]) assert.ok(estimateTokens(reply) <= 900);
  });
});
