/** Grants from a file: read anew after a change, added and revoked, never written over when damaged. */
import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tokenHash } from '../../../fleet/src/access/access.js';
import { addToken, readGrants, revokeToken, TokensFile } from '../../../fleet/src/access/tokens-file.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const folder = makeDirectory('tokens');

test('a file of tokens is read again when it changes, and a wrong one changes nothing', async () => {
  let now = 0;
  const file = join(folder, 'changing.json');
  const write = (text: string) => writeFileSync(file, text);
  const grant = (token: string) => JSON.stringify({ tokens: [{ sha256: tokenHash(token), read: ['a'] }] });
  write(grant('first'));
  const access = new TokensFile(file, () => now);
  assert.equal((await access.clientOf('first'))?.mayRead('a'), true);
  write(grant('second-token'));
  now += 1_001;
  assert.equal(await access.clientOf('first'), null);
  write('{"tokens": [{"sha256": "short"}]}');
  now += 1_001;
  assert.equal((await access.clientOf('second-token'))?.mayRead('a'), true);
  assert.throws(() => new TokensFile(file), { code: 'BAD_CONFIG' });
});

test('tokens are added and revoked in the file, which holds hashes, keeps what people wrote, and serves at once', async () => {
  const file = join(folder, 'made.json');
  const names = () => readGrants(file).map(({ grant }) => grant.name);
  assert.throws(names, { code: 'BAD_CONFIG', message: 'the file of tokens cannot be read' });
  const token = await addToken(file, { name: 'ci', read: [], publish: ['acme/shop'] });
  assert.match(token, /^[0-9a-f]{64}$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!readFileSync(file, 'utf8').includes(token));

  let now = 0;
  const access = new TokensFile(file, () => now);
  const look = async (which: string) => {
    now += 1_001;
    return access.clientOf(which);
  };
  assert.equal((await look(token))?.mayPublish('acme/shop'), true);
  assert.equal((await look(token))?.mayRead('acme/shop'), false);

  const typed = { sha256: tokenHash('by hand'), read: ['acme/*'], name: 'hand', since: 'May' };
  writeFileSync(file, JSON.stringify({ tokens: [...readGrants(file).map((entry) => entry.typed), typed] }));
  const grants = Array.from({ length: 8 }, (_, i) => ({ name: `client ${i}`, read: ['acme/*'], publish: [] }));
  await Promise.all(grants.map((grant) => addToken(file, grant)));
  assert.deepEqual(names().sort(), ['ci', ...grants.map(({ name }) => name), 'hand'].sort(), 'none overwrites another');
  await assert.rejects(addToken(file, { name: 'ci', read: ['**'], publish: [] }), { code: 'BAD_ARGUMENT' });
  await assert.rejects(revokeToken(file, 'CI'), { code: 'BAD_ARGUMENT', hint: /ci, hand/ });
  await revokeToken(file, 'ci');
  assert.equal(await look(token), null);
  assert.equal((await look('by hand'))?.mayRead('acme/shop'), true);
  assert.match(readFileSync(file, 'utf8'), /"since": "May"/);
});

test('a damaged file of tokens is not written over', async () => {
  const file = join(folder, 'damaged.json');
  for (const text of ['{', '{"tokens": [{"sha256": "short"}]}']) {
    writeFileSync(file, text);
    await assert.rejects(addToken(file, { name: 'ci', read: [], publish: [] }), { code: 'BAD_CONFIG' });
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});
