/**
 * Parser of `.socraticodecontextartifacts.json`, the list of further files and folders that belong to the code. It uses
 * no zod, because every search reads the file and zod takes longer to load than a search. A test compares it with
 * `context-schema`.
 */
import { SocraticodeError } from '../base/errors.js';
import { jsonFault } from './json.js';
import { show } from './sources.js';

export const ARTIFACTS_FILE = '.socraticodecontextartifacts.json';
/** Bytes read of the file: more than the 64 KiB that are allowed, so that a larger file is reported, not ignored. */
export const MAX_ARTIFACTS_READ = 4 << 20;
export const MAX_ARTIFACTS = 200;
export const MAX_NAME = 100;
export const MAX_PATH = 1_024;
export const MAX_DESCRIPTION = 2_000;

export interface Artifact {
  name: string;
  /** Path as written in the file. */
  path: string;
  description: string;
  /** Path from the top of the repository, without "." and ".."; null if it leads outside. */
  inside: string | null;
}

const ALLOWED = {
  name: `at most ${MAX_NAME} characters without slashes, different for each artifact`,
  path: `a file or folder of the repository such as "docs/adr", written with "/", at most ${MAX_PATH} characters`,
  description: `text of at most ${MAX_DESCRIPTION} characters`,
};

const CONTROL = /\p{Cc}/u;
/** Absolute on any system: a root, a network share, a drive. */
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:)/;

/** Path from the top of the repository; null if it leads outside. */
export function insidePath(path: string): string | null {
  if (ABSOLUTE.test(path)) return null;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

export function isArtifactName(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_NAME && !text.includes('/') && !CONTROL.test(text);
}

/** Tells whether the text is a path that an artifact may have, not whether that path may be read. */
export function isArtifactPath(text: string): boolean {
  if (text.length > MAX_PATH || CONTROL.test(text) || text.includes('://')) return false;
  // Windows separates folders by backslashes, git takes them for part of a name: such a path is ambiguous.
  return insidePath(text) !== '' && (ABSOLUTE.test(text) || !text.includes('\\'));
}

export function isArtifactDescription(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_DESCRIPTION;
}

const CHECKS = { name: isArtifactName, path: isArtifactPath, description: isArtifactDescription };

/** Parses the file. Throws BAD_CONFIG with the line or field. */
export function parseArtifacts({ text, origin }: { text: string; origin: string }): Artifact[] {
  const json = text.replace(/^\ufeff/, '');
  const fault = jsonFault(json);
  if (fault !== null)
    throw new SocraticodeError(
      'BAD_CONFIG',
      `${origin}:${fault.line}:${fault.column}: not valid JSON: ${fault.reason}`,
    );
  const { artifacts } = fields(JSON.parse(json), ['$schema', 'artifacts'], origin);
  if (!Array.isArray(artifacts) || artifacts.length > MAX_ARTIFACTS)
    return bad(origin, 'artifacts', artifacts, `a list of at most ${MAX_ARTIFACTS} artifacts`);
  const names = new Set<string>();
  return artifacts.map((item: unknown, index) => {
    const at = `artifacts[${index}]`;
    const artifact = parseOne(item, at, origin);
    if (names.has(artifact.name)) return bad(origin, `${at}.name`, artifact.name, ALLOWED.name);
    names.add(artifact.name);
    return artifact;
  });
}

function parseOne(item: unknown, at: string, origin: string): Artifact {
  const given = fields(item, Object.keys(CHECKS), `${origin}: ${at}`);
  for (const [key, check] of Object.entries(CHECKS)) {
    const value = given[key];
    if (typeof value !== 'string' || !check(value))
      return bad(origin, `${at}.${key}`, value, ALLOWED[key as keyof typeof ALLOWED]);
  }
  const { name, path, description } = given as Record<keyof typeof CHECKS, string>;
  return { name, path, description, inside: insidePath(path) };
}

/** Fields of an object. Throws BAD_CONFIG for another value, and for an unknown field. */
function fields(value: unknown, known: readonly string[], origin: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SocraticodeError('BAD_CONFIG', `${origin}: is ${show(value)}; allowed: an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw new SocraticodeError('BAD_CONFIG', `${origin}: unknown key ${show(unknown)}; known: ${known.join(', ')}`);
}

function bad(origin: string, key: string, value: unknown, allowed: string): never {
  const shown = value === undefined ? 'missing' : show(value);
  throw new SocraticodeError('BAD_CONFIG', `${origin}: ${key} is ${shown}; allowed: ${allowed}`);
}
