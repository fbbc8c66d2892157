/** JSON Schemas of the files that people write, made from the declarations of their fields. */
import { MAX_TEXT, type Param, type Params } from '../params/param.js';
import { ARTIFACT_FIELDS, ARTIFACTS_FILE, MAX_ARTIFACTS } from './context-artifacts.js';
import { RELATIVE_PATH, SECTIONS, SETTINGS, type Setting } from './settings.js';

type JsonSchema = Readonly<Record<string, unknown>>;

const EDITOR_FIELD = { $schema: { description: 'Where editors find this schema; ignored otherwise.', type: 'string' } };

/** Schema of `.socraticode.json`, without the settings that only the user may set. Language ids are checked by their form. */
export function configSchema(): JsonSchema {
  const inFile = Object.entries<Setting>(SETTINGS).filter(([, { userOnly }]) => !userOnly);
  const properties: Record<string, JsonSchema> = { ...EDITOR_FIELD };
  for (const [key, setting] of inFile) {
    const [section, name] = key.split('.');
    if (name === undefined) properties[key] = settingSchema(setting);
    else properties[section] ??= sectionSchema(section, inFile);
  }
  return {
    title: '.socraticode.json',
    ...{ type: 'object', properties, additionalProperties: false },
    description:
      'Settings of git-socraticode for one repository. Untrusted: it can name no URL, no command and no key.',
  };
}

function sectionSchema(section: string, inFile: readonly [string, Setting][]): JsonSchema {
  const members = inFile
    .filter(([key]) => key.startsWith(`${section}.`))
    .map(([key, setting]) => [key.slice(section.length + 1), setting] as const);
  const defaults = members.flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]]));
  return {
    default: Object.fromEntries(defaults),
    description: SECTIONS[section],
    type: 'object',
    properties: Object.fromEntries(members.map(([name, setting]) => [name, settingSchema(setting)])),
    additionalProperties: false,
  };
}

const settingSchema = (setting: Setting): JsonSchema => ({
  ...(setting.default !== undefined && { default: setting.default }),
  description: setting.summary,
  ...valueSchema(setting),
});

function valueSchema(setting: Setting): JsonSchema {
  const { type, min, max, choices, maxEntries, relative = false } = setting;
  if (type === 'list') return { maxItems: maxEntries, type: 'array', items: textSchema(setting, relative) };
  if (type === 'pairs')
    return {
      type: 'object',
      propertyNames: { type: 'string', pattern: setting.keyPattern?.source },
      additionalProperties: textSchema(setting),
    };
  if (type === 'records') return { maxItems: maxEntries, type: 'array', items: recordSchema(setting.fields ?? {}) };
  if (type === 'choice') return { type: 'string', enum: choices };
  if (type === 'flag') return { type: 'boolean' };
  return type === 'text' ? textSchema(setting) : { type, minimum: min, maximum: max };
}

/** An object of a list; where a field is a list, one entry may stand for all. */
function recordSchema(fields: Params): JsonSchema {
  const properties = Object.entries(fields).map(([key, field]) => {
    const { type, items, ...rest } = settingSchema(field) as Record<string, JsonSchema>;
    const either = field.type === 'list' ? { ...rest, anyOf: [items, { type, items }] } : { ...rest, type };
    return [key, either];
  });
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Lengths that are declared, and patterns. Rules that no pattern can say are checked, but not published. */
function textSchema({ minLength, maxLength, pattern }: Param, relative = false): JsonSchema {
  const patterns = [...(pattern === undefined ? [] : [pattern]), ...(relative ? [RELATIVE_PATH] : [])];
  const published = patterns.map(({ source }) => ({ pattern: source }));
  return {
    type: 'string',
    ...(minLength > 0 && { minLength }),
    ...(maxLength < MAX_TEXT && { maxLength }),
    ...(published.length > 1 ? { allOf: published } : published[0]),
  };
}

/** Schema of `.socraticodecontextartifacts.json`. */
export function artifactsSchema(): JsonSchema {
  const fields = Object.entries(ARTIFACT_FIELDS);
  const item = {
    type: 'object',
    properties: Object.fromEntries(
      fields.map(([key, field]) => [key, { ...textSchema(field), description: field.summary }]),
    ),
    required: fields.map(([key]) => key),
    additionalProperties: false,
  };
  return {
    title: ARTIFACTS_FILE,
    type: 'object',
    properties: { ...EDITOR_FIELD, artifacts: { maxItems: MAX_ARTIFACTS, type: 'array', items: item } },
    required: ['artifacts'],
    additionalProperties: false,
    description:
      'Named files and folders beside the code (API specifications, schemas, decisions) that can be searched alone.',
  };
}
