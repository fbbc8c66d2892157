// Precision of change coupling: `npm run bench -- coupling DIR [--commits N] [--json]`. Two questions about past commits:
//   forgotten: of the files of one commit, one is left out; is it among those that `coupling` names from the commits before?
//   next:      of the files named at a commit, how many really changed within the next 100 commits?
// Every question sees only commits that are older than the one it is about.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const load = (path) => import(join(DIST, path));
const args = process.argv.slice(2);
const optionOf = (name, usual) => (args.includes(name) ? Number(args[args.indexOf(name) + 1]) : usual);
const directory = resolve(args.find((arg) => !arg.startsWith('--') && Number.isNaN(Number(arg))) ?? '.');
const asked = optionOf('--commits', 500);
const NEXT = 100;
const OLDER = 500;

const { Session } = await load('session/session.js');
const { readChangeLog } = await load('session/history/change-log.js');
const { tellingCommits } = await load('history/change-log.js');
const { coupledFiles } = await load('history/change-log.js');

const session = await Session.open({ directory });
const { commit: tip } = await session.objects.resolve('HEAD');
const cpu = (from) => Math.round(process.cpuUsage(from).user / 1000 + process.cpuUsage(from).system / 1000);
const start = process.cpuUsage();
const log = tellingCommits(await readChangeLog(session, { tip }));
const reading = cpu(start);
const again = process.cpuUsage();
await readChangeLog(session, { tip });
const warm = cpu(again);

/** Files that exist before the commit at `i`: those that an older commit changed. */
const firstSeen = new Map();
for (const [i, { paths }] of log.entries()) for (const path of paths) firstSeen.set(path, i);

function measure(share, least) {
  const sums = { questions: 0, answered: 0, named: 0, right: 0, found: 0, next: 0, nextNamed: 0 };
  for (let i = NEXT; i < Math.min(log.length - OLDER, NEXT + asked); i++) {
    const older = log.slice(i + 1).map((commit) => ({ ...commit, age: commit.age - log[i].age }));
    const paths = log[i].paths.filter((path) => firstSeen.get(path) > i);
    if (paths.length === 0) continue;
    const later = new Set(log.slice(i - NEXT, i + 1).flatMap(({ paths: each }) => each));
    const named = coupledFiles(older, new Set(paths), { share, least });
    sums.nextNamed += named.length;
    sums.next += named.filter(({ path }) => later.has(path)).length;
    for (const left of paths.length > 1 ? paths : []) {
      const rest = new Set(paths.filter((path) => path !== left));
      const guessed = coupledFiles(older, rest, { share, least });
      sums.questions++;
      sums.answered += guessed.length > 0 ? 1 : 0;
      sums.named += guessed.length;
      sums.right += guessed.filter(({ path }) => path === left).length;
    }
  }
  const percent = (a, b) => (b === 0 ? null : Math.round((1000 * a) / b) / 10);
  return {
    share,
    least,
    'named within 100 commits %': percent(sums.next, sums.nextNamed),
    named: sums.nextNamed,
    'left-out file found %': percent(sums.right, sums.questions),
    'leave-one-out precision %': percent(sums.right, sums.named),
    questions: sums.questions,
  };
}

const rows = [
  [0.3, 3],
  [0.5, 3],
  [0.7, 3],
].map(([share, least]) => measure(share, least));
if (args.includes('--json')) console.log(JSON.stringify({ directory, commits: log.length, reading, warm, rows }));
else {
  console.log(
    `${directory}: ${log.length} commits that tell; read in ${reading} ms of processor time, again in ${warm} ms`,
  );
  console.table(rows);
}
await session.close();
