import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import {
  faultOf,
  inTurn,
  Mover,
  makeWorld,
  type Told,
  type Tree,
  type World,
  WRITERS,
} from '../support/campaigns/busy.js';
import { campaign } from '../support/campaigns/campaign.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { startServer } from '../support/servers/mcp.js';
import { connectHttp, type HttpProcess, startHttp } from '../support/servers/mcp-http.js';

const QUIET_CALLS = 20;
/** Pause of a client that was told to come again. */
const COMES_AGAIN_MS = 1_000;
const TOO_MANY = /too many (?:requests|sessions)/;
const SEARCH = { name: 'codebase_search', arguments: { query: 'rememberToken' } };

type Search = () => Promise<{ structured: Told['response'] & { error?: { code: string } }; isError: boolean }>;

const percentile = (list: readonly number[], share: number): number =>
  [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0;

const residentMb = ({ child }: HttpProcess): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1_024);

async function searchOf(client: Client): ReturnType<Search> {
  const { structuredContent, isError } = await client.callTool(SEARCH).catch((error: Error) => {
    throw new Error(`${error.message} ${error.cause ?? ''}`, { cause: error });
  });
  return { structured: structuredContent as never, isError: isError === true };
}

/** `git gc`, pulls of what others pushed and compactions, one after the other until `isOver`. */
async function keepHouse(world: World, isOver: () => boolean): Promise<number> {
  let times = 0;
  for (; !isOver(); times++) {
    await inTurn(() => promisify(execFile)('git', ['gc', '-q', '--prune=now'], { cwd: world.main.repo.dir }));
    const { args, repo } = await WRITERS['pull from a remote that moves'](world, times);
    const { code, stderr } = await cli(args, { cwd: repo.dir });
    // On a busy machine seven servers hold the lock of writers in turn for longer than a command waits.
    const isBusy = code === 2 && /the index is being written by process/.test(stderr);
    assert.ok(code === 0 || code === 1 || isBusy, `${args.join(' ')}: ${stderr}`);
  }
  return times;
}

/** Everybody asks in the same moment: each is answered, or told to come again. */
async function crowd(clients: readonly Client[]): Promise<{ took: number[]; refused: number }> {
  const took: number[] = [];
  const from = performance.now();
  const search = async (client: Client) => {
    await searchOf(client);
    took.push(performance.now() - from);
  };
  const outcomes = await Promise.allSettled(clients.map(search));
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of failed) assert.match(String(reason), TOO_MANY);
  return { took, refused: failed.length };
}

campaign(
  'clients',
  {
    bar: 'L3',
    claim:
      'while many clients ask and the repository moves, no answer is wrong or fails, and too many are told to come again',
    // `readsMs`: pause of a client between two questions. An agent reads and thinks for seconds; with 200 ms all are in a hurry.
    short: { seconds: 3, overHttp: 4, overStdio: 1, files: 10, pauseMs: 700, readsMs: 200, crowd: 80 },
    long: { seconds: 600, overHttp: 44, overStdio: 6, files: 200, pauseMs: 1_000, readsMs: 2_000, crowd: 200 },
    skip: process.platform === 'linux' ? false : 'memory is read from /proc',
  },
  async ({ size, random, note, t }) => {
    const world = await makeWorld(size.files);
    const { main, linked } = world;
    await cliJson(['index'], { cwd: main.repo.dir });
    const server = await startHttp(t, main.repo.dir);
    const told: Told[] = [];
    const took = { http: [] as number[], stdio: [] as number[] };
    let [notReady, toldToComeAgain] = [0, 0];
    const ask = async (search: Search, tree: Tree, into: number[]) => {
      const before = tree.heads.length;
      const from = performance.now();
      const answer = await search().catch((error: Error) => {
        if (!TOO_MANY.test(error.message)) throw error;
      });
      if (answer === undefined) {
        toldToComeAgain++;
        return sleep(COMES_AGAIN_MS);
      }
      into.push(performance.now() - from);
      const { structured, isError } = answer;
      if (isError) assert.equal(structured.error?.code, 'NOT_READY', JSON.stringify(structured));
      if (isError) notReady++;
      else told.push({ response: structured, tree, before, after: tree.heads.length });
    };
    const overHttp = await Promise.all(Array.from({ length: size.overHttp }, () => connectHttp(t, server.url)));
    const overStdio = await Promise.all(Array.from({ length: size.overStdio }, () => startServer(t, linked.repo.dir)));
    const quiet: number[] = [];
    for (let i = 0; i < QUIET_CALLS; i++) await ask(() => searchOf(overHttp[0]), main, quiet);

    const until = performance.now() + size.seconds * 1_000;
    const isOver = () => performance.now() >= until;
    const asking = async (search: Search, tree: Tree, into: number[]) => {
      for (; !isOver(); await sleep(size.readsMs)) await ask(search, tree, into);
    };
    const mover = new Mover(world, random, size.pauseMs);
    const moving = mover.run();
    let firstMb = 0;
    const measured = sleep(Math.min(60_000, size.seconds * 500)).then(() => {
      firstMb = residentMb(server);
    });
    const house = keepHouse(world, isOver);
    try {
      await Promise.all([
        ...overHttp.map((client) => asking(() => searchOf(client), main, took.http)),
        ...overStdio.map(({ call }) => asking(() => call(SEARCH.name, SEARCH.arguments), linked, took.stdio)),
        measured,
      ]);
    } finally {
      mover.stop();
      await moving;
    }
    const kept = await house;
    const lastMb = residentMb(server);
    const all = [...took.http, ...took.stdio];
    note(`${all.length} answers, ${mover.moves} moves, ${kept} times gc and pull`);
    const more = size.crowd - overHttp.length;
    const late = await Promise.all(Array.from({ length: more }, () => connectHttp(t, server.url)));
    const ofCrowd = await crowd([...overHttp, ...late]);
    await ask(() => searchOf(overHttp[0]), main, quiet);
    assert.doesNotMatch(server.stderr(), /\bbug\b/);
    // Last: git is asked for the text of each, which blocks this process for longer than a server keeps a connection.
    for (const each of told) assert.equal(faultOf(each), null);
    const round = (ms: number) => Math.round(ms);
    return {
      ...{
        seconds: size.seconds,
        readsMs: size.readsMs,
        clientsOverHttp: size.overHttp,
        clientsOverStdio: size.overStdio,
      },
      ...{
        answers: all.length,
        wrong: 0,
        errors: 0,
        notReady,
        toldToComeAgain,
        movesOfTrees: mover.moves,
        gcAndPull: kept,
      },
      ...{ quietP50Ms: round(percentile(quiet, 0.5)), quietP95Ms: round(percentile(quiet, 0.95)) },
      ...{ p50Ms: round(percentile(all, 0.5)), p95Ms: round(percentile(all, 0.95)) },
      ...{ httpP95Ms: round(percentile(took.http, 0.95)), stdioP95Ms: round(percentile(took.stdio, 0.95)) },
      ...{ firstMb, lastMb, crowd: size.crowd, answered: ofCrowd.took.length, refused: ofCrowd.refused },
      crowdP95Ms: round(percentile(ofCrowd.took, 0.95)),
    };
  },
);
