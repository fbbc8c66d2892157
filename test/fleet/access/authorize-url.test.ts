/** Grants from an authorizing server. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { AuthorizeUrl } from '../../../fleet/src/access/authorize-url.js';

test('an authorizing server is asked once a minute with the token, and where it fails nobody gets in', async () => {
  let asked = 0;
  let status = 200;
  const server = createServer((request, response) => {
    asked++;
    const isKnown = request.headers.authorization === 'Bearer good';
    response.writeHead(status === 200 && !isKnown ? 403 : status).end(JSON.stringify({ read: ['a/*'], publish: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    let now = 0;
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const access = new AuthorizeUrl(url, () => now);
    const [one, two] = await Promise.all([access.clientOf('good'), access.clientOf('good')]);
    assert.deepEqual([one?.mayRead('a/b'), two?.mayRead('b'), one?.mayPublish('a/b'), asked], [true, false, false, 1]);
    assert.equal(await access.clientOf('bad'), null);
    assert.equal(await access.clientOf('bad'), null);
    assert.equal(asked, 2);
    now = 60_001;
    status = 500;
    await assert.rejects(access.clientOf('good'), { code: 'FLEET_STORE' });
    assert.throws(() => new AuthorizeUrl('http://auth.example.com/'), { code: 'BAD_ARGUMENT' });
  } finally {
    server.close();
  }
});

test('an authorizing server that answers anything but a grant lets nobody in, and its redirects are not followed', async () => {
  let answer: [status: number, body: string] = [200, ''];
  const server = createServer((_, response) => {
    response.writeHead(answer[0], { Location: '/elsewhere' }).end(answer[1]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
    const asked = async (status: number, body: string) => {
      answer = [status, body];
      return new AuthorizeUrl(url).clientOf('token').then(
        (client) => client?.name,
        (error: Error) => error.message,
      );
    };
    assert.equal(await asked(200, '{"name": "ci", "read": []}'), 'ci');
    for (const status of [401, 403, 404]) assert.equal(await asked(status, '{"read": ["**"]}'), undefined);
    const failed = (why: string) => `permissions cannot be asked for: the authorizing server ${why}`;
    assert.equal(await asked(500, '{"read": []}'), failed('answers 500'));
    assert.equal(await asked(204, ''), failed('answers 204'));
    assert.equal(await asked(302, ''), failed('does not answer'));
    for (const body of ['', '[]', '{"read": "all"}', '{"read": [""]}'])
      assert.equal(await asked(200, body), failed('answers with no grant'));
    assert.equal(await asked(200, `{"name": "${'x'.repeat(17 << 20)}"}`), failed('does not answer'));
    assert.equal(await new AuthorizeUrl(url).clientOf(null), null);
  } finally {
    server.close();
  }
});
