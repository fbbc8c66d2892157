/** A process that notes blobs and pushes a clone's notes, one by one: `node pusher.js DIR REMOTE BLOB…`. Prints the attempts it took in all. */
import { pushNotes } from '../../../src/share/push.js';
import { TestRepo } from '../repositories/repo.js';
import { note, SELECTOR, sharedOf } from '../repositories/share.js';

const [directory, remote, ...blobs] = process.argv.slice(2);
const repo = new TestRepo(directory);
const shared = await sharedOf(repo);
let sum = 0;
for (const blob of blobs) {
  await note(repo, [blob]);
  sum += (await pushNotes(shared, remote, [SELECTOR])).attempts;
}
process.stdout.write(String(sum));
