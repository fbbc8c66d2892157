/** Parser of commit objects. Git's own formatting is not used, since settings of the repository change it. */
import type { ObjectReader } from './objects.js';

export interface CommitInfo {
  commit: string;
  parents: string[];
  /** Author date, ISO 8601 in the author's time zone; null if it is invalid. */
  date: string | null;
  author: string;
  /** Address as the commit has it; '' for none. */
  email: string;
  /** Author's time in seconds since 1970; null if it is invalid. */
  authored: number | null;
  /** First line of the message. */
  subject: string;
  /** The message below its first line; at most 16 KiB of it. */
  body: string;
}

/** Characters of a subject or name; a hostile commit can have any number. */
const MAX_TEXT = 500;
/** Longer messages are generated, or hostile. */
const MAX_MESSAGE_BYTES = 16 << 10;
const MAX_COMMIT_BYTES = 1 << 20;

/** Reads a commit; null if it cannot be read or has more than 1 MiB. */
export async function readCommit(objects: ObjectReader, oid: string): Promise<CommitInfo | null> {
  const info = await objects.info(oid);
  if (info?.type !== 'commit' || info.size > MAX_COMMIT_BYTES) return null;
  const object = await objects.read(oid);
  return object === null ? null : parseCommit(oid, object.content);
}

export function parseCommit(oid: string, content: Buffer): CommitInfo {
  const end = content.indexOf('\n\n');
  const header = content.toString('latin1', 0, end < 0 ? content.length : end).split('\n');
  const headerOf = (key: string) => header.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
  const decode = decoderOf(headerOf('encoding'));
  const author = parseAuthor(headerOf('author') ?? '');
  const message = (end < 0 ? '' : decode(content.subarray(end + 2, end + 2 + MAX_MESSAGE_BYTES))).trimStart();
  const [firstLine] = message.split('\n');
  return {
    commit: oid,
    parents: header.filter((line) => line.startsWith('parent ')).map((line) => line.slice('parent '.length)),
    date: isoDate(author.seconds, author.zone),
    author: cut(decode(Buffer.from(author.name, 'latin1'))),
    email: cut(decode(Buffer.from(author.email, 'latin1'))),
    authored: author.seconds === undefined ? null : Number(author.seconds),
    subject: cut(firstLine),
    body: message.slice(firstLine.length).trim(),
  };
}

/** `A U Thor <mail> 1700000000 +0000`. One regular expression for all of it would take quadratic time on a line of blanks. */
function parseAuthor(line: string): { name: string; email: string; seconds?: string; zone?: string } {
  const open = line.indexOf('<');
  const close = line.indexOf('>', open);
  if (open === -1 || close === -1) return { name: '', email: '' };
  const [, seconds, zone] = /^\s*(-?\d+) ?([+-]\d{4})?/.exec(line.slice(close + 1)) ?? [];
  return { name: line.slice(0, open), email: line.slice(open + 1, close), seconds, zone };
}

function cut(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > MAX_TEXT ? `${trimmed.slice(0, MAX_TEXT)}…` : trimmed;
}

/** Decoder for the encoding that the commit names, if known; else for UTF-8. */
function decoderOf(encoding: string | undefined): (bytes: Uint8Array) => string {
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => Buffer.from(bytes).toString('utf8');
  }
}

const MINUTE_MS = 60_000;
/** The time zone farthest from UTC. */
const MAX_ZONE_MINUTES = 14 * 60;

function isoDate(seconds: string | undefined, zone = '+0000'): string | null {
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3));
  const isZone = minutes <= MAX_ZONE_MINUTES;
  const east = zone[0] === '-' ? -minutes : minutes;
  const shift = isZone ? east : 0;
  const date = new Date(Number(seconds) * 1000 + shift * MINUTE_MS);
  if (seconds === undefined || Number.isNaN(date.getTime())) return null;
  const suffix = shift === 0 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  return date.toISOString().replace('.000Z', suffix);
}
