// Runs one test file.
import { spawn } from 'node:child_process';

/** Ends a file at its first failed test: what the others say does not matter any more. */
const FAILED = /^ *not ok /m;

/** True if the test passes in time. */
export function passes(file, limit, env = {}) {
  return new Promise((done) => {
    const child = spawn(process.execPath, ['--test-reporter=tap', file], {
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
      env: { ...process.env, ...env },
    });
    // With what it started: a mistake in a server leaves it running.
    const end = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Nothing is left of it.
      }
    };
    const timer = setTimeout(end, limit);
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      rest = rest.slice(rest.lastIndexOf('\n') + 1) + text;
      if (FAILED.test(rest)) end();
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      end();
      done(code === 0);
    });
  });
}
