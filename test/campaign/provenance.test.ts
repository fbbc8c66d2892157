/** S3: what binary decoders, usearch and FlexSearch are given was made by this user on this machine. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setLogLevel } from '../../src/base/log.js';
import { buildHnsw, openHnsw } from '../../src/shard/hnsw.js';
import { hnswPath } from '../../src/shard/lexical-format.js';
import { writeVectorShard } from '../../src/shard/vector-shard.js';
import { campaign } from '../support/campaigns/campaign.js';
import type { Random } from '../support/generated/random.js';
import {
  CHECKSUM,
  cloneWithNotes,
  forgeNotes,
  forgeState,
  noteLine,
  type Sealing,
  sealedEnd,
  setNotes,
  withKey,
} from '../support/hostile/forge.js';
import { lie } from '../support/hostile/lies.js';
import type { Answer } from '../support/in-process/answer.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { SpiedUser } from '../support/spies/spied.js';

setLogLevel('silent');

const SOURCES = fileURLToPath(new URL('../../../src/', import.meta.url));
const [PROFILE, LEXICAL] = ['0123456789ab', 'lexical-0123456789abcdef.bin'];
const DRAFT = { 'src/draft.ts': 'export function draftOfParcel(): string {\n  return "uncommitted";\n}\n' };
/** Words, names, meaning, a graph: every decoder is needed. A misspelt word needs FlexSearch. */
const QUESTIONS = [
  ['search', 'rememberToken', '--json'],
  ['search', 'remembr tokn', '--json'],
  ['search', 'where is the nearest depot found', '--mode', 'semantic', '--json'],
  ['search', 'draftOfParcel', '--json'],
  ['graph', 'symbol', 'rememberToken', '--json'],
];

/** What must be equal; commits differ where the tree has more in it. */
const shown = (answers: readonly Answer[]) =>
  answers.map(({ code, stdout }) => `${code} ${stdout.replace(/"commit":"[0-9a-f]+"/, '')}`);

interface Stage {
  /** Honest notes and state, honest answers. */
  origin: TestRepo;
  honest: SpiedUser;
  expected: string[];
  /** Whose notes and state lie. */
  forger: SpiedUser;
  lying: TestRepo;
}

async function setStage(): Promise<Stage> {
  const origin = createRepo();
  origin.commit({ ...PROJECT, ...manyFiles(8) });
  const honest = new SpiedUser();
  const expected = shown(await honest.ask(origin.write(DRAFT), [['index'], ...QUESTIONS])).slice(1);
  honest.assertOwn('the honest user');
  for (const what of ['sections', 'vectors', 'usearch'])
    assert.ok(
      honest.seen().some((seen) => seen.how === 'given' && seen.what === what),
      `${what} is never needed`,
    );
  const forger = new SpiedUser();
  const lying = cloneWithNotes(origin).write(DRAFT);
  forgeNotes(lying, lie);
  const lies = shown(await forger.ask(lying, [['index'], ...QUESTIONS])).slice(1);
  assert.notDeepEqual(lies, expected, 'the lies change no answer');
  return { origin, honest, expected, forger, lying };
}

/** State in an archive: whose folder it is in, and how it is sealed. */
const ARCHIVES: Record<string, (own: string, theirs: string, key: Buffer) => { folder: string; seal: Sealing }> = {
  checksums: (own) => ({ folder: own, seal: CHECKSUM }),
  'another key': (own, _, key) => ({ folder: own, seal: withKey(key) }),
  'an empty key': (own) => ({ folder: own, seal: withKey(Buffer.alloc(32)) }),
  "its maker's folder": (_, theirs, key) => ({ folder: theirs, seal: withKey(key) }),
  'the folder of earlier versions': (own) => ({ folder: own.slice(0, 12), seal: CHECKSUM }),
};

interface Scenario {
  name: string;
  /** Notes that are no records but files of a state, and the same under names of their own, are pulled. */
  remote?: boolean;
  /** The tree holds a state in `.socraticode/`. */
  tree?: boolean;
  archives?: string[];
}

const TOGETHER: Scenario = {
  ...{ name: 'everything at once', remote: true, tree: true },
  archives: ['checksums', "its maker's folder", 'the folder of earlier versions'],
};
const ALONE: Scenario[] = [
  { name: 'hostile remote', remote: true },
  { name: 'hostile tree', tree: true },
  ...Object.keys(ARCHIVES).map((name) => ({ name: `archive, ${name}`, archives: [name] })),
];

/** Plays a scenario to somebody who has nothing yet; returns how much their decoders were given. */
async function play(stage: Stage, { name, remote, tree, archives = [] }: Scenario): Promise<number> {
  const { expected, forger, lying } = stage;
  const theirs = forger.folder(lying);
  const source = cloneWithNotes(stage.origin);
  if (tree) commitState(source, join(lying.state, theirs));
  if (remote) noteState(source, join(lying.state, theirs));
  const repo = createRepo();
  repo.git('remote', 'add', 'origin', source.dir);
  repo.git('fetch', '-q', 'origin', 'main', ...(remote || tree ? [] : ['+refs/notes/*:refs/notes/*']));
  repo.git('reset', '-q', '--hard', 'FETCH_HEAD');
  repo.write(DRAFT);
  const victim = new SpiedUser();
  // What the folder is called is known, even to the forger.
  const own = `${theirs.slice(0, 12)}-${victim.keyId}`;
  for (const archive of archives) {
    const { folder, seal } = ARCHIVES[archive](own, theirs, forger.key);
    forgeState(repo, join(lying.state, theirs), folder, seal);
  }
  const before = remote ? [['pull']] : [];
  const answers = await victim.ask(repo, [...before, ...QUESTIONS]);
  assert.deepEqual(shown(answers).slice(before.length), expected, name);
  return victim.assertOwn(name);
}

function commitState(repo: TestRepo, state: string): void {
  const folder = basename(state);
  const profile = folder.slice(0, 12);
  for (const place of [folder, `syntax/${profile}`, `${profile}/syntax`, '']) {
    mkdirSync(join(repo.dir, '.socraticode', place), { recursive: true });
    cpSync(state, join(repo.dir, '.socraticode', place), { recursive: true });
  }
  repo.git('add', '-f', '.socraticode');
  repo.git('commit', '-q', '-m', 'state in the tree');
}

function noteState(repo: TestRepo, state: string): void {
  const names = (readdirSync(state) as string[]).filter((name) => /\.(bin|hnsw|json)$/.test(name));
  const blobs = names.map((name) => repo.blob(readFileSync(join(state, name))));
  const targets = [...repo.notes().keys()];
  const lines = [
    ...targets.map((target, i) => noteLine(target, blobs[i % blobs.length])),
    ...names.flatMap((name, i) => ['', `${basename(state)}/`].map((at) => `100644 ${blobs[i]}\t${at}${name}\n`)),
  ];
  const ref = repo.notesRef;
  for (const kind of ['syntax', 'vectors', 'lexical']) setNotes(repo, ref.replace('/syntax/', `/${kind}/`), lines);
}

/** Two keys on one repository: each finds what it left, the other's work notwithstanding. */
async function assertTurns(turns: number, { origin, honest }: Stage): Promise<void> {
  const users = [honest, new SpiedUser()];
  const questions = [['index'], ...QUESTIONS.slice(-2)];
  // An index run after a search reads messages of commits, which the first one of the new user does not.
  for (const user of [users[1], ...users]) await user.ask(origin, questions);
  // Some caches are made by a later question alone: of files that stood for a while, and of histories that were read.
  const files = () =>
    (readdirSync(origin.state, { recursive: true }) as string[]).filter(
      (name) => name.includes('/') && !/\/(?:checked|notes|lines|messages-)/.test(name),
    );
  const before = files().sort();
  const made = users.map((user) => user.made());
  for (let i = 0; i < turns; i++) await users[i % 2].ask(origin, questions);
  assert.deepEqual(files().sort(), before);
  assert.deepEqual(
    users.map((user) => user.made()),
    made,
  );
}

/** Loads a graph as the program would, without asking who made it: a third to a half of damaged ones are fatal. */
const LOAD = `const { Index } = require('usearch'); const [path, dimensions] = process.argv.slice(1);
  new Index({ dimensions: Number(dimensions), metric: 'cos', quantization: 'i8', multi: false, connectivity: 16 }).load(path)`;

/** Graphs of vectors made to crash, with the right trailer about sound vectors, but for the seal. Returns how many do crash. */
async function assertCraftedRefused(count: number, controls: number, random: Random): Promise<number> {
  const [directory, dimensions] = [makeDirectory(), 32];
  const rows = Int8Array.from({ length: 200 * dimensions }, () => random(255) - 127);
  const vectors = writeVectorShard(directory, PROFILE, LEXICAL, { dimensions, rows });
  assert.ok(await buildHnsw(directory, PROFILE, LEXICAL, vectors));
  const path = hnswPath(directory, PROFILE, LEXICAL);
  const sound = readFileSync(path);
  assert.ok(openHnsw(directory, PROFILE, LEXICAL, vectors) !== null);
  let crashes = 0;
  for (let i = 0; i < count; i++) {
    const seal = [CHECKSUM, withKey(Buffer.alloc(32)), withKey(Buffer.alloc(32, i))][i % 3];
    writeFileSync(path, sealedEnd(craft(sound, random), 'hnsw', seal));
    if (i < controls) {
      const { signal } = spawnSync(process.execPath, ['--eval', LOAD, path, String(dimensions)], {
        cwd: SOURCES,
        timeout: 10_000,
      });
      if (signal !== null) crashes++;
    }
    assert.equal(openHnsw(directory, PROFILE, LEXICAL, vectors), null, `crafted graph ${i}`);
  }
  assert.ok(crashes > 0, 'no crafted graph would crash: this proves nothing');
  return crashes;
}

/** Numbers in the graph's own part changed: sizes, levels, neighbours, the head. Its length stays, and so does the trailer. */
function craft(sound: Buffer, random: Random): Buffer {
  const bytes = Buffer.from(sound);
  const body = bytes.length - 400;
  for (let n = 1 + random(20); n > 0; n--)
    bytes.writeUInt32LE(random(2 ** 31), random(2) === 0 ? random(200) : random(body));
  return bytes;
}

/** The same in an honest state: the graph stands where it belongs, and the answer comes without it. */
async function assertServedWithout({ honest, origin, expected }: Stage, random: Random): Promise<void> {
  const state = join(origin.state, honest.folder(origin));
  const graphs = readdirSync(state).filter((name) => name.endsWith('.hnsw'));
  assert.ok(graphs.length > 0);
  for (const name of graphs) {
    const path = join(state, name);
    writeFileSync(path, sealedEnd(craft(readFileSync(path), random), 'hnsw', CHECKSUM));
  }
  assert.deepEqual(shown(await honest.ask(origin, QUESTIONS)), expected);
  honest.assertOwn('crafted graphs in an honest state');
}

/** Only one module each knows how to load the parts that believe what they are given. */
function assertWalls(): void {
  const files = (readdirSync(SOURCES, { recursive: true }) as string[]).filter((name) => name.endsWith('.ts'));
  const naming = (pattern: RegExp) =>
    files.filter((name) => pattern.test(readFileSync(join(SOURCES, name), 'utf8'))).sort();
  assert.deepEqual(naming(/\(['"]usearch['"]\)/), ['shard/hnsw.ts']);
  assert.deepEqual(naming(/\b(?:index|graph)\.(?:load|view|restore)\(/), ['shard/hnsw.ts']);
  assert.deepEqual(naming(/\(['"]flexsearch['"]\)/), ['search/lexical.ts']);
  assert.deepEqual(naming(/['"]cbor-x/), ['record/cbor.ts']);
}

campaign(
  'provenance',
  {
    bar: 'S3',
    claim: 'no fetched byte and no forged local state reaches usearch, FlexSearch or a binary decoder',
    short: { alone: 0, turns: 1, crafted: 30, controls: 3 },
    long: { alone: ALONE.length, turns: 6, crafted: 2_000, controls: 60 },
  },
  async ({ size, random, note }) => {
    assertWalls();
    const stage = await setStage();
    const scenarios = [TOGETHER, ...ALONE.slice(0, size.alone)];
    let given = 0;
    for (const scenario of scenarios) {
      note(scenario.name);
      given += await play(stage, scenario);
    }
    await assertTurns(size.turns, stage);
    await assertServedWithout(stage, random);
    const crashes = await assertCraftedRefused(size.crafted, size.controls, random);
    return {
      'scenarios, each answered as by a clean clone': scenarios.length,
      'inputs of decoders, all made by the user who reads them': given,
      'crafted graphs of vectors refused': size.crafted,
      'of those tried, fatal to usearch': `${crashes} of ${size.controls}`,
    };
  },
);
