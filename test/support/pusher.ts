/** A process that pushes a clone's notes: `node pusher.js DIR`. Prints the attempts it took. */
import { pushNotes } from '../../src/share/push.js';
import { TestRepo } from './repo.js';
import { SHELF, sharedOf } from './share.js';

const shared = await sharedOf(new TestRepo(process.argv[2]));
const { attempts } = await pushNotes(shared, 'origin', [SHELF]);
process.stdout.write(String(attempts));
