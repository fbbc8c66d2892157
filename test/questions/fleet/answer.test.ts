/** Texts of a fleet: its repositories, a file, tokens, maintenance, and what was published. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { questionNamed } from '../../../src/questions/asker.js';
import {
  answerFleetSearch,
  fleetFileText,
  fleetReposText,
  fleetText,
  fleetTokensText,
  publishText,
} from '../../../src/questions/fleet/answer.js';
import { askFleet } from '../../../src/questions/fleet/package.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { writtenText } from '../../../src/questions/view.js';

const pen = plainPen(COMMAND_WORDS);
const VIEW = {
  repo: 'acme/shop',
  ref: 'main',
  commit: '0123456789abcdef',
  publishedAt: '2024-01-02T03:04:05Z',
  coverage: { covered: 1, total: 1 },
};

test('repositories have a line each, with six other refs at most', () => {
  const repos = (results: object[], rest: object = {}) =>
    fleetReposText({ results, resultsLeftOut: 0, damaged: 0, ...rest } as never, { pen })
      .split('\n')
      .slice(0, -1);
  const repository = (refs: string[], refsLeftOut = 0) => ({ ...VIEW, files: 1, refs, refsLeftOut });
  const behind = (refs: string[], refsLeftOut = 0) => repos([repository(refs, refsLeftOut)])[0].split(', 1 path')[1];
  assert.equal(behind(['main']), '');
  assert.equal(behind(['main', 'a', 'b']), '; also a, b');
  assert.equal(behind(['main', ...'abcdef']), '; also a, b, c, d, e, f');
  assert.equal(behind(['main', ...'abcdefgh'], 3), '; also a, b, c, d, e, f and 5 more');
  assert.deepEqual(repos([], { resultsLeftOut: 1, damaged: 2 }), [
    'the fleet has no repository that you may read',
    '… 1 more repository',
    '2 damaged until they publish again',
  ]);
});

test('a file is shown with its lines, or with its definitions', () => {
  const file = (rest: object) => fleetFileText({ ...VIEW, path: 'a.ts', ...rest } as never, { pen }).split('\n');
  const [heading, , ...lines] = file({ content: 'one\ntwo', startLine: 3, endLine: 4, lines: 9 });
  assert.deepEqual([heading, lines], ['acme/shop:a.ts:3-4 of 9', ['3:one', '4:two', '']]);
  const symbols = [{ startLine: 1, endLine: 2, symbol: 'f', kind: 'function' }];
  const [whole, , ...outline] = file({ symbols });
  assert.deepEqual([whole, outline], ['acme/shop:a.ts', ['1-2 f function', '']]);
  assert.deepEqual(file({}).slice(2), ['1:', '']);
});

test('the fleet of a server stays open after a question, also one that fails', async () => {
  let closed = 0;
  const fleet = { name: 'ours', close: async () => void closed++ };
  const at = { fleet } as unknown as Parameters<typeof askFleet>[0];
  const name = await askFleet(at, async (asked) => (asked as unknown as typeof fleet).name);
  await assert.rejects(
    askFleet(at, async () => {
      throw new Error('no');
    }),
  );
  assert.deepEqual([name, closed], ['ours', 0]);
});

test('the text of a file keeps its lines, and shows what else could move the cursor', async () => {
  const write = await (await questionNamed('fleet file'))?.text();
  const document = { ...VIEW, path: 'a\n.ts', lines: 2, startLine: 1, endLine: 2, content: 'one\ntwo\u001b' };
  const written = write?.(document as never, { pen, values: {}, isCommand: true } as never) ?? '';
  const lines = writtenText(written, pen).split('\n');
  assert.deepEqual([lines[0], ...lines.slice(2)], ['acme/shop:a\\n.ts:1-2 of 2', '1:one', '2:two\\x1b', '']);
});

test('tokens are listed with what they may do; a new one stands alone in the first line', () => {
  const row = (name: string, read: string[], publish: string[]) => ({ name, read, publish });
  const told = (rest: object) => fleetTokensText(rest as never, { pen });
  assert.equal(told({ action: 'list', tokens: [] }), 'no token\n');
  const tokens = [row('ci', [], ['acme/*']), row('ann', ['a', 'b'], [])];
  const lines = 'ci  reads nothing; publishes acme/*\nann  reads a, b; publishes nothing\n';
  assert.equal(told({ action: 'list', tokens }), lines);
  assert.equal(told({ action: 'revoke', tokens }), `revoked; left:\n${lines}`);
  assert.match(
    told({ action: 'add', tokens, token: 'secret' }),
    /^secret\nann {2}reads a, b; publishes nothing\nThe file has only its hash/,
  );
});

test('each action of maintenance says what it found or did', () => {
  const told = (report: object) => fleetText({ at: 'file:///x', profile: 'p1', ...report } as never);
  const tables = { units: { rows: 1_200, bytes: 2_048, unindexed: 3 }, views: { rows: 1, bytes: null, unindexed: 0 } };
  assert.equal(
    told({ action: 'status', repositories: 1, refs: 2, tables, maintainer: { holder: 'h', until: 'u' } }),
    `file:///x, profile p1
1 repository, 2 refs
units   1,200 rows, 2.0 KB, 3 not indexed yet
views   1 rows
maintained by h until u
`,
  );
  assert.match(
    told({ action: 'status' }),
    /^file:\/\/\/x, profile p1\n0 repositories, 0 refs\nmaintained by nobody now\n$/,
  );
  assert.equal(told({ action: 'init', created: true }), 'file:///x: made the tables of profile p1\n');
  assert.equal(told({ action: 'init', created: false }), 'file:///x: the tables are there of profile p1\n');
  assert.equal(told({ action: 'maintain' }), 'another process maintains this store\n');
  const maintained = { orphans: 1, duplicates: 2, tombstones: 1, optimized: true, freedBytes: 2_048 };
  assert.equal(
    told({ action: 'maintain', maintained }),
    'removed 1 unused content, 2 surplus rows, 1 deleted ref\noptimized; 2.0 KB freed\n',
  );
  assert.equal(
    told({ action: 'maintain', maintained: { ...maintained, optimized: false } }).split('\n')[1],
    '2.0 KB freed',
  );
  assert.equal(told({ action: 'drop', dropped: { repo: 'acme/shop', refs: 1 } }), 'removed acme/shop: 1 ref\n');
  assert.equal(told({ action: 'fsck', checked: 1 }), 'checked 1 content: nothing is wrong\n');
  const damaged = [{ repo: 'a', ref: 'r', problem: 'gone' }];
  assert.equal(told({ action: 'fsck', damaged }), 'a r: gone\nPublish these refs again.\n');
  assert.equal(
    told({ action: 'fsck', damaged, faults: ['bad'] }),
    'bad\na r: gone\nThe store needs new tables: git socraticode fleet rebuild\n',
  );
  const rebuilt = { copied: 1, published: 2, left: [], unreadable: null, switched: true };
  assert.equal(
    told({ action: 'rebuild', rebuilt }),
    'copied 1 ref, published 2 refs from clones; the store uses the new tables\n',
  );
  assert.equal(
    told({ action: 'rebuild', rebuilt: { ...rebuilt, left: damaged, unreadable: 'broken', switched: false } }),
    `the old tables cannot be opened: broken
a r: gone
copied 1 ref, published 2 refs from clones; the old tables stay in use, since refs are left: name clones that have them, or force it
`,
  );
});

test('each ref that was published says how it ended, and a named fleet how to ask it', () => {
  const ref = (outcome: string, rest: object = {}) => ({
    ...{ ref: 'main', commit: '0123456789abcdef', outcome, missing: 0, sentBytes: 0, covered: 3, total: 3, ...rest },
  });
  const told = (refs: object[], values: object = {}) =>
    publishText({ repo: 'acme/shop', to: "http://it's", refs } as never, { values } as never);
  const said = (outcome: string, rest: object = {}) => /: (.*)\n$/.exec(told([ref(outcome, rest)]))?.[1];
  assert.equal(told([]), "acme/shop -> http://it's\nnothing to publish: no branch matches\n");
  assert.equal(told([ref('unchanged')]), "acme/shop -> http://it's\nmain 0123456789: up to date\n");
  assert.equal(said('published'), 'published, every file was there');
  assert.equal(said('published', { missing: 1, sentBytes: 2_048 }), 'published, 1 file sent, 2.0 KB');
  assert.equal(said('published', { covered: 1 }), 'published, every file was there; 2 of 3 files are left out');
  assert.equal(said('planned', { missing: 2 }), '2 files would be sent');
  assert.equal(said('superseded'), 'superseded: the fleet has a newer commit');
  assert.equal(said('deleted'), 'removed from the fleet');
  assert.match(
    told([ref('published')], { to: 'x' }),
    /\nask it: SOCRATICODE_FLEET_URL='http:\/\/it'\\''s' git socraticode search --fleet WORDS\n$/,
  );
  assert.doesNotMatch(told([ref('unchanged')], { to: 'x' }), /ask it/);
});

test('what is about one repository is refused in a search of the fleet', async () => {
  const asked: unknown[] = [];
  const fleet = { search: async (request: object) => asked.push(request) };
  const search = (values: object) => answerFleetSearch({} as never, fleet as never, values as never);
  for (const [values, option] of [
    [{ query: 'x', in: 'main..x' }, '--in'],
    [{ query: 'x', allRefs: true }, '--all-refs'],
    [{ query: 'x', author: 'ann' }, '--author'],
    [{ query: 'x is:test' }, '--is'],
  ] as const)
    await assert.rejects(
      search(values),
      { code: 'BAD_ARGUMENT', message: `${option} is about one repository` },
      option,
    );
  assert.deepEqual(asked, []);
});
