/** Describes the server to agents: version, toolsets, limits, storage. */
import { packageVersion } from '../../base/runtime.js';
import { MAX_LINKS } from '../../session/siblings/links.js';
import { vectorSource } from '../../session/vectors/vector-source.js';
import type { Asker } from '../asker.js';
import { TOOLSETS } from '../question.js';
import { MAX_RESULTS } from '../shared-params.js';
import type { About } from './question.js';

/** The option is the program's own, not a question's. */
const PROGRAM_HELP = 'git socraticode --help';
const LICENCE = 'Apache-2.0; licences of the packages it uses stand beside them in node_modules';

/** With invalid settings, describes the built-in model. Throws BAD_CONFIG. */
export async function answerAbout({ session, questions }: Asker): Promise<About> {
  const tools = (await questions()).flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const toolsets = TOOLSETS.map((name) => {
    const own = tools.filter(({ toolset }) => toolset === name);
    return { name, tools: own.map((tool) => tool.name) };
  });
  const { config } = await session.configOfOrigin(await session.origin(undefined, { unborn: true }));
  const { embedder, model, dimensions } = vectorSource(session, config);
  return {
    schemaVersion: 1,
    version: packageVersion(),
    licence: LICENCE,
    toolsets,
    embedder: { name: embedder, model, dimensions },
    limits: { maxFileBytes: config.maxFileBytes, results: MAX_RESULTS, linkedRepositories: MAX_LINKS },
    storage: {
      'refs/notes/socraticode/': 'records: what is known of each file content; can be shared',
      [session.shards.directory]: 'search files and graph: a cache of this machine',
    },
    documentation: ['README.md of the package git-socraticode', PROGRAM_HELP, 'codebase_health, codebase_status'],
  };
}

export function aboutText({ version, licence, toolsets, embedder, limits, storage, documentation }: About): string {
  const short = (name: string) => name.replace(/^codebase_/, '');
  const lines = [
    `git-socraticode ${version} (${licence.split(';')[0]})`,
    ...toolsets.map(({ name, tools }) => `${name}: ${tools.map(short).join(' ')}`),
    `embedder: ${embedder.name} ${embedder.model}`,
    `limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    `stored in: ${Object.keys(storage).join(', ')}`,
    `read: ${documentation.join('; ')}`,
  ];
  return `${lines.join('\n')}\n`;
}
