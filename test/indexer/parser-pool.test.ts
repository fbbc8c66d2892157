/** Parser children: limits, crashes, order, and no timer or process left behind. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { isSocraticodeError } from '../../src/base/errors.js';
import { log } from '../../src/base/log.js';
import { DEFAULT_LIMITS, type ParseOutcome, Parser, ParserPool, readRanges } from '../../src/indexer/parser-pool.js';
import { decodeSyntaxRecord } from '../../src/record/syntax-codec.js';

const job = (text: string, language = 'typescript') => {
  const bytes = Buffer.from(text);
  return { oid: createHash('sha1').update(bytes).digest('hex'), language, bytes };
};

function symbolsOf(oid: string, outcome: ParseOutcome): string[] {
  assert.ok('record' in outcome);
  const decoded = decodeSyntaxRecord(outcome.record, oid);
  assert.ok(decoded.ok && 'facts' in decoded.record);
  return Object.values(decoded.record.facts).flatMap((facts) => facts.symbols.map((symbol) => symbol.name));
}

/** Random text, which the TypeScript grammar takes most of a minute over. */
const HANGS = Array.from({ length: 600_000 }, (_, i) =>
  String.fromCharCode(32 + ((i * i * 7919 + i * 104_729) % 95)),
).join('');

test('every job gets its own answer, whatever the order of answers', async () => {
  const pool = new ParserPool();
  try {
    const jobs = Array.from({ length: 120 }, (_, i) => job(`export function name${i}() { return ${i}; }\n`));
    const outcomes = await Promise.all(jobs.map((each) => pool.parse(each)));
    for (const [i, outcome] of outcomes.entries()) assert.deepEqual(symbolsOf(jobs[i].oid, outcome), [`name${i}`]);
  } finally {
    pool.stop();
  }
});

test('a file that takes too long is given up; those beside and behind it are not', { timeout: 60_000 }, async () => {
  const pool = new ParserPool({ ...DEFAULT_LIMITS, timeoutMs: 700 }, 1);
  try {
    const small = Array.from({ length: 12 }, (_, i) => job(`class Small${i} {}\n`));
    const all = [...small.slice(0, 3), job(HANGS), ...small.slice(3, 6), job(`${HANGS} `), ...small.slice(6)];
    const outcomes = await Promise.all(all.map((each) => pool.parse(each)));
    for (const [i, outcome] of outcomes.entries()) {
      if (all[i].bytes.length > 1000) assert.deepEqual(outcome, { failed: 'parse-timeout' });
      else assert.equal(symbolsOf(all[i].oid, outcome).length, 1);
    }
  } finally {
    pool.stop();
  }
});

test('files that hang cost a run so much and no more: then the others get less time, which is said at its end', {
  timeout: 60_000,
}, async (t) => {
  // A limit over which the child is at the first look, so that some looks are the budget.
  const pool = new ParserPool({ ...DEFAULT_LIMITS, timeoutMs: 1 }, 1, true);
  t.after(() => pool.stop());
  const told: string[] = [];
  t.mock.method(log, 'warn', (text: string) => void told.push(text));
  const hostile = (count: number, mark: string) =>
    Promise.all(Array.from({ length: count }, (_, i) => pool.parse(job(`${HANGS}${mark}${i}`))));
  for (const outcome of await hostile(8, 'a')) assert.deepEqual(outcome, { failed: 'parse-timeout' });
  pool.rest();
  const [text] = told;
  assert.match(text, /^8 files could not be parsed, which took \d+ s: the last [1-7] of them had 0\.0005 s each$/);
  // The next run has all its time again, and says nothing about few.
  assert.deepEqual(await hostile(1, 'b'), [{ failed: 'parse-timeout' }]);
  pool.rest();
  assert.equal(told.length, 1);
});

/** Starts a parser that works on its first files forever, however fast the machine is. */
const forkHanging = () =>
  spawn(process.execPath, ['-e', "process.on('message', () => { for (;;); }); process.send('ready');"], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });

test('a file that was given up with others counts once, when it is given up alone', { timeout: 60_000 }, async (t) => {
  t.mock.method(Parser, 'fork', forkHanging);
  const pool = new ParserPool({ ...DEFAULT_LIMITS, timeoutMs: 1 }, 1, true);
  t.after(() => pool.stop());
  const told: string[] = [];
  t.mock.method(log, 'warn', (text: string) => void told.push(text));
  // Small enough to travel together.
  const together = ['a', 'b', 'c'].map((mark) => pool.parse(job(mark)));
  for (const outcome of await Promise.all(together)) assert.deepEqual(outcome, { failed: 'parse-timeout' });
  pool.rest();
  assert.match(told.join(), /^3 files could not be parsed/);
});

const onLinux = process.platform === 'linux';

test('a parser reads no certificates of the environment, and all else of it', { skip: !onLinux }, (t) => {
  const before = process.env.NODE_EXTRA_CA_CERTS;
  process.env.NODE_EXTRA_CA_CERTS = '/nowhere.pem';
  t.after(() => {
    delete process.env.NODE_EXTRA_CA_CERTS;
    if (before !== undefined) process.env.NODE_EXTRA_CA_CERTS = before;
  });
  const child = Parser.fork() as ReturnType<typeof Parser.fork> & { pid: number };
  t.after(() => child.kill());
  const variables = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0');
  assert.ok(variables.includes(`PATH=${process.env.PATH}`));
  assert.ok(!variables.some((each) => each.startsWith('NODE_EXTRA_CA_CERTS=')));
});

test('between runs a pool that outlasts them keeps one child that is idle; another keeps none', async (t) => {
  const fork = t.mock.method(Parser, 'fork');
  const [lasting, other] = [new ParserPool(DEFAULT_LIMITS, 2, true), new ParserPool(DEFAULT_LIMITS, 2)];
  t.after(() => lasting.stop());
  for (const pool of [lasting, other]) {
    await pool.parse(job('class First {}\n'));
    pool.rest();
  }
  assert.deepEqual([lasting.isStopped, other.isStopped, fork.mock.callCount()], [false, true, 2]);
  const next = job('class Next {}\n');
  assert.deepEqual(symbolsOf(next.oid, await lasting.parse(next)), ['Next']);
  assert.equal(fork.mock.callCount(), 2);
  const late = lasting.parse(job(HANGS));
  await turn();
  lasting.rest();
  await assert.rejects(late, { code: 'CANCELLED' });
  await assert.rejects(other.parse(next), { code: 'CANCELLED' });
  lasting.stop();
  assert.ok(lasting.isStopped);
});

test('a process that cannot be made fails the files, and nothing waits for its start any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let kills = 0;
  const child = Object.assign(new EventEmitter(), { pid: undefined, kill: () => ++kills > 0 });
  t.mock.method(Parser, 'fork', () => {
    process.nextTick(() => child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' })));
    return child;
  });
  await assert.rejects(new ParserPool(DEFAULT_LIMITS, 1).parse(job('class A {}\n')), { code: 'EMFILE' });
  t.mock.timers.tick(60_000);
  assert.equal(kills, 0);
});

test('a child over its memory limit is replaced', { timeout: 60_000, skip: process.platform !== 'linux' }, async () => {
  const pool = new ParserPool({ timeoutMs: 30_000, memoryBytes: 1 << 20 }, 1);
  try {
    assert.deepEqual(await pool.parse(job(HANGS)), { failed: 'parse-crash' });
  } finally {
    pool.stop();
  }
});

/** Children of this process. */
function childrenOf(pid: number): number[] {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8'),
  );
  return lists.join(' ').split(' ').filter(Boolean).map(Number);
}

test('a child that was stopped for longer than its limit of time goes on with its file', {
  timeout: 60_000,
  skip: process.platform !== 'linux',
}, async () => {
  const pool = new ParserPool({ ...DEFAULT_LIMITS, timeoutMs: 300 }, 1);
  try {
    await pool.parse(job('class First {}\n'));
    const [child] = childrenOf(process.pid);
    process.kill(child, 'SIGSTOP');
    const next = job('class Next {}\n');
    const outcome = pool.parse(next);
    await sleep(2_000);
    process.kill(child, 'SIGCONT');
    assert.deepEqual(symbolsOf(next.oid, await outcome), ['Next']);
    assert.deepEqual(childrenOf(process.pid), [child]);
  } finally {
    pool.stop();
  }
});

test('where the kernel kills a child, its files are parsed by another one, and none is blamed for its neighbours', {
  timeout: 60_000,
  skip: process.platform !== 'linux',
}, async () => {
  const pool = new ParserPool(DEFAULT_LIMITS, 1);
  try {
    const first = job('class First {}\n');
    assert.deepEqual(symbolsOf(first.oid, await pool.parse(first)), ['First']);
    // Long enough to be at work when the child is killed.
    const slow = job(
      Array.from({ length: 1_200 }, (_, i) => `function f${i}(a: A<B>) { return g(${i}, [a]); }\n`).join(''),
    );
    const jobs = [job('class One {}\n'), slow, job('class Two {}\n')];
    const outcomes = Promise.all(jobs.map((each) => pool.parse(each)));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const children = childrenOf(process.pid);
    assert.equal(children.length, 1);
    process.kill(children[0], 'SIGKILL');
    const found = (await outcomes).map((outcome, i) => symbolsOf(jobs[i].oid, outcome).length);
    assert.deepEqual(found, [1, 1_200, 1]);
  } finally {
    pool.stop();
  }
});

test('the limits are those that the documents promise', () => {
  assert.deepEqual(DEFAULT_LIMITS, { timeoutMs: 2_000, memoryBytes: 512 << 20 });
});

test('stopping rejects waiting jobs at once, even before a child is ready', async () => {
  const pool = new ParserPool();
  const waiting = [pool.parse(job('let a;')), pool.parse(job('let b;'))];
  pool.stop();
  for (const each of waiting) await assert.rejects(each, (error) => isSocraticodeError(error));
});

test('a parser that is stopped gives its work back once, and has room for other work', async (t) => {
  const sent: number[] = [];
  const children: EventEmitter[] = [];
  t.mock.method(Parser, 'fork', () => {
    const child = Object.assign(new EventEmitter(), {
      ...{ pid: undefined, kill: () => true },
      send: (jobs: unknown[]) => sent.push(jobs.length) > 0,
    });
    children.push(child);
    process.nextTick(() => child.emit('message', 'ready'));
    return child;
  });
  type Pending = ReturnType<ConstructorParameters<typeof Parser>[1]['take']>[number];
  const answers: unknown[] = [];
  const batches = [2, 1, 3].map((count, batch) =>
    Array.from({ length: count }, (_, i): Pending => {
      const settle = (outcome: unknown) => answers.push([batch, i, outcome]);
      return { job: job(`${batch} ${i}`), suspect: false, resolve: settle, reject: settle };
    }),
  );
  const waiting = [...batches];
  const back: Pending[][] = [];
  const parser = new Parser(DEFAULT_LIMITS, {
    take: () => waiting.shift() ?? [],
    putBack: (jobs) => void (jobs.length > 0 && back.push(jobs)),
    lose: () => {},
  });
  await parser.pump();
  assert.deepEqual([parser.load, sent], [2, [2, 1]], 'two batches are under way');
  parser.stop();
  assert.deepEqual([parser.load, parser.started], [0, false]);
  assert.deepEqual(back, [[...batches[0], ...batches[1]]]);
  parser.stop();
  assert.equal(back.length, 1, 'nothing is given back twice');
  await parser.pump();
  assert.deepEqual([parser.load, sent], [1, [2, 1, 3]]);
  const outcome = { failed: 'parse-crash' };
  children[0].emit('message', [outcome, outcome]);
  assert.deepEqual(answers, [], 'a late answer of the stopped process counts for nothing');
  children[1].emit('message', [outcome, outcome, outcome]);
  assert.deepEqual(
    answers,
    [0, 1, 2].map((i) => [2, i, outcome]),
  );
  parser.stop();
  assert.equal(back.length, 1);
});

test('a stopped pool keeps no program alive', { timeout: 15_000 }, async () => {
  const url = new URL('../../src/indexer/parser-pool.js', import.meta.url).href;
  const script = `import { ParserPool } from ${JSON.stringify(url)};
    const pool = new ParserPool();
    pool.parse({ oid: '${'a'.repeat(40)}', language: 'text', bytes: Buffer.from('x') }).catch(() => {});
    setTimeout(() => pool.stop(), 20);`;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 10_000 });
  assert.deepEqual([status, signal], [0, null]);
});

test('a pool is busy while a file waits or is parsed, and not before or after', async () => {
  const pool = new ParserPool(DEFAULT_LIMITS, 1);
  try {
    assert.equal(pool.isBusy, false);
    const parsed = pool.parse(job('let a;\n'));
    assert.equal(pool.isBusy, true);
    await parsed;
    assert.equal(pool.isBusy, false);
  } finally {
    pool.stop();
  }
});

test('a pool has as many children as were asked for, also when that changes', () => {
  const pool = new ParserPool(DEFAULT_LIMITS, 3);
  assert.equal(pool.size, 3);
  pool.resize(1);
  assert.equal(pool.size, 1);
  pool.resize(2);
  assert.equal(pool.size, 2);
});

test('children that run stay when fewer are asked for, and those that never started go', async () => {
  const pool = new ParserPool(DEFAULT_LIMITS, 3);
  try {
    // Enough text for two of them.
    const texts = Array.from({ length: 2 }, (_, i) => `export const text${i} = '${'x'.repeat(140_000)}';\n`);
    const outcomes = texts.map((text) => pool.parse(job(text)));
    for (let tries = 0; tries < 100; tries++) await turn();
    pool.resize(1);
    assert.equal(pool.size, 2);
    for (const outcome of await Promise.all(outcomes)) assert.ok('record' in outcome);
  } finally {
    pool.stop();
  }
});

test('small files travel together, up to sixteen and 64 KiB, and each child gets its share', async (t) => {
  type Taking = { queue: { take: () => unknown[] } };
  const sizes = async (files: number[], children: number) => {
    const pool = new ParserPool(DEFAULT_LIMITS, children);
    const taken: number[] = [];
    const pump = t.mock.method(Parser.prototype, 'pump', async function (this: Taking) {
      for (let batch = this.queue.take(); batch.length > 0; batch = this.queue.take()) taken.push(batch.length);
    });
    for (const bytes of files) pool.parse(job(' '.repeat(bytes))).catch(() => {});
    await new Promise(setImmediate);
    pool.stop();
    pump.mock.restore();
    return taken;
  };
  const KIB = 1_024;
  assert.deepEqual(await sizes(Array(20).fill(1), 1), [16, 4]);
  assert.deepEqual(await sizes(Array(6).fill(1), 2), [3, 2, 1]);
  assert.deepEqual(await sizes([32 * KIB, 32 * KIB, 1, 100 * KIB, 1], 1), [2, 1, 1, 1]);
});

const read = (answer: unknown, size = 10) => readRanges(Buffer.from(JSON.stringify(answer)), size);

test('ranges of comments are those of the text, in order', () => {
  const nested = [
    { start: 0, end: 10 },
    { start: 0, end: 4 },
    { start: 6, end: 8 },
  ];
  assert.deepEqual(read(nested), nested);
  assert.deepEqual(read([]), []);
  const wrong = [
    [{ start: 0, end: 11 }],
    [{ start: 4, end: 2 }],
    [{ start: -1, end: 2 }],
    [{ start: 0.5, end: 2 }],
    [{ start: '0', end: 2 }],
    [nested[2], nested[1]],
    [null],
    [3],
    null,
    { start: 0, end: 1 },
  ];
  for (const answer of wrong) assert.equal(read(answer), null, JSON.stringify(answer));
  assert.equal(readRanges(Buffer.from('[{'), 10), null);
});
