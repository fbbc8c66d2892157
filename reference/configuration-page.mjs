// docs/configuration.md: every setting, and the variables that are no settings.
import { code, HEADER, plain, table } from './markdown.mjs';

export function configurationPage({ modules, environment, prose }) {
  const rows = Object.entries(modules.SETTINGS).map(([key, setting]) => [
    `${code(key)}${setting.userOnly ? ' *' : ''}`,
    setting.default === undefined
      ? ''
      : code(typeof setting.default === 'string' ? setting.default : JSON.stringify(setting.default)),
    plain(modules.allowedValues(setting)),
    plain([setting.summary, setting.details].filter((text) => text !== undefined).join(' ')),
  ]);
  const variables = environment.map(({ names, text }) => [names.map(code).join(', '), text]);
  return (
    HEADER +
    prose
      .replace('{{settings}}', () => table(['key', 'default', 'values', 'meaning'], rows).trimEnd())
      .replace('{{environment}}', () => table(['variable', 'meaning'], variables).trimEnd())
  );
}
