/** The key that seals local state: one for each user, made once, believed only where nobody else can have put it. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { findLocalKey, stateFolder } from '../../src/base/local-key.js';
import { removeAbandonedFolders } from '../../src/shard/directory.js';
import { makeDirectory } from '../support/repositories/repo.js';

const MODULE = new URL('../../src/base/local-key.js', import.meta.url).href;
const SAY = `const { describeLocalKey } = await import(${JSON.stringify(MODULE)}); console.log(JSON.stringify(describeLocalKey()))`;
const ARGS = ['--input-type=module', '--eval', SAY];

type Said = ReturnType<typeof findLocalKey>;
const keyIn = (home: string) => join(home, '.local/state/git-socraticode/key');

function inHome(home: string): Promise<Said> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ARGS, {
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (data: Buffer) => {
      text += data;
    });
    child.on('error', reject).on('close', () => resolve(JSON.parse(text)));
  });
}

test('concurrent first runs agree on one key, which no other user can read', async () => {
  const home = makeDirectory();
  const said = await Promise.all(Array.from({ length: 6 }, () => inHome(home)));
  assert.deepEqual(new Set(said.map(({ id, kind, problem }) => `${id} ${kind} ${problem}`)).size, 1);
  assert.deepEqual([said[0].kind, said[0].problem, said[0].path], ['file', null, keyIn(home)]);
  assert.deepEqual(readdirSync(join(keyIn(home), '..')), ['key']);
  const { mode, size } = statSync(keyIn(home));
  assert.deepEqual([mode & 0o777, size], [0o600, 32]);
  assert.notEqual((await inHome(makeDirectory())).id, said[0].id);
});

const posix = { skip: process.platform === 'win32' };

test('a file that others could have written or read is not used as a key, and stays unchanged', posix, () => {
  const state = makeDirectory();
  const path = join(state, 'git-socraticode/key');
  const sound = { XDG_STATE_HOME: state };
  const first = findLocalKey({ ...sound });
  assert.equal(first.kind, 'file');
  const bytes = readFileSync(path);
  const elsewhere = join(makeDirectory(), 'key');
  writeFileSync(elsewhere, bytes, { mode: 0o600 });
  const cases: Record<string, () => void> = {
    'is open to other users': () => chmodSync(path, 0o644),
    'is not a regular file': () => symlinkSync(elsewhere, path),
    'is not 32 bytes long': () => writeFileSync(path, bytes.subarray(1), { mode: 0o600 }),
    'a regular file': () => mkdirSync(path),
    regular: () => execFileSync('mkfifo', [path]),
  };
  for (const [problem, spoil] of Object.entries(cases)) {
    if (!problem.includes('open')) rmSync(path, { recursive: true });
    spoil();
    const before = statSync(path).ino;
    const env: NodeJS.ProcessEnv = { ...sound };
    const other = findLocalKey(env);
    assert.ok(other.problem?.includes(problem), `${problem}: ${other.problem}`);
    assert.ok(other.kind !== 'file' && other.id !== first.id, problem);
    assert.equal(statSync(path).ino, before);
    // What is started from here seals with the same.
    assert.deepEqual([findLocalKey(env).id, findLocalKey(env).kind], [other.id, other.kind]);
  }
  rmSync(path);
  linkSync(elsewhere, path);
  assert.equal(findLocalKey({ ...sound }).id, first.id);
});

test('without a place for a key file a temporary key is used, and no file is created', () => {
  const file = join(makeDirectory(), 'file');
  writeFileSync(file, '');
  const env = { XDG_STATE_HOME: join(file, 'below'), LOCALAPPDATA: join(file, 'below') };
  const { kind, problem, id } = findLocalKey(env);
  assert.notEqual(kind, 'file');
  assert.ok(problem !== null && /^[0-9a-f]{8}$/.test(id));
});

test('of the folders of other keys the most recently used stay; older ones and those dated in the future go', () => {
  const state = makeDirectory();
  const own = join(state, stateFolder('0123456789ab'));
  const profile = join(state, stateFolder('ba9876543210'));
  const day = 24 * 3_600_000;
  const folder = (name: string, age: number) => {
    const path = join(state, name);
    mkdirSync(path);
    writeFileSync(join(path, 'manifest.json'), '');
    const at = new Date(Date.now() - age * day);
    utimesSync(path, at, at);
  };
  for (const path of [own, profile]) mkdirSync(path);
  folder('0123456789ab-0000000a', 1);
  folder('0123456789ab-0000000b', 31);
  folder('0123456789ab-0000000c', -400);
  folder('ba9876543210', 2);
  folder('ba9876543210-0000000d', 3);
  folder('ba9876543210-0000000e', 4);
  folder('aside', 400);
  removeAbandonedFolders(own);
  const expected = [own, profile].map((path) => path.slice(state.length + 1));
  assert.deepEqual(
    readdirSync(state).sort(),
    [...expected, '0123456789ab-0000000a', 'ba9876543210', 'ba9876543210-0000000d', 'aside'].sort(),
  );
});
