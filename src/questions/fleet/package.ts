/**
 * Loads `git-socraticode-fleet`, the package that keeps, serves and asks fleets. Users without a fleet need neither it nor the 570 MB of
 * its dependencies. It has this package's version, and uses what `internal.ts` exports.
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
import { Git } from '../../git/process.js';
import { readGitConfig } from '../../git/repository.js';
import { LANGUAGE_IDS } from '../../languages/ids.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { FleetAsking } from './asking.js';
import type {
  DropValues,
  FleetReport,
  FleetTokens,
  FleetValues,
  MaintainValues,
  PublishReport,
  PublishValues,
  RebuildValues,
  TokenValues,
} from './question.js';

/** Interface of the package. */
export interface FleetPackage {
  /** Connects to a server, or opens a directory or bucket. Throws BAD_ARGUMENT, BAD_CONFIG, and what opening a store throws. */
  connect(url: string, settings: { config: Config; env: NodeJS.ProcessEnv }): Promise<FleetAsking>;
  /** Throws BAD_ARGUMENT, BAD_CONFIG, and what opening a store throws. */
  serve(start: FleetStart): Promise<{ url: string; close: () => Promise<void> }>;
  /** Name of a repository, from its default remote. Throws BAD_ARGUMENT if it has none. */
  repositoryName(session: Session): Promise<string>;
  publish(asker: Asker, values: PublishValues): Promise<PublishReport>;
  init(asker: Asker, values: FleetValues): Promise<FleetReport>;
  rebuild(asker: Asker, values: RebuildValues): Promise<FleetReport>;
  status(asker: Asker, values: FleetValues): Promise<FleetReport>;
  fsck(asker: Asker, values: FleetValues): Promise<FleetReport>;
  maintain(asker: Asker, values: MaintainValues): Promise<FleetReport>;
  drop(asker: Asker, values: DropValues): Promise<FleetReport>;
  /** Throws BAD_ARGUMENT, BAD_CONFIG for a damaged file of tokens, LOCKED. */
  token(asker: Asker, values: TokenValues): Promise<FleetTokens>;
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
  /** Answers agents. It comes from the layer above, which speaks their protocol. */
  agents: Agents;
  write: (line: string) => void;
}

/** Makes the handler of `POST /mcp` from the questions that a client may ask. */
export type Agents = <Client extends { name: string }>(
  askingFor: (client: Client) => FleetAsking,
) => AgentHandler<Client>;

export type AgentHandler<Client> = (
  request: IncomingMessage,
  response: ServerResponse,
  call: { body: Uint8Array; client: Client },
) => Promise<void>;

const NAME = 'git-socraticode-fleet';

/** Key of the loaded modules that the package is given. A bundle's modules have no files to import. */
const INTERNAL = Symbol.for('git-socraticode/internal');

const require = createRequire(import.meta.url);

/**
 * Throws FLEET_PACKAGES if the package is missing or has another version. The package is one CommonJS file, because `import` does not exist
 * in scripts such as a bundle.
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
  const folder = dirname(manifest);
  // A checkout has the package's sources; its program is made by the build.
  if (!existsSync(join(folder, 'dist')))
    throw new SocraticodeError('FLEET_PACKAGES', `the package ${NAME} in ${folder} is not built`, {
      hint: `Build it: npm run build, at the top of that checkout; or add a built one: ${addCommand()}`,
    });
  return require(folder) as FleetPackage;
}

/** `package.json` of the package: beside this one, where npm looks, or among global packages. */
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

/** Folders of global packages, for a Debian package or a checkout, which lie outside of them. */
function globalFolders(): string[] {
  const folder = dirname(process.execPath);
  return process.platform === 'win32' ? [folder] : [join(folder, '../lib'), '/usr/local/lib'];
}

/** Command that installs the package where this one is: with `npx`, in a project, or globally. */
function addCommand(): string {
  const [own, fleet] = ['git-socraticode', NAME].map((name) => `${name}@${packageVersion()}`);
  const folder = fileURLToPath(packageFile('../'));
  if (/[\\/]_npx[\\/]/.test(folder)) return `npx -p ${own} -p ${fleet} git-socraticode`;
  const isInProject = basename(folder) === 'node_modules' && existsSync(join(folder, '../package.json'));
  return `npm install ${isInProject ? '' : '--global '}${fleet}`;
}

/** Members of an asker that select a fleet. */
export type FleetAsker = Partial<Pick<Asker, 'fleet' | 'command' | 'directory'>>;

/** Opens a fleet, which the caller closes. Throws BAD_ARGUMENT without an address, and what opening a store throws. */
export async function connected(at: FleetAsker): Promise<FleetAsking> {
  if (at.fleet !== undefined) return { ...at.fleet, close: async () => {} };
  return connectFleet(at.command?.io.env ?? process.env, at.directory);
}

export async function askFleet<T>(at: FleetAsker, ask: (fleet: FleetAsking) => Promise<T>): Promise<T> {
  const fleet = await connected(at);
  try {
    return await ask(fleet);
  } finally {
    await fleet.close();
  }
}

/**
 * Opens the fleet of the user's settings. Throws BAD_ARGUMENT without an address, BAD_CONFIG, FLEET_PACKAGES, and what opening a store
 * throws.
 */
async function connectFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking> {
  const config = await userConfig(env, directory);
  const { url } = config.fleet;
  if (url === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'no fleet is configured', {
      hint: 'The user names its address: git config --global socraticode.fleet.url https://fleet.example.com',
    });
  return (await loadFleet()).connect(url, { config, env });
}

/** The fleet of the user's settings, connected at the first question and kept open; undefined without an address. */
export async function cachedFleet(env: NodeJS.ProcessEnv, directory?: string): Promise<FleetAsking | undefined> {
  const { fleet } = await userConfig(env, directory);
  if (fleet.url === undefined) return undefined;
  let open: Promise<FleetAsking> | null = null;
  const connection = (): Promise<FleetAsking> => {
    open ??= connectFleet(env, directory).catch((error: unknown) => {
      // The next question tries again, since the store may be back.
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
    // A failed connection needs no closing, and its error was reported to whoever asked.
    close: async () => (await open?.catch(() => null))?.close(),
  };
}

/** Settings of the user and the environment, without a repository's. Throws BAD_CONFIG and GIT_MISSING. */
export async function userConfig(env: NodeJS.ProcessEnv, directory = '.'): Promise<Config> {
  const all = await readGitConfig(new Git(directory));
  const gitConfig = all.filter(({ scope }) => scope === 'system' || scope === 'global');
  return resolveConfig({ env, gitConfig, languageIds: LANGUAGE_IDS }).config;
}
