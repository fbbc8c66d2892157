/** The files that a repository sets things with, as they lie in the work tree or a tree. */
import { readPlainFile } from '../base/atomic.js';
import { isSocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import { log } from '../base/log.js';
import { type Artifact, parseArtifacts } from '../config/context-artifacts.js';

export interface SettingFile {
  text: string;
  origin: string;
}

/** A symlink could point at any file of the user: only regular files count. */
export function readRegularFile(path: string, origin: string, limit: number): SettingFile | null {
  try {
    const text = readPlainFile(path, limit)?.toString('utf8');
    return text === undefined ? null : { text, origin };
  } catch {
    return null;
  }
}

/** A wrong file is said once, and is in the way of those alone who ask for artifacts. */
export function readArtifacts(file: SettingFile): { artifacts?: readonly Artifact[]; artifactsFault?: string } {
  try {
    return { artifacts: parseArtifacts(file) };
  } catch (error) {
    if (!isSocraticodeError(error, 'BAD_CONFIG')) throw error;
    log.tellOnce('warn', `${visibleLine(error.message)}; context artifacts are left out`);
    return { artifactsFault: error.message };
  }
}
