/** Counters of a fleet's server, and what it logs of its maintenance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MaintainReport } from '../../../fleet/src/contract.js';
import { Maintenance } from '../../../fleet/src/http/maintenance.js';
import { Metrics } from '../../../fleet/src/http/metrics.js';
import { SocraticodeError } from '../../../src/base/errors.js';

test('requests are counted by route and status, and their times by upper bounds', () => {
  const metrics = new Metrics();
  metrics.answered('search', 200, 10);
  metrics.answered('search', 200, 10.1);
  metrics.answered('search', 503, 20_000);
  metrics.answered('file', 200, 1);
  metrics.add('publications');
  metrics.add('publications', 2);
  metrics.open = 3;
  const lines = metrics.text({ up: 1, views: 7 }).split('\n');
  const of = (part: string) =>
    lines.filter((line) => line.includes(part)).map((line) => line.replace('socraticode_fleet_', ''));
  assert.deepEqual(of('requests_total{'), [
    'requests_total{route="search",status="200"} 2',
    'requests_total{route="search",status="503"} 1',
    'requests_total{route="file",status="200"} 1',
  ]);
  assert.deepEqual(
    of('seconds_bucket{route="search"').map((line) => line.split('le=')[1]),
    [
      ...['"0.01"} 1', '"0.025"} 2', '"0.05"} 2', '"0.1"} 2', '"0.25"} 2', '"0.5"} 2', '"1"} 2', '"2.5"} 2', '"5"} 2'],
      ...['"10"} 2', '"+Inf"} 3'],
    ],
  );
  assert.match(of('seconds_sum{route="search"')[0], / 20\.02/);
  assert.deepEqual(of('seconds_count'), [
    'request_seconds_count{route="search"} 3',
    'request_seconds_count{route="file"} 1',
  ]);
  assert.deepEqual(of('publications_total'), ['# TYPE publications_total counter', 'publications_total 3']);
  assert.deepEqual(
    [...of('fleet_up'), ...of('fleet_views'), ...of('requests_open')],
    [...['# TYPE up gauge', 'up 1', '# TYPE views gauge', 'views 7', '# TYPE requests_open gauge', 'requests_open 3']],
  );
  assert.equal(lines.at(-1), '');
});

test('maintenance is counted as done, done elsewhere or failed, goes on after each, and ends when it is stopped', async () => {
  const report: MaintainReport = { orphans: 1, duplicates: 0, tombstones: 0, optimized: true, freedBytes: 5 };
  const answers = [
    () => report,
    () => null,
    () => {
      throw new SocraticodeError('FLEET_STORE', 'no');
    },
    () => {
      throw new Error('no');
    },
  ];
  const lines: string[] = [];
  const metrics = new Metrics();
  let runs = 0;
  let reached = () => {};
  const all = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const engine = {
    async maintain({
      now,
      orphansBefore,
      versionsBefore,
    }: {
      now: number;
      orphansBefore: number;
      versionsBefore: number;
    }) {
      assert.ok(orphansBefore < versionsBefore && versionsBefore < now);
      const answer = answers[runs++];
      if (runs === answers.length) reached();
      return (answer ?? (() => null))();
    },
  };
  const work = new Maintenance(engine, { metrics, write: (line) => void lines.push(line), first: 1, every: 1 });
  // A timer of the maintenance alone would not keep the process.
  const alive = setInterval(() => {}, 1_000);
  await all;
  await work.stop();
  clearInterval(alive);
  const text = metrics.text({});
  const count = (name: string) => Number(new RegExp(`fleet_${name}_total (\\d+)`).exec(text)?.[1] ?? 0);
  assert.deepEqual([count('maintenance'), count('maintenance_elsewhere'), count('maintenance_failures')], [1, 1, 2]);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ event, code, orphans }) => [event, code ?? orphans]),
    [
      ['maintenance', 1],
      ['maintenance', 'FLEET_STORE'],
      ['maintenance', 'INTERNAL'],
    ],
  );
});
