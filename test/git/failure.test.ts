/** What a failed git is told as. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitFailure } from '../../src/git/failure.js';

const OID = '1234567890'.repeat(4);

test('objects that git was asked for are named where its own message does not name them', () => {
  const messageOf = (args: string[], stderr: string) => gitFailure(args, 128, stderr).message;
  assert.equal(
    messageOf(['cat-file', OID], 'fatal: bad file'),
    `git cat-file failed (exit 128): fatal: bad file (${OID})`,
  );
  assert.equal(
    messageOf(['cat-file', OID], `fatal: ${OID} is bad`),
    `git cat-file failed (exit 128): fatal: ${OID} is bad`,
  );
  assert.equal(messageOf(['log', 'main'], ''), 'git log failed (exit 128)');
  // Git may say nothing but what to do.
  assert.equal(messageOf(['log', 'main'], 'hint: try again'), 'git log failed (exit 128)');
});

test('what the user can do follows from what git says', () => {
  const failed = (stderr: string, code = 128) => gitFailure(['log'], code, stderr);
  for (const [stderr, code] of [
    ['fatal: No space left on device', 'DISK'],
    ['fatal: unable to write file x', 'DISK'],
    ['fatal: Out of memory, malloc failed', 'RESOURCES'],
    ['error: cannot fork() for x', 'RESOURCES'],
    ["fatal: Unable to create '/r/.git/index.lock': File exists.", 'LOCKED'],
    [`fatal: could not fetch ${OID} from promisor remote`, 'UNREADABLE_OBJECT'],
    ['fatal: something else', 'GIT_FAILED'],
  ])
    assert.equal(failed(stderr).code, code, stderr);
  assert.match(failed("fatal: Unable to create '/r/.git/index.lock': File exists.").hint, /\/r\/\.git\/index\.lock$/);
  assert.match(failed('', -1).message, /was killed/);
});
