/**
 * Checks whether a store preserves every commit. LanceDB numbers its commits, and relies on a PUT with `If-None-Match: *` to
 * give each number to one process alone. A bucket that ignores this header loses commits without an error: 80 of 240 rows in a
 * test. So many connections add rows at the same time, and all rows must be there afterwards.
 */
import { randomBytes } from 'node:crypto';
import { SocraticodeError } from '../../internal.js';
import { isDamage } from './faults.js';
import type { Arrow, Connection, Lance } from './packages.js';

const WRITERS = 12;

/** Throws FLEET_UNSAFE_STORE if commits are lost. */
export async function checkStore(
  connect: () => Promise<Connection>,
  { lance, arrow }: { lance: Lance; arrow: Arrow },
): Promise<void> {
  const schema = new arrow.Schema([new arrow.Field('writer', new arrow.Uint32(), false)]);
  const name = `probe_${randomBytes(6).toString('hex')}`;
  const db = await connect();
  try {
    const table = await db.createEmptyTable(name, schema, { mode: 'create' });
    const connections = await Promise.all(Array.from({ length: WRITERS }, connect));
    const tables = await Promise.all(connections.map((each) => each.openTable(name)));
    const added = tables.map((each, writer) => each.add(lance.makeArrowTable([{ writer }], { schema })));
    const failed = (await Promise.all(added.map(overwritten))).filter((isOverwritten) => isOverwritten).length;
    let committed = 0;
    const count = async () => {
      await table.checkoutLatest();
      committed = await table.countRows();
    };
    const isUnreadable = await overwritten(count());
    for (const each of connections) each.close();
    await db.dropTable(name);
    if (isUnreadable || failed > 0 || committed < WRITERS) {
      const lost = `${Math.max(WRITERS - committed, failed)} of ${WRITERS} simultaneous commits were lost`;
      throw new SocraticodeError('FLEET_UNSAFE_STORE', `the store ignores conditional writes: ${lost}`);
    }
  } finally {
    db.close();
  }
}

/**
 * True if `work` read a file that changed meanwhile. Where conditions work, a file of a table is written once, so another
 * commit has overwritten it.
 */
async function overwritten(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (isDamage(error)) return true;
    throw error;
  }
}
