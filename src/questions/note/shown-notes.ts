/** Finds the notes on code that an answer shows. */
import { log } from '../../base/log.js';
import { cut } from '../../graph/query/node-place.js';
import { resolveAnchor } from '../../knowledge/resolve-anchors.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { AnchoredFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import type { ShownNotes, ShownPlace } from '../shown-knowledge.js';
import { type NoteSet, readNoteSet } from './notes.js';

/** Most notes that an answer lists. */
const LISTED = 3;
/** Most notes on the shown files that are looked up, the latest first. */
const MAX_HERE = 200;
/** Most notes on missing files that are looked up: their code may have moved here. */
const MAX_ELSEWHERE = 50;
/** Longest text of a note, in UTF-16 code units. */
const MAX_LINE = 160;

export async function findMentions(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  snapshot: { ref?: string; committed?: boolean },
  places: readonly ShownPlace[],
): Promise<ShownNotes | null> {
  try {
    const open = (await readNoteSet(session)).notes.filter(({ settled }) => settled === null);
    const includesWork = workTreeUse(snapshot) === 'included';
    const files = new AnchoredFiles(
      session,
      await session.origin(snapshot.ref, { unborn: includesWork }),
      includesWork,
    );
    const found: ShownNotes['list'] = [];
    for (const note of await candidates(files, open, new Set(places.map(({ path }) => path)))) {
      signal.throwIfAborted();
      const { status, path, lines } = await resolveAnchor(files, note.anchor);
      const isShown = places.some((place) => place.path === path && meets(place, lines));
      const { id, text, author } = note;
      if (path !== null && isShown)
        found.push({
          id,
          place: `${path}${lines === null ? '' : `:${lines.start}`}`,
          by: byOf(author),
          status,
          text: oneLine(text),
        });
    }
    return found.length === 0 ? null : cut(found, LISTED);
  } catch (error) {
    signal.throwIfAborted();
    log.debug(`notes are not told: ${(error as Error).message}`);
    return null;
  }
}

type Note = NoteSet['notes'][number];

/** Notes on the shown files, and notes on files that no longer exist. */
async function candidates(files: AnchoredFiles, notes: readonly Note[], shown: ReadonlySet<string>): Promise<Note[]> {
  const here = notes.filter(({ anchor }) => shown.has(anchor.path)).slice(-MAX_HERE);
  const others = notes.filter(({ anchor }) => !shown.has(anchor.path)).slice(-MAX_ELSEWHERE);
  const moved: Note[] = [];
  for (const note of others) if ((await files.read(note.anchor.path)) === null) moved.push(note);
  return [...here, ...moved];
}

function meets({ startLine, endLine }: ShownPlace, lines: { start: number; end: number } | null): boolean {
  if (lines === null || startLine === undefined) return true;
  return lines.start <= (endLine ?? startLine) && lines.end >= startLine;
}

const byOf = ({ name, by }: Note['author']): string => (by === 'agent' ? `an agent of ${name}` : name);

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
