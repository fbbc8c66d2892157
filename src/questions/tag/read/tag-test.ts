/** The filter `tag`: tests whether lines of a path have one of the tags. */
import { type TargetOptions, targetRef, workTreeUse } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { placesOf, readTags } from './read-tags.js';

type Lines = readonly [start: number, end: number];

/** Throws BAD_ARGUMENT for a tag that neither a rule nor anybody gives. */
export async function tagTest(
  at: Asker,
  tags: readonly string[],
  options: TargetOptions,
): Promise<(path: string, startLine: number, endLine: number) => boolean> {
  const committed = options.committed === true || workTreeUse(options) !== 'included';
  const read = await readTags(at, { ref: targetRef(options), committed });
  const linesOf = (names: readonly string[]) => {
    const lines = new Map<string, Lines[]>();
    for (const place of names.flatMap((name) => placesOf(read, name))) {
      const range: Lines = place.lines === null ? [1, Number.POSITIVE_INFINITY] : [place.lines.start, place.lines.end];
      const known = lines.get(place.path);
      if (known === undefined) lines.set(place.path, [range]);
      else known.push(range);
    }
    return lines;
  };
  const wanted = tags.filter((tag) => !tag.startsWith('!'));
  const [has, lacks] = [linesOf(wanted), linesOf(tags.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)))];
  const meets = (lines: ReadonlyMap<string, readonly Lines[]>, path: string, first: number, last: number) =>
    lines.get(path)?.some(([start, end]) => first <= end && last >= start) === true;
  return (path, first, last) =>
    (wanted.length === 0 || meets(has, path, first, last)) && !meets(lacks, path, first, last);
}
