/**
 * Loads `git-socraticode-fleet`, the package that keeps, serves and asks fleets. Who asks no fleet needs neither it nor the 570 MB
 * that it depends on. It has the version of this package, and takes from it what `internal.ts` exports.
 */

import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../../base/errors.js';
import { packageFile, packageVersion } from '../../base/version.js';
import type { Config } from '../../config/types.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { PublishReport } from '../publish/output.js';
import type { PublishValues } from '../publish/question.js';
import type { FleetAsking } from './asking.js';
import type { FleetReport } from './output.js';
import type { DropValues, FleetValues, MaintainValues, RebuildValues } from './question.js';

/** Interface of the package. */
export interface FleetPackage {
  /** Connects to the server, or opens the directory or bucket, at `url`. Throws BAD_ARGUMENT, BAD_CONFIG, and what opening a store throws. */
  connect(url: string, settings: { config: Config; env: NodeJS.ProcessEnv }): Promise<FleetAsking>;
  /** Throws BAD_ARGUMENT, BAD_CONFIG, and what opening a store throws. */
  serve(start: FleetStart): Promise<{ url: string; close: () => Promise<void> }>;
  /** Name of a repository, by its usual remote. Throws BAD_ARGUMENT where there is none. */
  repositoryName(session: Session): Promise<string>;
  publish(asker: Asker, values: PublishValues): Promise<PublishReport>;
  init(asker: Asker, values: FleetValues): Promise<FleetReport>;
  rebuild(asker: Asker, values: RebuildValues): Promise<FleetReport>;
  status(asker: Asker, values: FleetValues): Promise<FleetReport>;
  fsck(asker: Asker, values: FleetValues): Promise<FleetReport>;
  maintain(asker: Asker, values: MaintainValues): Promise<FleetReport>;
  drop(asker: Asker, values: DropValues): Promise<FleetReport>;
}

export interface FleetStart {
  /** Address of the store; default: the setting. */
  fleet?: string;
  tokens?: string;
  authorize?: string;
  maintain: 'auto' | 'off' | 'only';
  keepsText: boolean;
  address: { host: string; port: number };
  env: NodeJS.ProcessEnv;
  directory?: string;
  /** Agents are answered by the layer above, which speaks their protocol. */
  agents: Agents;
  write: (line: string) => void;
}

/** Makes what answers `POST /mcp` from the questions that a client may ask. */
export type Agents = <Client extends { name: string }>(
  askingFor: (client: Client) => FleetAsking,
) => AgentHandler<Client>;

export type AgentHandler<Client> = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: { body: Uint8Array; client: Client },
) => Promise<void>;

const NAME = 'git-socraticode-fleet';

/** Key under which loaded modules are handed over. Those of a bundle have no files that another package could import. */
const INTERNAL = Symbol.for('git-socraticode/internal');

const require = createRequire(import.meta.url);

/**
 * Throws FLEET_PACKAGES where the package is missing, or is of another version. It is one CommonJS file: `import` does not exist in
 * scripts, which a bundle is.
 */
export async function loadFleet(): Promise<FleetPackage> {
  const manifest = manifestFile();
  const { version } = require(manifest) as { version: string };
  if (version !== packageVersion())
    throw new SocraticodeError(
      'FLEET_PACKAGES',
      `${NAME} has version ${version}, and git-socraticode ${packageVersion()}: both must have the same`,
      { hint: `Replace it: ${addCommand()}` },
    );
  Object.assign(globalThis, { [INTERNAL]: await import('./internal.js') });
  return require(dirname(manifest)) as FleetPackage;
}

/** `package.json` of the package: beside this one, as npm finds it, or among those that npm installs globally. */
function manifestFile(): string {
  const paths = [fileURLToPath(packageFile('.')), ...globalFolders()];
  try {
    return require.resolve(`${NAME}/package.json`, { paths });
  } catch (cause) {
    throw new SocraticodeError('FLEET_PACKAGES', `a fleet needs the package ${NAME}`, {
      hint: `Add it: ${addCommand()}`,
      cause,
    });
  }
}

/** A Debian package or a checkout lies outside of them. */
function globalFolders(): string[] {
  const folder = dirname(process.execPath);
  return process.platform === 'win32' ? [folder] : [join(folder, '../lib'), '/usr/local/lib'];
}

/** Adds the package to where this one is: to an `npx`, to a project, or to the machine. */
function addCommand(): string {
  const [own, fleet] = ['git-socraticode', NAME].map((name) => `${name}@${packageVersion()}`);
  const folder = fileURLToPath(packageFile('../'));
  if (/[\\/]_npx[\\/]/.test(folder)) return `npx -p ${own} -p ${fleet} git-socraticode`;
  const isInProject = basename(folder) === 'node_modules' && existsSync(join(folder, '../package.json'));
  return `npm install ${isInProject ? '' : '--global '}${fleet}`;
}
