/**
 * Which blobs a remote has already: those that its own branches and tags reach, as it says itself at this moment. Tracking
 * refs say nothing, since they may be stale, and neither do its pull requests, which others may not see.
 */
import { childEnd, type Git, gitFailure } from '../git/process.js';

/** Those of `wanted` that `tips` reach, as far as their objects are here. Asks for nothing over the network. */
export async function reachableBlobs(
  git: Git,
  tips: readonly string[],
  wanted: Iterable<string>,
): Promise<Set<string>> {
  const left = new Set(wanted);
  const found = new Set<string>();
  // Most are in the tips' own trees, which take a hundredth of the time that all of history takes.
  for (const walk of [['--no-walk'], []]) {
    if (left.size === 0 || tips.length === 0) break;
    await walkObjects(git, walk, tips, (oid) => {
      if (left.delete(oid)) found.add(oid);
      return left.size > 0;
    });
  }
  return found;
}

/** Calls `visit` with every object until it returns false. Tips that are not here are passed over, gaps are as well. */
async function walkObjects(
  git: Git,
  options: readonly string[],
  tips: readonly string[],
  visit: (oid: string) => boolean,
): Promise<void> {
  const args = [
    ...['rev-list', '--objects', '--no-object-names', '--missing=print', '--ignore-missing', ...options],
    '--stdin',
  ];
  const child = git.spawn(args);
  const ended = childEnd(child);
  child.stdin.end(`${tips.join('\n')}\n`);
  let rest = '';
  let goesOn = true;
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    // A blob that a partial clone lacks is printed as ?OID: the remote has it all the same.
    goesOn = lines.every((line) => visit(line.startsWith('?') ? line.slice(1) : line));
    if (!goesOn) break;
  }
  if (!goesOn) child.kill('SIGKILL');
  const { code, stderr } = await ended;
  if (goesOn && code !== 0) throw gitFailure(args, code, stderr);
}
