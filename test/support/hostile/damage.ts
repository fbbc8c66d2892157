/** Local state of a small repository, and everything that can happen to one of its files. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
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
import { answerReferences } from '../../../src/questions/graph/references/answer.js';
import { searcherOf } from '../../../src/session/search/searcher.js';
import { Session } from '../../../src/session/session.js';
import { pick, type Random } from '../generated/random.js';
import { askerOf } from '../in-process/asker.js';
import { cliJson } from '../processes/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../repositories/repo.js';
import { manyFiles, PROJECT } from '../repositories/samples.js';

/** What a process would answer that has just been started; every kind of local file is needed for some of it. */
export async function answers(repo: TestRepo): Promise<string[]> {
  const session = await Session.open({ directory: repo.dir });
  try {
    const searcher = searcherOf(session);
    const at = askerOf(session);
    const said = [
      await searcher.search({ query: 'rememberToken', limit: 3 }),
      await searcher.search({ query: 'ThirdDraft SecondShard' }),
      await searcher.search({ query: 'what a user has', mode: 'semantic', committed: true }),
      await answerReferences(at, { name: 'rememberToken', committed: true }),
      await answerReferences(at, { name: 'SecondShard' }),
    ];
    return said.map((document) => JSON.stringify(document));
  } finally {
    session.close();
  }
}

const DRAFT = 'import { SecondShard } from "./second.js";\n\nexport class ThirdDraft extends SecondShard {}\n';

export interface Subject {
  repo: TestRepo;
  expected: string[];
  /** Earlier versions of files, by their names. */
  older: Map<string, Buffer>;
  /** The local state as it was at an earlier commit. */
  earlier: string;
}

/** Two commits and something uncommitted, each of them asked about before the next one. */
export async function makeSubject(): Promise<Subject> {
  const repo = createRepo();
  const older = new Map<string, Buffer>();
  const remember = () => {
    for (const name of filesOf(repo)) older.set(name, readFileSync(join(repo.state, name)));
  };
  repo.commit({ ...PROJECT, ...manyFiles(6), 'src/second.ts': 'class Elsewhere {}\nexport class SecondShard {}\n' });
  await cliJson(['index'], { cwd: repo.dir });
  repo.write({ 'src/third.ts': 'export class FirstDraft {}\n', 'src/session.ts': 'class rememberToken {}\n' });
  await answers(repo);
  remember();
  const earlier = join(makeDirectory(), 'state');
  cpSync(repo.state, earlier, { recursive: true, preserveTimestamps: true });
  repo.commit({
    'src/second.ts': 'export class SecondShard {}\n',
    'src/session.ts': String(PROJECT['src/session.ts']),
  });
  repo.write({ 'src/third.ts': DRAFT });
  return { repo, older, earlier, expected: await answers(repo) };
}

/** What this program believes, once its seal or its checksum fits. */
const BELIEVED = /(?:\.bin|manifest\.json|state\.json)$/;

export function filesOf(repo: TestRepo): string[] {
  const names = readdirSync(repo.state, { recursive: true }) as string[];
  return names.filter((name) => BELIEVED.test(name) && lstatSync(join(repo.state, name)).isFile()).sort();
}

/** `view`, `lexical`, `overlay/lexical`, `graphs/memory`, … */
export function kindOf(name: string): string {
  const parts = name.split('/').slice(1);
  return parts.map((part) => part.replace(/[-.].*$/, '')).join('/');
}

interface Target {
  path: string;
  /** Below the local state. */
  name: string;
  bytes: Buffer;
  random: Random;
  subject: Subject;
}

/** Returns false where it does not apply. */
type Mutation = (target: Target) => unknown;
export const MUTATIONS: Record<string, Mutation> = {
  flip: ({ path, bytes, random }) => {
    const copy = Buffer.from(bytes);
    copy[random(copy.length)] ^= 1 << random(8);
    writeFileSync(path, copy);
  },
  truncate: ({ path, bytes, random }) => writeFileSync(path, bytes.subarray(0, random(bytes.length))),
  empty: ({ path }) => writeFileSync(path, ''),
  garbage: ({ path, bytes, random }) =>
    writeFileSync(
      path,
      Buffer.from(bytes).map(() => random(256)),
    ),
  zeros: ({ path, bytes, random }) => writeFileSync(path, Buffer.from(bytes).fill(0, random(bytes.length))),
  extend: ({ path, bytes }) => writeFileSync(path, Buffer.concat([bytes, bytes.subarray(-64)])),
  json: ({ path }) => writeFileSync(path, '{"format":1,"profile":"x","shards":[null]}'),
  swap: ({ path, name, bytes, random, subject }) => {
    const others = filesOf(subject.repo).filter((other) => other !== name);
    const alike = others.filter((other) => kindOf(other) === kindOf(name));
    const other = join(subject.repo.state, pick(random, alike.length > 0 && random(4) > 0 ? alike : others));
    writeFileSync(path, readFileSync(other));
    writeFileSync(other, bytes);
  },
  older: ({ path, name, bytes, subject }) => {
    const before = subject.older.get(name);
    if (before === undefined || before.equals(bytes)) return false;
    writeFileSync(path, before);
  },
  gone: ({ path }) => rmSync(path),
  pipe: ({ path }) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  link: ({ path, bytes }) => {
    const elsewhere = join(makeDirectory(), 'file');
    writeFileSync(elsewhere, bytes);
    rmSync(path);
    symlinkSync(elsewhere, path);
  },
  directory: ({ path }) => {
    rmSync(path);
    mkdirSync(join(path, 'in the way'), { recursive: true });
  },
};

/** Damages a file; false where that mutation does not apply. */
export function damage(subject: Subject, name: string, mutation: string, random: Random): boolean {
  const path = join(subject.repo.state, name);
  const { atime, mtime } = statSync(path);
  const applied = MUTATIONS[mutation]({ path, name, bytes: readFileSync(path), random, subject });
  if (applied === false) return false;
  if (random(2) === 0 && existsSync(path) && lstatSync(path).isFile()) utimesSync(path, atime, mtime);
  return true;
}
