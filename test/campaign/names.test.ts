import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TestContext } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { campaign } from '../support/campaigns/campaign.js';
import { everyCommand } from '../support/campaigns/every-command.js';
import {
  GIT_ALIKE,
  type HostileNames,
  hostileNames,
  NAMES,
  SECRET,
  UNSAFE,
  UNSEEN,
} from '../support/hostile/hostile-names.js';
import { outsidePaths } from '../support/hostile/outside-paths.js';
import { pathsOf } from '../support/results.js';
import { type RawServer, startRaw } from '../support/servers/mcp.js';
import { assertCalm, runHere } from '../support/spies/spy.js';

/** What a run may write: its own state, and what git keeps of notes. */
const OURS =
  /^repo\/\.git\/(?:socraticode|objects|refs\/notes|refs\/socraticode|logs\/refs\/notes|packed-refs|refs$|logs$|$)|^repo\/\.git$|^repo\/links$/;

/** Everything below a directory that is not ours to write, with what it holds; paths as bytes in Latin-1. */
function inventory(root: string): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (directory: Buffer, prefix: string) => {
    for (const name of readdirSync(directory, { encoding: 'buffer' })) {
      const at = Buffer.concat([directory, Buffer.from('/'), name]);
      const path = `${prefix}${name.toString('latin1')}`;
      const stat = lstatSync(at);
      if (stat.isDirectory() && !/^repo\/\.git\/(?:socraticode|objects)$/.test(path)) visit(at, `${path}/`);
      if (OURS.test(path)) continue;
      const what = stat.isSymbolicLink() ? readlinkSync(at) : stat.isFile() ? hashOf(at) : 'directory';
      found.set(path, `${stat.mode} ${what}`);
    }
  };
  visit(Buffer.from(root), '');
  return found;
}

const hashOf = (path: Buffer) => createHash('sha1').update(readFileSync(path)).digest('hex');

/** Commands whose text shows names, in the suite; the long form has all there are. */
const SHOWN = [
  ...[
    'index',
    'search lamp --limit 50',
    'status',
    'pack lamp',
    'history lamp',
    'diff HEAD~1 HEAD',
    'graph outline',
    'graph symbols lamp',
  ],
  ...[
    'graph impact lamp',
    'graph deps names/ok.ts',
    'graph stats',
    'graph visualize --format mermaid',
    'search lamp --all-refs --limit 50',
  ],
  ...['share status', 'profiles'],
].map((line) => line.split(' '));
const RAW = ['index', 'search lamp1000 lamp1001 --limit 50', 'graph outline', 'status', 'graph symbols lamp'].map(
  (line) => [...line.split(' '), '--ref', 'raw'],
);

/** In the suite. */
const FEW = [...SHOWN.filter((_, i) => i % 5 === 0), RAW[0], RAW[2]];

campaign(
  'names',
  {
    bar: 'S7',
    claim: 'hostile names write nothing outside, lead nowhere and are shown escaped; paths outside are rejected',
    short: { all: 0 },
    long: { all: 1 },
  },
  async ({ size, t, note }) => {
    const world = hostileNames();
    const { repo, victim } = world;
    const root = dirname(repo.dir);
    const before = inventory(root);
    const out = join(root, 'exported');
    const every = everyCommand(out).filter(([name]) => !STAYS_OUT.has(name));
    const commands = size.all === 0 ? FEW : [...SHOWN, ...RAW, ...every];
    for (const command of commands) {
      note(command.join(' '));
      await assertShown(repo.dir, command);
    }
    await assertRaw(repo.dir);
    const paths = await assertRejected(
      t,
      world,
      size.all === 0 ? { places: 2, every: 4 } : { places: PLACES.length, every: 1 },
    );
    const after = inventory(root);
    after.forEach((_, path) => {
      if (path.startsWith('exported')) after.delete(path);
    });
    assert.deepEqual(after, before);
    assert.ok(!existsSync(join(victim.commonDir, 'socraticode')) && victim.git('for-each-ref', 'refs/notes') === '');
    await assertOutputs(world);
    return {
      'hostile names': NAMES.length + UNSAFE.length + GIT_ALIKE.length,
      'commands, as text and as JSON': commands.length,
      'arguments that name something outside': paths.names,
      'calls with them': paths.calls,
      'files compared': before.size,
    };
  },
);

/** Commands that change settings of the repository or of clients, which they say they do. */
const STAYS_OUT = new Set(['hooks', 'share', 'mcp', 'push', 'pull']);

async function assertShown(directory: string, command: readonly string[]): Promise<void> {
  const label = command.join(' ');
  for (const form of [[], ['--json']]) {
    const result = await runHere(['-C', directory, ...command, ...form]);
    assertCalm(result, label);
    assert.doesNotMatch(result.stdout, UNSEEN, label);
    assert.doesNotMatch(result.stderr, UNSEEN, label);
    assert.ok(!`${result.stdout}${result.stderr}`.includes(SECRET), `${label} shows ${SECRET}`);
    if (form.length > 0 && result.code === 0) JSON.parse(result.stdout);
  }
}

/** Every name of the tree is there once, but those that no system would check out. */
async function assertRaw(directory: string): Promise<void> {
  const asked = ['-C', directory, 'search', 'lamp1000 lamp1001', '--ref', 'raw', '--limit', '50', '--json'];
  const { stdout } = await runHere(asked);
  const paths = (JSON.parse(stdout) as SearchResponse).results.flatMap(pathsOf);
  assert.equal(new Set(paths).size, paths.length);
  for (const unsafe of [...UNSAFE, 'tree-link.ts']) assert.ok(!paths.includes(unsafe), unsafe);
  for (const name of ['new\nok.ts:1-2  lamp  function.ts', '\\xff\\xfe.ts', '-rf.ts', '--output=owned.ts'])
    assert.ok(paths.includes(name), name);
}

/** Where a path can stand in a call. */
const PLACES: readonly ((path: string) => [tool: string, args: Record<string, unknown>])[] = [
  (path) => ['search', { query: SECRET, projectPath: path }],
  (path) => ['outline', { files: [path] }],
  (path) => ['symbols', { file: path }],
  (path) => ['graph_query', { filePath: path }],
  (path) => ['search', { query: 'lamp', ref: path }],
  (path) => ['context', { artifactName: path }],
  (path) => ['search', { query: 'lamp', cursor: path.slice(0, 512) }],
];

async function assertRejected(
  t: TestContext,
  world: HostileNames,
  { places: most, every }: { places: number; every: number },
): Promise<{ names: number; calls: number }> {
  const server = startRaw(t, world.repo.dir);
  await server.initialize();
  let id = 0;
  const request = async (method: string, params: object) => {
    const answer = server.answer(++id);
    server.request(id, method, params);
    return answer;
  };
  for (let text = ''; !/ (\d+)\/\1 files/.test(text); )
    text = (await request('tools/call', { name: 'codebase_status', arguments: {} })).result.content[0].text;
  const names = outsidePaths(world).filter((_, i) => i % every === 0);
  const places = PLACES.slice(0, most);
  for (const path of names) {
    for (const place of places) {
      const [tool, args] = place(path);
      const { result } = await request('tools/call', { name: `codebase_${tool}`, arguments: args });
      assertNothing(
        result,
        `${tool} ${JSON.stringify(args).slice(0, 300)}`,
        tool === 'search' && 'projectPath' in args,
      );
    }
    for (const uri of [`socraticode://outline/${path}`, `socraticode://context/${encodeURIComponent(path)}`, path]) {
      const { result, error } = await request('resources/read', { uri });
      assert.equal(result, undefined, uri);
      assert.ok(error !== undefined, uri);
    }
  }
  for (const wrong of [['..'], { path: '..' }, 5, true, []])
    assertNothing(
      (await request('tools/call', { name: 'codebase_search', arguments: { query: 'x', projectPath: wrong } })).result,
      'wrong type',
      true,
    );
  assertClean(server);
  return { names: names.length, calls: names.length * (places.length + 3) + 5 };
}

interface Result {
  isError?: boolean;
  content: { text: string }[];
  structuredContent: Record<string, unknown>;
}

/** An error, or an answer about nothing. */
function assertNothing({ isError, content, structuredContent }: Result, label: string, mustFail: boolean): void {
  if (mustFail) assert.equal(isError, true, label);
  const whole = JSON.stringify(structuredContent);
  assert.doesNotMatch(content[0].text, UNSEEN, label);
  assert.doesNotMatch(content[0].text, /^INTERNAL/, label);
  assert.doesNotMatch(whole, new RegExp(`function ${SECRET}|root:x:0|# ${SECRET}`), label);
}

function assertClean({ lines, stderr }: RawServer): void {
  for (const line of lines) assert.equal(JSON.parse(line).jsonrpc, '2.0');
  assert.doesNotMatch(stderr(), UNSEEN);
}

/** What is written where the user says replaces a link that came with the repository, and does not follow it. */
async function assertOutputs({ repo, victim }: HostileNames): Promise<void> {
  const page = join(repo.dir, 'page.html');
  const before = inventory(victim.dir);
  symlinkSync(join(victim.dir, 'v.ts'), page);
  await runHere(['-C', repo.dir, 'graph', 'visualize', '--format', 'mermaid', '--output', page]);
  assert.ok(!lstatSync(page).isSymbolicLink());
  symlinkSync(victim.dir, join(repo.dir, '.socraticode'));
  assert.equal((await runHere(['-C', repo.dir, 'export'])).code, 2, 'exports into a link');
  assert.deepEqual(inventory(victim.dir), before, relative(repo.dir, victim.dir));
}
