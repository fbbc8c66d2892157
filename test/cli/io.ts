/** Streams that remember what was written, in place of a terminal. */
import { Readable, Writable } from 'node:stream';
import type { Io } from '../../src/cli/program.js';

export function fakeIo(env: NodeJS.ProcessEnv = {}, isTTY = false): Io {
  const stream = () => Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { isTTY });
  return { stdout: stream(), stderr: stream(), stdin: Readable.from([]), env };
}
