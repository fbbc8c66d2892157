/** Bytes of kept commits: JSON with tables of the texts that repeat. */
import type { KeptCommit } from './change-log.js';

/** Raised when the meaning of the bytes changes; files of another version are made anew. */
const FORMAT = 2;

type Row = [
  commit: string,
  parents: readonly string[],
  time: number,
  authored: number,
  author: number,
  email: number,
  subject: string,
  body: string,
  files: number,
  paths: number[],
  renames: [from: number, to: number][],
];

interface Kept {
  format: number;
  texts: string[];
  rows: Row[];
}

/** Commits whose files are unknown cannot be kept. */
export function encodeCommits(commits: readonly KeptCommit[]): Buffer {
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const rows = commits.map((one): Row => {
    const { commit, parents, time, authored, author, email, subject, body, files, paths, renames } = one;
    const people = [numberOf(author), numberOf(email)] as const;
    const moved = renames.map(([from, to]): [number, number] => [numberOf(from), numberOf(to)]);
    return [commit, parents, time, authored, ...people, subject, body, files ?? 0, paths.map(numberOf), moved];
  });
  return Buffer.from(JSON.stringify({ format: FORMAT, texts: [...numbers.keys()], rows } satisfies Kept));
}

/** Throws for bytes of another version. */
export function decodeCommits(content: Buffer): KeptCommit[] {
  const { format, texts, rows } = JSON.parse(content.toString('utf8')) as Kept;
  if (format !== FORMAT) throw new Error(`commits of format ${format}`);
  return rows.map(([commit, parents, time, authored, author, email, subject, body, files, paths, renames]) => ({
    ...{ commit, parents, time, authored, author: texts[author], email: texts[email], subject, body, files },
    paths: paths.map((path) => texts[path]),
    renames: renames.map(([from, to]) => [texts[from], texts[to]] as const),
  }));
}
