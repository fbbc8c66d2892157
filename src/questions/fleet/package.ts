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
import { packageFile, packageVersion } from '../../base/runtime.js';
import { resolveConfig } from '../../config/resolve.js';
import type { Config } from '../../config/settings.js';
import { readGitConfig } from '../../git/config.js';
import { Git } from '../../git/process.js';
import { LANGUAGE_IDS } from '../../languages/ids.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { PublishReport, PublishValues } from '../publish/question.js';
import type { FleetAsking } from './asking.js';
import type { DropValues, FleetReport, FleetValues, MaintainValues, RebuildValues } from './question.js';

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
  call: { body: Uint8Array; client: Client },
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

/** The part of an asker that says which fleet is meant. */
export type FleetAsker = Partial<Pick<Asker, 'fleet' | 'command' | 'directory'>>;

/** The caller closes it. Throws BAD_ARGUMENT without an address, and what opening a store throws. */
export async function connected(at: FleetAsker): Promise<FleetAsking> {
  if (at.fleet !== undefined) return { ...at.fleet, close: async () => {} };
  return connectFleet(at.command?.io.env ?? process.env, at.directory);
}

/** Asks once. */
export async function askFleet<T>(at: FleetAsker, ask: (fleet: FleetAsking) => Promise<T>): Promise<T> {
  const fleet = await connected(at);
  try {
    return await ask(fleet);
  } finally {
    await fleet.close();
  }
}

/** The fleet of the user's settings. Throws BAD_ARGUMENT without an address, BAD_CONFIG, FLEET_PACKAGES, and what opening a store throws. */
async function connectFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking> {
  const config = await userConfig(env, directory);
  const { url } = config.fleet;
  if (url === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'no fleet is configured', {
      hint: 'Name its address: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  return (await loadFleet()).connect(url, { config, env });
}

/** The fleet of the user's settings, connected when it is first asked and kept open; undefined without an address. */
export async function cachedFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking | undefined> {
  const { fleet } = await userConfig(env, directory);
  if (fleet.url === undefined) return undefined;
  let open: Promise<FleetAsking> | null = null;
  const connection = (): Promise<FleetAsking> => {
    open ??= connectFleet(env, directory).catch((error: unknown) => {
      // The next question tries again: the store may be back by then.
      open = null;
      throw error;
    });
    return open;
  };
  return {
    search: async (...query) => (await connection()).search(...query),
    repos: async (...query) => (await connection()).repos(...query),
    file: async (...query) => (await connection()).file(...query),
    uses: async (...query) => (await connection()).uses(...query),
    // One that could not be opened has nothing to close, and whoever asked it was told.
    close: async () => (await open?.catch(() => null))?.close(),
  };
}

/** Settings of the user and of the environment alone. Works outside of any repository. Throws BAD_CONFIG and GIT_MISSING. */
export async function userConfig(env: NodeJS.ProcessEnv, directory = '.'): Promise<Config> {
  const all = await readGitConfig(new Git(directory));
  const gitConfig = all.filter(({ scope }) => scope === 'system' || scope === 'global');
  return resolveConfig({ env, gitConfig, languageIds: LANGUAGE_IDS }).config;
}
