/**
 * `.socraticodecontextartifacts.json`: files and folders beside the code that a repository names. Read by hand, since
 * every search needs it and zod takes longer to load than a search; a test compares this with `context-schema`.
 */
import { SocraticodeError } from '../base/errors.js';
import { jsonFault } from './json.js';
import { show } from './sources.js';

export const ARTIFACTS_FILE = '.socraticodecontextartifacts.json';
/** Enough to say of a file that it is too large (64 KiB are allowed) instead of passing over it in silence. */
export const MAX_ARTIFACTS_READ = 4 << 20;
export const MAX_ARTIFACTS = 200;
export const MAX_NAME = 100;
export const MAX_PATH = 1_024;
export const MAX_DESCRIPTION = 2_000;

export interface Artifact {
  name: string;
  /** As written. */
  path: string;
  description: string;
  /** Path from the top of the repository, without "." and ".."; null for one that leads outside. */
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

/** Null for a path that leads outside. */
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

/** May an artifact be named like this? Says nothing of whether it may be read. */
export function isArtifactPath(text: string): boolean {
  if (text.length > MAX_PATH || CONTROL.test(text) || text.includes('://')) return false;
  // Elsewhere a backslash separates folders, in git it is part of a name: nobody could tell which is meant.
  return insidePath(text) !== '' && (ABSOLUTE.test(text) || !text.includes('\\'));
}

export function isArtifactDescription(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_DESCRIPTION;
}

const CHECKS = { name: isArtifactName, path: isArtifactPath, description: isArtifactDescription };

/** The artifacts that a file names. Throws BAD_CONFIG, with the place. */
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

/** The fields of an object. Throws BAD_CONFIG for anything else, and for a field that is not known. */
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
