/**
 * Finds out whether a store keeps every commit. LanceDB numbers its commits, and relies on a PUT with `If-None-Match: *` to give
 * each number to one process alone. A bucket that ignores this header loses commits without any error: 80 of 240 rows in a
 * test. So many connections add rows at the same time, and all of the rows must be there afterwards.
 */
import { randomBytes } from 'node:crypto';
import { SocraticodeError } from '../../../base/errors.js';
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
    await Promise.all(tables.map((each, writer) => each.add(lance.makeArrowTable([{ writer }], { schema }))));
    await table.checkoutLatest();
    const kept = await table.countRows();
    for (const each of connections) each.close();
    await db.dropTable(name);
    if (kept < WRITERS) {
      const lost = `${WRITERS - kept} of ${WRITERS} simultaneous commits were lost`;
      throw new SocraticodeError('FLEET_UNSAFE_STORE', `the store ignores conditional writes: ${lost}`);
    }
  } finally {
    db.close();
  }
}
