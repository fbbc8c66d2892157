/** Uses of accessors are reads and writes, and those of functions are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerReferences } from '../../../../src/questions/graph/references/answer.js';
import type { GraphReferencesResponse } from '../../../../src/questions/graph/references/question.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { createRepo } from '../../../support/repositories/repo.js';

const CART =
  'export class Cart {\n  private sum = 0;\n  get total(): number {\n    return this.sum;\n  }\n  set total(sum: number) {\n    this.sum = sum;\n  }\n  plain(): number {\n    return 1;\n  }\n}\n';
const USE =
  "import { Cart } from './cart';\nexport function run(): unknown {\n  const a = new Cart();\n  const b = new Cart();\n  a.total = b.total;\n  return [a.total, a.plain];\n}\n";

test('reads and writes of a getter and its setter, two on one line too', async () => {
  const repo = createRepo();
  repo.commit({ 'cart.ts': CART, 'use.ts': USE });
  const session = await Session.open({ directory: repo.dir });
  try {
    const ask = async (name: string) => {
      const values = { name, limit: 20 } as never;
      const answer = await answerReferences(askerOf(session, { directory: repo.dir }), values);
      return (answer as GraphReferencesResponse).uses.list.map(({ line, kind, text }) => `${line} ${kind} ${text}`);
    };
    const accesses = (await ask('Cart.total')).filter((use) => use.includes('total'));
    assert.deepEqual(accesses.sort(), ['5 read b.total', '5 write a.total', '6 read a.total']);
    assert.ok((await ask('Cart.plain')).includes('6 value a.plain'));
  } finally {
    await session.close();
  }
});
