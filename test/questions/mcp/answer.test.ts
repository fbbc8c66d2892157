/** How clients are told to start the program, by how it was started itself. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { test } from 'node:test';
import { chooseLaunch } from '../../../src/questions/mcp/answer.js';
import { startsUs } from '../../../src/questions/mcp/clients.js';
import { makeDirectory } from '../../support/repositories/repo.js';

function file(path: string, text = ''): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

const place = (path: string) => {
  const directory = makeDirectory('launch');
  return { directory, program: file(join(directory, path)), bin: join(directory, 'bin') };
};

const launch = (
  program: string,
  path: readonly string[],
  platform: NodeJS.Platform = 'linux',
  node = process.execPath,
) => chooseLaunch({ program, node, env: { PATH: path.join(delimiter) }, platform });

test('a program on PATH is named; a checkout by its path, also where PATH has another version', () => {
  const { program, bin, directory } = place('checkout/dist/cli/main.js');
  mkdirSync(bin);
  assert.deepEqual(launch(program, [bin, '']), { kind: 'node', command: [process.execPath, program] });
  const other = file(join(directory, 'other', 'git-socraticode'));
  assert.equal(launch(program, [dirname(other)]).kind, 'node');
  symlinkSync(program, join(bin, 'git-socraticode'));
  assert.deepEqual(launch(program, [bin]), { kind: 'path', command: ['git-socraticode'] });
});

test('Node is named by its name only if PATH means the same', () => {
  const { program, bin } = place('checkout/dist/cli/main.js');
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, 'node'));
  assert.deepEqual(launch(program, [bin]).command, ['node', program]);
  const another = file(join(bin, '..', 'another', 'node'));
  assert.deepEqual(launch(program, [dirname(another), bin]).command, [process.execPath, program]);
});

test('installed globally, in a project, or fetched by npx: as it was asked for, and never a directory of npm alone', () => {
  const global = place('lib/node_modules/git-socraticode/dist/cli/main.js');
  file(join(global.bin, 'git-socraticode'), 'a script of another package manager');
  assert.equal(launch(global.program, [global.bin]).kind, 'path');
  const local = place('project/node_modules/git-socraticode/dist/cli/main.js');
  const temporary = join(local.directory, 'project/node_modules/.bin');
  file(join(temporary, 'git-socraticode'));
  // With `-y` it would fetch a stranger's package where the project does not have it any more.
  assert.deepEqual(launch(local.program, [temporary]), { kind: 'local', command: ['npx', '--no', 'git-socraticode'] });
  const fetched = place('.npm/_npx/1f/node_modules/git-socraticode/dist/cli/main.js');
  const fetch = () => launch(fetched.program, [join(fetched.directory, '.npm/_npx/1f/node_modules/.bin')]);
  const manifest = (source: string) =>
    file(
      join(fetched.directory, '.npm/_npx/1f/package.json'),
      JSON.stringify({ dependencies: { 'git-socraticode': source } }),
    );
  assert.deepEqual(fetch(), { kind: 'npx', command: ['npx', '-y', 'git-socraticode'] });
  manifest('^0.1.0');
  assert.deepEqual(fetch().command, ['npx', '-y', 'git-socraticode']);
  manifest('github:someone/git-socraticode');
  assert.deepEqual(fetch().command, ['npx', '-y', 'github:someone/git-socraticode']);
  manifest('file:../package.tgz');
  assert.equal(fetch().kind, 'node');
  assert.deepEqual(launch(local.program, [], 'win32').command, ['cmd', '/c', 'npx', '--no', 'git-socraticode']);
});

test('an entry is ours by what it starts, not by its name', () => {
  const ours = [
    { command: 'git-socraticode', args: ['mcp'] },
    { command: 'npx', args: ['-y', 'git-socraticode@0.1.0', 'mcp'], env: { A: '1' } },
    { command: 'cmd', args: ['/c', 'C:\\npm\\git-socraticode.cmd', 'mcp'] },
    { command: 'git', args: ['socraticode', 'mcp'] },
    { command: ['node', '/old/checkout/dist/cli/main.js', 'mcp', '--read-only'], type: 'local' },
  ];
  for (const entry of ours) assert.ok(startsUs(entry), JSON.stringify(entry));
  const others = [
    { command: 'npx', args: ['-y', 'socraticode'] },
    { url: 'https://x/mcp' },
    null,
    'mcp',
    { command: 3 },
  ];
  for (const entry of [...others, { command: 'node', args: ['x/git-socraticode-like.js', 'mcp'] }])
    assert.ok(!startsUs(entry), JSON.stringify(entry));
});
