// docs/languages.md: every language, and how much is known about it.
import { code, HEADER, table } from './markdown.mjs';

export async function languagesPage({ modules, prose }) {
  const languages = [...modules.allLanguages()];
  const read = languages.filter(({ rules }) => rules !== undefined);
  const rows = await Promise.all(read.map(row));
  const others = languages.filter(({ rules }) => rules === undefined);
  return (
    HEADER +
    prose
      .replace('{{languages}}', () =>
        table(['language', 'files', 'parsed', 'symbols', 'uses', 'imports'], rows).trimEnd(),
      )
      .replace('{{others}}', () =>
        table(
          ['language', 'files'],
          others.map((each) => [code(each.id), files(each)]),
        ).trimEnd(),
      )
      .replace('{{count}}', String(others.length))
  );
}

const yes = (is) => (is ? 'yes' : '');

async function row(language) {
  const { definitions, template, braces, sections } = await language.rules();
  const isFormat = language.plain === 'data' && definitions?.tokens !== undefined;
  const parsed = isFormat
    ? 'its formats'
    : definitions !== undefined
      ? definitions.tokens === undefined
        ? 'by a grammar'
        : 'by its words'
      : template !== undefined
        ? 'its scripts'
        : braces !== undefined
          ? 'by its blocks'
          : sections !== undefined
            ? 'by its headings'
            : '';
  return [
    code(language.id),
    files(language),
    parsed,
    yes((definitions !== undefined && !isFormat) || template !== undefined || sections !== undefined),
    yes(language.relations),
    yes(language.imports !== undefined),
  ];
}

function files({ extensions, sharedExtensions = [], names = [], namePattern, interpreters = [] }) {
  const listed = [...[...extensions, ...sharedExtensions].map((each) => code(`.${each}`)), ...names.map(code)];
  return [
    listed.join(' '),
    ...(namePattern === undefined ? [] : ['names with a variable part']),
    ...(interpreters.length === 0 ? [] : [`\`#!\` ${interpreters.map(code).join(' ')}`]),
  ]
    .filter((part) => part !== '')
    .join(', ');
}
