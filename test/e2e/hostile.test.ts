/** Hostile content: records that lie, names that attack, secrets that must not travel. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { IndexReport, SearchResponse } from '../../src/engine/contract.js';
import type { BlobFacts, CodeSymbol } from '../../src/extract/facts.js';
import { noRelations } from '../../src/extract/relations.js';
import { decodeSyntaxRecord, encodeSyntaxRecord } from '../../src/record/codec.js';
import { cli, cliJson } from '../support/cli.js';
import { createRepo, runGit, type TestRepo } from '../support/repo.js';
import { manyFiles, PROJECT } from '../support/samples.js';

const note = (repo: TestRepo, oid: string) => runGit(['cat-file', 'blob', oid], { cwd: repo.dir });

/** Replaces every note by what `forge` makes of it. */
function forgeNotes(repo: TestRepo, forge: (oid: string, bytes: Buffer, index: number) => Uint8Array): void {
  const notes = repo.notes();
  const ref = repo.notesRef;
  let index = 0;
  const lines = [...notes].map(([target, noteOid]) => {
    const forged = repo.blob(forge(target, note(repo, noteOid), index++));
    return `100644 ${forged}\t${target.slice(0, 2)}/${target.slice(2, 4)}/${target.slice(4)}\n`;
  });
  const env = { GIT_INDEX_FILE: join(repo.commonDir, 'forge-index') };
  runGit(['update-index', '--index-info'], { cwd: repo.dir, env, input: lines.join('') });
  const tree = runGit(['write-tree'], { cwd: repo.dir, env }).toString().trim();
  repo.git('update-ref', ref, repo.git('commit-tree', '-m', 'forged', tree));
}

/** A fresh clone that has nothing but the notes. */
function cloneWithNotes(repo: TestRepo): TestRepo {
  const clone = createRepo();
  clone.git('fetch', '-q', repo.dir, 'main', '+refs/notes/*:refs/notes/*');
  clone.git('reset', '-q', '--hard', 'FETCH_HEAD');
  return clone;
}

function assertRealText(repo: TestRepo, response: SearchResponse): void {
  for (const { path, startLine, endLine, content } of response.results) {
    const blob = repo.git('show', `HEAD:${path}`);
    assert.ok(blob.includes(content ?? 'nothing'), path);
    const lines = blob
      .split('\n')
      .slice(startLine - 1, endLine)
      .join('\n');
    assert.ok(lines.includes((content ?? '').trim()) || (content ?? '').includes(lines.trim()), `${path}:${startLine}`);
  }
}

/** Facts that stay valid and say something else. */
function shifted(facts: BlobFacts, index: number): BlobFacts {
  const chunks = structuredClone(facts.chunks);
  const end = chunks.at(-1)?.end ?? 0;
  const evil = { start: 0, end: Math.max(1, end), startLine: 1, endLine: 9_999, kind: 'class', symbol: 0 } as const;
  const symbol: CodeSymbol = {
    ...{ name: '\u202eevil\u001b[2J', kind: 'class', container: -1, exported: true, start: 0, end: Math.min(1, end) },
    ...{ startLine: 1, endLine: 9_999, nameStart: 0, signature: { start: 0, end: Math.min(1, end) }, doc: null },
  };
  if (index % 3 === 0)
    return { lines: 9_999, chunks: [{ ...evil }], symbols: [symbol], generated: true, relations: noRelations() };
  if (index % 3 === 1) {
    const half = Math.max(1, end >> 1);
    const second = { ...evil, start: half, end: half * 400 + 7, startLine: 5_000 };
    return {
      lines: 9_999,
      chunks: [{ ...evil, end: half, endLine: 5_000 }, second],
      symbols: [symbol],
      generated: false,
      relations: noRelations(),
    };
  }
  return { lines: 0, chunks: [], symbols: [], generated: false, relations: noRelations() };
}

test('S2: text comes from the blobs, whatever valid records say', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  await cliJson<IndexReport>(['index'], { cwd: repo.dir });
  forgeNotes(repo, (oid, bytes, index) => {
    const decoded = decodeSyntaxRecord(bytes, oid);
    assert.ok(decoded.ok && 'facts' in decoded.record);
    const [[language, facts]] = Object.entries(decoded.record.facts);
    return encodeSyntaxRecord(oid, { facts: { [language]: shifted(facts, index) } });
  });
  const clone = cloneWithNotes(repo);
  for (const query of ['rememberToken', 'step2Of3', 'part', 'evil', 'depot']) {
    const { code, stdout, stderr } = await cli(['search', query, '--limit', '50', '--json'], { cwd: clone.dir });
    assert.ok(code === 0 || code === 1, stderr);
    assertRealText(clone, JSON.parse(stdout) as SearchResponse);
    const text = await cli(['search', query], { cwd: clone.dir });
    assert.ok(!text.stdout.includes('\u001b') && !text.stdout.includes('\u202e'));
  }
});

test('S2: garbage, foreign and newer records are derived again', async () => {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  await cliJson(['index'], { cwd: repo.dir });
  const clean = repo.notesTree();
  const first: { bytes: Uint8Array } = { bytes: Buffer.alloc(0) };
  forgeNotes(repo, (_, bytes, index) => {
    if (index === 0) first.bytes = bytes;
    const flipped = Buffer.from(bytes);
    flipped[flipped.length >> 1] ^= 0x40;
    const newer = Buffer.from(bytes);
    newer[5] = 23;
    return [Buffer.from('not a record'), first.bytes, flipped, Buffer.alloc(0), bytes.subarray(0, 40), newer][
      index % 6
    ];
  });
  const clone = cloneWithNotes(repo);
  const { code, stdout, stderr } = await cli(['search', 'rememberToken', '--json'], { cwd: clone.dir });
  assert.equal(code, 0);
  assert.match(stderr, /unusable records were derived again/);
  const response = JSON.parse(stdout) as SearchResponse;
  assert.deepEqual([response.results[0].path, response.coverage], ['src/session.ts', { covered: 24, total: 24 }]);
  assertRealText(clone, response);
  assert.equal(clone.notesTree(), clean);
});

const NAMES: (string | Buffer)[] = [
  ...['../evil.ts', '.git/evil.ts', '..', '.', '.GIT', '/etc/evil.ts', '-rf.ts', '--help', 'new\nline.ts'],
  ...['tab\there.ts', '\u001b[2Jescape.ts', '\u202egnp.ts', 'quote".ts', "it's.ts", ':(top)magic.ts', 'zero\u200b.ts'],
  ...['\ufeffbom.ts', 'back\\slash.ts', '$(touch sung).ts', '%s%n.ts', '{query}.ts', 'con.ts', 'a'.repeat(250)],
  Buffer.from([0xff, 0xfe, 0x2e, 0x74, 0x73]),
];

test('S7: hostile names: nothing is written outside, everything is shown escaped', async () => {
  const repo = createRepo();
  const oid = repo.blob('export function hostileName(): number {\n  return 1;\n}\n');
  const other = repo.blob('export function secondName(): number {\n  return 2;\n}\n');
  const entries = NAMES.map((name, i) => ({ name, oid: i % 2 ? oid : other }));
  entries.push({ name: '.gitattributes', oid: repo.blob('* linguist-generated\n"quoted\\n" x\n[attr]y z\n!neg -a\n') });
  repo.commitTree(repo.rawTree(entries), 'refs/heads/main');
  const before = readdirSync(dirname(repo.dir)).sort();
  const report = await cliJson<IndexReport>(['index', '--ref', 'main'], { cwd: repo.dir });
  assert.equal(report.skipped['unsafe-path'], 6);
  const asked = ['search', 'hostileName secondName', '--ref', 'main', '--limit', '50'];
  const text = await cli(asked, { cwd: repo.dir });
  assert.equal(text.code, 0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not be there
  assert.doesNotMatch(text.stdout, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\ufeff]/);
  const json = await cli([...asked, '--json'], { cwd: repo.dir });
  assert.doesNotMatch(json.stdout, /[\u200b-\u200f\u202a-\u202e\ufeff]/);
  const paths = (JSON.parse(json.stdout) as SearchResponse).results.flatMap((result) => result.paths);
  assert.equal(new Set(paths).size, NAMES.length - 6);
  assert.ok(paths.includes('new\nline.ts') && paths.includes('\\xff\\xfe.ts') && paths.includes('-rf.ts'));
  assert.ok(!paths.some((path) => path.includes('../') || path.toLowerCase().startsWith('.git/')));
  assert.deepEqual(readdirSync(dirname(repo.dir)).sort(), before);
  assert.equal(existsSync(join(repo.dir, 'sung')), false);
  assert.equal((await cli(['status', '--ref', 'main'], { cwd: repo.dir })).code, 0);
});

test('S8: no secret reaches notes or shards', async () => {
  const repo = createRepo();
  const secret = (n: number) => `canary${n}secretvalue`;
  const pem = (n: number) => `-----BEGIN RSA PRIVATE KEY-----\n${secret(n)}\n-----END RSA PRIVATE KEY-----\n`;
  const files: Record<string, string> = {
    ...{ '.env': `API_KEY=${secret(0)}\n`, '.env.local': `A=${secret(1)}\n`, 'config/prod.env': `B=${secret(2)}\n` },
    ...{ id_rsa: secret(3), '.ssh/config': secret(4), 'tls/server.pem': secret(5), 'tls/server.key': secret(6) },
    ...{ 'notes.txt': pem(7), 'docs/key.md': `\n${pem(8)}`, '.npmrc': `//r/:_authToken=${secret(9)}\n` },
    ...{ '.netrc': secret(10), 'secrets.yml': `a: ${secret(11)}\n`, ID_RSA: secret(12), 'x/.ENV': secret(13) },
    ...{ 'my-credentials.json': `{"k":"${secret(14)}"}`, 'store.p12': secret(15), 'terraform.tfstate': secret(16) },
  };
  repo.commit({ ...PROJECT, ...files, '.env.example': 'API_KEY=publicplaceholder\n' });
  const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
  assert.equal(report.skipped.secret, Object.keys(files).length);
  const local = (readdirSync(repo.state, { recursive: true }) as string[])
    .filter((name) => /\.(bin|json)$/.test(name))
    .map((name) => readFileSync(join(repo.state, name), 'latin1'));
  const notes = [...repo.notes().values()].map((oid) => note(repo, oid).toString('latin1'));
  for (const text of [...local, ...notes]) assert.doesNotMatch(text, /canary\d+secretvalue/);
  assert.ok(local.some((text) => text.includes('publicplaceholder')));
  assert.equal((await cli(['search', 'canary3secretvalue'], { cwd: repo.dir })).code, 1);
});
