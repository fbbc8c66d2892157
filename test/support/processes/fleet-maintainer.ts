/**
 * A process that looks after a store once: `node fleet-maintainer.js ADDRESS HOLDER NOW STOP AT`. Before its write number AT into a table it kills
 * itself (`SIGKILL`) or stops (`SIGSTOP`), which it tells in a line. It ends with the number of its writes on its output.
 */
import { writeSync } from 'node:fs';
import { loadPackages, type Table } from '../../../fleet/src/engines/lance/packages.js';
import { openEngine } from '../../../fleet/src/open.js';
import { PROFILE } from '../../fleet/made.js';
import { makeDirectory } from '../repositories/repo.js';

const [address, holder, now, stop, at] = process.argv.slice(2);
let writes = 0;
const db = await loadPackages().lance.connect(makeDirectory('table'));
const methods = Object.getPrototypeOf(await db.createTable('any', [{ number: 1 }]));
db.close();
for (const name of ['add', 'delete', 'update', 'optimize', 'createIndex', 'dropIndex'] as const) {
  const usual = methods[name] as (...values: unknown[]) => Promise<unknown>;
  methods[name] = function written(this: Table, ...values: unknown[]) {
    if (writes++ === Number(at)) {
      writeSync(1, `before ${name} of ${this.name}\n`);
      process.kill(process.pid, stop);
    }
    return usual.apply(this, values);
  };
}
const engine = await openEngine(address, PROFILE, { probe: false });
const ages = { orphansBefore: 5_000, versionsBefore: Number(now), graceMs: 0 };
const report = await engine.maintain({ holder, now: Number(now), ...ages, force: true });
await engine.close();
writeSync(1, `${report === null ? 'elsewhere' : 'done'} ${writes}\n`);
process.exit(0);
