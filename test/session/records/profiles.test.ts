/** What records of a profile are to this installation: its own, older, newer, of another embedder, or unknown. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson, profileId } from '../../../src/config/resolve.js';
import { SYNTAX_VERSION } from '../../../src/extract/version.js';
import { COMPILER_KIND } from '../../../src/record/format.js';
import { SYNTAX_KIND } from '../../../src/record/syntax-codec.js';
import { VECTORS_KIND } from '../../../src/record/vector-codec.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { checkedAbout, currentConfig, foreignNotice, isCurrent, useOf } from '../../../src/session/records/profiles.js';
import { COMPILER_PROFILE } from '../../../src/session/session.js';
import { vectorSource } from '../../../src/session/vectors/vector-source.js';
import { opened } from '../../support/in-process/asker.js';
import '../../support/in-process/kept-parsers.js';
import { createRepo } from '../../support/repositories/repo.js';

test('a fingerprint is believed only if it hashes to the name of its profile', () => {
  const about = { kind: 'syntax', chunker: 3 };
  const profile = profileId(about);
  assert.deepEqual(checkedAbout(profile, canonicalJson(about)), about);
  for (const text of [null, 'no json', '3', '[]', 'null', canonicalJson({ ...about, chunker: 4 })])
    assert.equal(checkedAbout(profile, text), null, `${text}`);
  for (const value of [[], 3, null]) assert.equal(checkedAbout(profileId(value), canonicalJson(value)), null);
  const long = { text: 'x'.repeat(20_000) };
  assert.equal(checkedAbout(profileId(long), canonicalJson(long)), null);
});

test('records are in use, older, newer or of another kind by what made them', async (t) => {
  const session = await opened(t, createRepo());
  const config = await currentConfig(session);
  const use = (kind: string, profile: string, about: Record<string, unknown> | null = null) =>
    useOf(session, config, { kind, profile }, about);
  assert.equal(use(SYNTAX_KIND, session.profile), 'current');
  assert.deepEqual(
    [SYNTAX_VERSION - 1, SYNTAX_VERSION + 1, SYNTAX_VERSION, 'x'].map((chunker) => use(SYNTAX_KIND, 'p', { chunker })),
    ['older', 'newer', 'other', 'other'],
  );
  assert.equal(use(SYNTAX_KIND, 'p'), 'unknown');
  assert.deepEqual([use(COMPILER_KIND, COMPILER_PROFILE), use(COMPILER_KIND, 'p')], ['current', 'unknown']);
  assert.equal(use(VECTORS_KIND, vectorSource(session, config).profile), 'current');
  assert.equal(use(VECTORS_KIND, 'p', { syntax: session.profile }), 'readable');
  assert.equal(use(VECTORS_KIND, 'p', { syntax: 'another' }), 'other');
  assert.equal(use(VECTORS_KIND, 'p'), 'unknown');
});

test('this installation writes its own profile of each kind, under the settings of the work tree, and all knowledge', async (t) => {
  const repo = createRepo();
  const session = await opened(t, repo);
  const vectors = vectorSource(session, await currentConfig(session)).profile;
  const current = (kind: string, profile: string) => isCurrent(session, { kind, profile });
  assert.deepEqual(
    await Promise.all([
      current(SYNTAX_KIND, session.profile),
      current(SYNTAX_KIND, vectors),
      current(COMPILER_KIND, COMPILER_PROFILE),
      current(COMPILER_KIND, session.profile),
      current('tasks', 'any'),
      current(VECTORS_KIND, vectors),
      current(VECTORS_KIND, session.profile),
      current('strange', vectors),
    ]),
    [true, false, true, false, true, true, false, false],
  );
  repo.write({ '.socraticode.json': '{"maxFileBytes": 4096}' });
  assert.equal((await currentConfig(session)).maxFileBytes, 4_096, 'before the first commit');
  repo.commit();
  repo.write({ '.socraticode.json': '{"maxFileBytes": 8192}' });
  assert.equal((await currentConfig(session)).maxFileBytes, 8_192, 'the work tree comes first');
});

test('records of other versions alone are told; beside records of this one, or without any, nothing is', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const session = await opened(t, repo);
  assert.equal(await foreignNotice(session), null);
  await indexRef(session);
  assert.equal(await foreignNotice(session), null);
  const [own, foreign] = [repo.notesRef, repo.notesRef.replace(session.profile, '0'.repeat(session.profile.length))];
  repo.git('update-ref', foreign, own);
  assert.equal(await foreignNotice(await opened(t, repo)), null);
  repo.git('update-ref', '-d', own);
  assert.match(`${await foreignNotice(await opened(t, repo))}`, /\(0+\) were written by another version/);
});
