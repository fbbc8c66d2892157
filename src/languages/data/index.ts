/** Data that is parsed: JSON, YAML, TOML. */
import type { Language } from '../language.js';
import { words } from '../words.js';

async function rules(id: 'json' | 'yaml' | 'toml') {
  return { definitions: (await import('./definitions.js'))[id] };
}

export const json: Language = {
  id: 'json',
  plain: 'data',
  extensions: words(
    'json jsonc json5 jsonl ndjson geojson topojson webmanifest code-workspace ipynb avsc har tfstate map',
  ),
  names: words(
    '.babelrc .eslintrc .prettierrc .jshintrc .jscsrc .swcrc composer.lock pipfile.lock flake.lock deno.lock bun.lock .watchmanconfig .arcconfig',
  ),
  grammar: { name: 'json' },
  rules: () => rules('json'),
  conventions: { pathClass: 'data' },
};

export const yaml: Language = {
  id: 'yaml',
  plain: 'data',
  extensions: words('yaml yml cff'),
  names: words('.clang-format .clang-tidy .yamllint .gemrc'),
  grammar: { name: 'yaml' },
  rules: () => rules('yaml'),
  conventions: { pathClass: 'data' },
};

export const toml: Language = {
  id: 'toml',
  plain: 'data',
  extensions: words('toml'),
  names: words('cargo.lock poetry.lock pipfile uv.lock gopkg.lock'),
  grammar: { name: 'toml', expando: '_' },
  rules: () => rules('toml'),
  conventions: { pathClass: 'data' },
};
