/** A process that writes notes, ten targets a commit: `node notes-writer.js DIR REF TARGET…`. */
import { writeNotes } from '../../../src/git/notes.js';
import { openRepository } from '../../../src/git/repository.js';

const [directory, ref, ...targets] = process.argv.slice(2);
const repository = await openRepository(directory);
for (let at = 0; at < targets.length; at += 10) {
  const entries = targets.slice(at, at + 10).map((target) => ({ target, note: Buffer.from(`note ${target}`) }));
  await writeNotes(repository, ref, entries);
}
