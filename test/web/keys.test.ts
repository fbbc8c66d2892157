/** Keys of a page: tickets that are good once and for a while. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Idle } from '../../src/web/idle.js';
import { Keys } from '../../src/web/keys.js';
import { openerOf } from '../../src/web/open.js';

test('every server has a key of its own, of 256 bits', () => {
  const tokens = Array.from({ length: 20 }, () => new Keys().token);
  assert.equal(new Set(tokens).size, 20);
  for (const token of tokens) assert.match(token, /^[\w-]{43}$/);
});

test('a ticket ends with the next one, with its use and with time', () => {
  let now = 0;
  const keys = new Keys(() => now);
  const [old, next] = [keys.issueTicket(), keys.issueTicket()];
  assert.equal(keys.redeem(old), null);
  assert.equal(keys.redeem(next), keys.token);
  assert.equal(keys.redeem(next), null);
  const late = keys.issueTicket();
  now = 120_001;
  assert.equal(keys.redeem(late), null);
});

test('a server in use does not end, one that nobody uses does', async () => {
  const idle = new Idle(1);
  idle.busy();
  let hasEnded = false;
  void idle.ended.then(() => {
    hasEnded = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(hasEnded, false);
  idle.free();
  await idle.ended;
});

test('a browser is opened where one can be shown', () => {
  const url = 'http://127.0.0.1:1/#ticket=a&b';
  assert.deepEqual(openerOf(url, 'darwin', {}), { command: 'open', args: [url] });
  assert.deepEqual(openerOf(url, 'win32', {}), { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] });
  assert.deepEqual(openerOf(url, 'linux', { DISPLAY: ':0' }), { command: 'xdg-open', args: [url] });
  assert.equal(openerOf(url, 'linux', { SSH_TTY: '/dev/pts/1' }), null);
});
