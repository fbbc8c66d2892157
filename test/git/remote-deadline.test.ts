import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { EXPLICIT, RemoteDeadline } from '../../src/git/remote-deadline.js';

test('output of a git that has ended is read, however long this process was busy meanwhile', async () => {
  const child = spawn('sh', ['-c', '(sleep 0.3; echo late) & exit 0']);
  const deadline = new RemoteDeadline(child, EXPLICIT);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.once('exit', () => {
    const until = performance.now() + 1_500;
    while (performance.now() < until);
  });
  await once(child, 'close');
  deadline.stop();
  assert.equal(output, 'late\n');
});
