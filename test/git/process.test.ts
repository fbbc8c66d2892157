/** Starting git: arguments that no command line can hold, and a process that may open no more. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

test('a NUL character in any argument is the fault of the question', async () => {
  const { git } = await openRepository(createRepo().dir);
  for (const args of [
    ['rev-parse', 'a\0b'],
    ['rev-parse', '\0'],
    ['rev-parse', '--verify', 'HEAD\0'],
  ])
    assert.throws(() => git.spawn(args), { code: 'BAD_ARGUMENT' });
  await assert.rejects(git.text(['rev-parse', 'a\0b']), { code: 'BAD_ARGUMENT' });
});

test('a git that gets no pipes is a matter of open files, and ends nothing', {
  skip: process.platform === 'win32',
}, async () => {
  const module = JSON.stringify(new URL('../../src/git/process.js', import.meta.url).href);
  // In a process of its own, which uses up what it may open.
  const script = `
    import { openSync } from 'node:fs';
    import { Git } from ${module};
    try { for (;;) openSync('/dev/null'); } catch {}
    await new Git('/').run(['version']).catch(({ code, message }) => console.log(code, message));
    await new Promise((done) => setTimeout(done, 50));
    console.log('alive');`;
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
    { encoding: 'utf8' },
  );
  assert.deepEqual([status, stdout, stderr], [0, 'RESOURCES cannot run git: too many open files\nalive\n', '']);
});

test('git does not wait for ever for locks that came with a repository, whatever its configuration says', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a' });
  for (const key of ['core.filesRefLockTimeout', 'core.packedRefsTimeout']) repo.git('config', key, '-1');
  const { git, gitDir } = await openRepository(repo.dir);
  for (const name of ['packed-refs', 'refs/heads/x']) writeFileSync(join(gitDir, `${name}.lock`), '');
  const signal = AbortSignal.timeout(10_000);
  await assert.rejects(git.run(['update-ref', 'refs/heads/x', 'HEAD'], { signal }), { code: 'LOCKED' });
  await assert.rejects(git.run(['pack-refs', '--all'], { signal }), { code: 'LOCKED' });
});
