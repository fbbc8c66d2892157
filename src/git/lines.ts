/** Lines that git prints, read as they come: there can be millions. */
import { childEnd, type Git, gitFailure } from './process.js';

/** Yields them in groups, as bytes written as Latin-1. A caller that leaves ends git. Throws as `Git.run` does. */
export async function* linesOf(
  git: Git,
  args: readonly string[],
  signal?: AbortSignal,
): AsyncGenerator<string[], void> {
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  // Awaited below; until then a rejection must not count as unhandled.
  ended.catch(() => {});
  child.stdin.end();
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    yield lines;
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
}
