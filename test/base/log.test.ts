/** The log of a repository: JSON a line, small, without secrets, and never a reason to fail or to write elsewhere. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import fs, { linkSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { appendLog, type LogLine, logPath, readLog } from '../../src/base/log.js';
import { makeDirectory } from '../support/repositories/repo.js';

const line = (message: string, more: Partial<LogLine> = {}): LogLine => ({
  ...{ time: '2024-01-02T03:04:05.678Z', level: 'info', pid: 7, command: 'index', event: null, data: {} },
  ...{ message, ...more },
});

test('a line is a JSON object, and the file is readable by its owner alone', () => {
  const state = makeDirectory('log');
  const written = line('indexed HEAD', { event: 'index', data: { commit: '0123abc', new: 3, ms: 12, ok: true } });
  appendLog(state, written);
  assert.deepEqual(JSON.parse(readFileSync(logPath(state), 'utf8')), {
    ...{ commit: '0123abc', new: 3, ms: 12, ok: true, time: written.time, level: 'info', pid: 7, command: 'index' },
    ...{ event: 'index', message: 'indexed HEAD' },
  });
  assert.deepEqual(readLog(state, 5), [written]);
  if (process.platform !== 'win32') assert.equal(statSync(logPath(state)).mode & 0o777, 0o600);
});

test('secrets and quotes of servers are left out, and a line stays short', () => {
  const state = makeDirectory('log');
  process.env.OPENAI_API_KEY = 'sk-0123456789';
  try {
    const told = 'cannot reach https://me:pa@ss@host/x.git?token=abc#d with key sk-0123456789';
    appendLog(state, line(told, { data: { url: 'ssh://u@h/x' } }));
  } finally {
    delete process.env.OPENAI_API_KEY;
  }
  appendLog(state, line('http://gpu answered 400: secret source text'));
  appendLog(state, line(`a\x1b[31m\u202e\nb${'x'.repeat(100_000)}`, { data: { more: '\u{e0041}'.repeat(2_000) } }));
  const [first, second, third] = readLog(state, 3);
  assert.equal(first.message, 'cannot reach https://host/x.git with key ***');
  assert.equal(first.data.url, 'ssh://h/x');
  assert.equal(second.message, 'http://gpu answered 400');
  assert.match(third.message, /^a\\x1b\[31m\\u202e\\nbx+…$/);
  assert.ok(
    readFileSync(logPath(state), 'utf8')
      .split('\n')
      .every((text) => text.length < 4_096),
  );
});

test('one older file is kept, and a file with a second name is left alone', () => {
  const state = makeDirectory('log');
  const victim = join(makeDirectory('victim'), 'file');
  for (let i = 0; i < 3; i++) {
    writeFileSync(logPath(state), `${'x'.repeat(600_000)}\n`);
    appendLog(state, line(`after ${i}`));
  }
  assert.deepEqual(readdirSync(state).sort(), ['log.jsonl', 'log.jsonl.1']);
  assert.deepEqual([readLog(state, 9).length, statSync(`${logPath(state)}.1`).size], [1, 600_001]);
  const linked = makeDirectory('log');
  writeFileSync(victim, 'theirs\n');
  linkSync(victim, logPath(linked));
  appendLog(linked, line('mine'));
  assert.deepEqual([readFileSync(victim, 'utf8'), readLog(linked, 9).length], ['theirs\n', 1]);
});

test('a log that another process has begun anew meanwhile is not moved over the one that it has just kept', (t) => {
  const state = makeDirectory('log');
  const full = `${'x'.repeat(600_000)}\n`;
  writeFileSync(logPath(state), full);
  const { fstatSync } = fs;
  const look = t.mock.method(fs, 'fstatSync', (fd: number) => {
    look.mock.restore();
    syncBuiltinESMExports();
    fs.renameSync(logPath(state), `${logPath(state)}.1`);
    appendLog(state, line('theirs'));
    return fstatSync(fd);
  });
  syncBuiltinESMExports();
  appendLog(state, line('ours'));
  const told = readLog(state, 9).map(({ message }) => message);
  assert.deepEqual([told, readFileSync(`${logPath(state)}.1`, 'utf8')], [['theirs', 'ours'], full]);
});

test('links, pipes, directories and missing paths are neither followed nor waited for', () => {
  const victim = makeDirectory('victim');
  const places: Record<string, (path: string) => unknown> = {
    link: (path) => symlinkSync(join(victim, 'file'), path),
    pipe: (path) => spawnSync('mkfifo', [path]),
    folder: (path) => mkdirSync(path),
  };
  for (const put of Object.values(places)) {
    const state = makeDirectory('log');
    put(logPath(state));
    appendLog(state, line('x'));
    assert.deepEqual(readLog(state, 3), []);
  }
  const elsewhere = join(makeDirectory('log'), 'state');
  symlinkSync(victim, elsewhere);
  for (const state of [elsewhere, join(victim, 'none')]) appendLog(state, line('x'));
  assert.deepEqual(readdirSync(victim), []);
});

test('concurrent processes write whole lines', async () => {
  const state = makeDirectory('log');
  const module = fileURLToPath(new URL('../../src/base/log.js', import.meta.url));
  const script = `import(process.argv[1]).then(({ appendLog }) => {
    for (let i = 0; i < 300; i++) appendLog(process.argv[2], { time: 't', level: 'info', pid: process.pid, command: 'x',
      event: null, message: String(i).padEnd(400, 'y'), data: {} });
  })`;
  const ends = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, ['-e', script, module, state], { stdio: 'inherit' });
    return new Promise((resolve) => child.on('exit', resolve));
  });
  assert.deepEqual(await Promise.all(ends), [0, 0, 0]);
  const texts = ['', '.1'].flatMap((end) => {
    try {
      return readFileSync(`${logPath(state)}${end}`, 'utf8')
        .trimEnd()
        .split('\n');
    } catch {
      return [];
    }
  });
  assert.equal(new Set(texts.map((text) => JSON.parse(text).pid)).size, 3);
  assert.equal(texts.length, 900);
});
