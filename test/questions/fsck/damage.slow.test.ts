/** Random damage: fsck finds it or no answer is another one, and after a repair the index is as if nothing had been. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { LONG } from '../../support/campaigns/long.js';
import { pick, type Random, randomFrom } from '../../support/generated/random.js';
import { inProcess } from '../../support/in-process/search.js';
import type { TestRepo } from '../../support/repositories/repo.js';
import { check, copyOfStock, faultsOf, filesOf, indexOf, noteBytes, stock, writeNote } from './stock.js';

const ROUNDS = LONG?.sizes.rounds ?? 2;
/** What is believed of the local state. */
const BELIEVED = /(?:manifest\.json|state\.json|\.bin)$/;

function mutate(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  const at = random(Math.max(1, bytes.length));
  const changes = [
    () => (copy.length > 0 ? copy.fill(copy[at] ^ (1 << random(8)), at, at + 1) : Buffer.from('x')),
    () => copy.subarray(0, at),
    () => copy.fill(random(256), at, Math.min(copy.length, at + 1 + random(64))),
    () => Buffer.concat([copy, Buffer.alloc(1 + random(64), random(256))]),
    () => Buffer.concat([copy.subarray(0, at), copy.subarray(at + 1)]),
    () => Buffer.alloc(0),
  ];
  return pick(random, changes)();
}

async function damageNote(repo: TestRepo, random: Random): Promise<string> {
  const targets = [...repo.notes().keys()];
  const target = pick(random, targets);
  const others = targets.filter((each) => each !== target);
  const own = await noteBytes(repo, target);
  let note = random(4) === 0 ? await noteBytes(repo, pick(random, others)) : own;
  while (note.equals(own)) note = mutate(own, random);
  await writeNote(repo, [{ target, note }]);
  return `note of ${target}`;
}

function damageFile(repo: TestRepo, random: Random): string {
  const path = pick(random, filesOf(repo, BELIEVED));
  const kinds = [
    () => writeFileSync(path, mutate(readFileSync(path), random)),
    () => rmSync(path),
    () => writeFileSync(path, readFileSync(pick(random, filesOf(repo, BELIEVED)))),
  ];
  pick(random, [kinds[0], kinds[0], ...kinds])();
  return path.slice(repo.dir.length);
}

const answer = (repo: TestRepo) =>
  inProcess(repo, async (process) => {
    const answers = [];
    for (const query of ['rememberToken', 'SecondShard draw', 'step3Of5 uncommittedDraft'])
      for (const ref of [undefined, 'HEAD']) answers.push((await process.search(query, { ref, limit: 5 })).results);
    return JSON.stringify(answers);
  });

test(`${ROUNDS} rounds of random damage`, async () => {
  const random = randomFrom(LONG?.sizes.seed ?? 3);
  // One shard: whatever is lost, a build of HEAD makes the same again.
  const repo = await copyOfStock(1);
  const [index, expected] = [indexOf(await stock(1)), await answer(await copyOfStock(1))];
  for (let round = 0; round < ROUNDS; round++) {
    const done: string[] = [];
    for (let i = 0; i <= random(3); i++)
      done.push(random(3) === 0 ? await damageNote(repo, random) : damageFile(repo, random));
    const what = `round ${round}: ${done.join(', ')}`;
    const report = await check(repo);
    if (report.ok) assert.equal(await answer(repo), expected, what);
    const repaired = await check(repo, { repair: true });
    assert.deepEqual([repaired.ok, faultsOf(repaired)], [true, {}], what);
    assert.deepEqual(indexOf(repo), index, what);
    assert.equal(await answer(repo), expected, what);
  }
  assert.ok(existsSync(repo.state));
});
