import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Arrow, Connection, Lance } from '../../fleet/src/engines/lance/packages.js';
import { checkStore } from '../../fleet/src/engines/lance/probe.js';

const SHORT = 'Invalid range 0..427 for object of size 426 bytes';

/** A store of one table. `faultOf`: why the commit of a writer, counted from 0, fails, or nothing. */
function check(faultOf: (writer: number) => string | null, rows: number | string): Promise<void> {
  let writers = 0;
  const table = {
    add() {
      const fault = faultOf(writers++);
      return fault === null ? Promise.resolve() : Promise.reject(new Error(fault));
    },
    checkoutLatest: async () => {},
    countRows: () => (typeof rows === 'number' ? Promise.resolve(rows) : Promise.reject(new Error(rows))),
  };
  const connection = { createEmptyTable: async () => table, openTable: async () => table, dropTable() {}, close() {} };
  const arrow = { Schema: class {}, Field: class {}, Uint32: class {} };
  return checkStore(async () => connection as unknown as Connection, {
    lance: { makeArrowTable: () => null } as unknown as Lance,
    arrow: arrow as unknown as Arrow,
  });
}

const isLost = (count: number) => ({
  code: 'FLEET_UNSAFE_STORE',
  message: `the store ignores conditional writes: ${count} of 12 simultaneous commits were lost`,
});

test('a store that keeps all commits is safe, one that loses some is not', async () => {
  await check(() => null, 12);
  await assert.rejects(
    check(() => null, 9),
    isLost(3),
  );
});

test('a commit that was overwritten while it was read counts as lost, whatever rows there are', async () => {
  await assert.rejects(
    check((writer) => (writer === 4 ? SHORT : null), 12),
    isLost(1),
  );
  await assert.rejects(
    check(() => null, SHORT),
    isLost(12),
  );
});

test('a store that does not answer is not called unsafe', async () => {
  await assert.rejects(
    check((writer) => (writer === 4 ? 'connection refused' : null), 12),
    { message: 'connection refused' },
  );
});
