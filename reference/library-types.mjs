// Types of the library, made from the declarations of questions: their parameters, and the JSON Schemas of their documents.

const HEAD = `// Made from the declarations of questions by each build. docs/library.md explains the library.

/** Opens the repository of a directory; default: the current one. Throws NOT_A_REPOSITORY, UNSAFE_REPOSITORY, GIT_MISSING. */
export declare function open(directory?: string, options?: OpenOptions): Promise<OpenRepository>;

/** Names of all questions. */
export declare function questions(): Promise<QuestionName[]>;

export interface OpenOptions {
  /** Settings by their names, such as \`search.limit\`: they come before those of the environment, of git and of the repository. */
  settings?: Readonly<Record<string, unknown>>;
}

export interface AskOptions {
  /** Ends the question, which throws CANCELLED. */
  signal?: AbortSignal;
}

export interface OpenRepository {
  /** Top of the work tree, or the git directory of a bare repository. */
  readonly root: string;
  /** The document of an answer, as \`--json\` prints it. Indexes first what it needs. Throws SocraticodeError. */
VARIANTS  ask<Name extends QuestionName>(
    name: Name,
    ...rest: {} extends Questions[Name]['values']
      ? [values?: Questions[Name]['values'], options?: AskOptions]
      : [values: Questions[Name]['values'], options?: AskOptions]
  ): Promise<Questions[Name]['document']>;
  /** Ends what still runs. A repository that is not closed may keep the process alive. */
  close(): void;
}

export type QuestionName = keyof Questions;
`;

/** The text of \`library.d.ts\`. \`modules\`: those of the library and of questions. */
export async function libraryTypes({ loadQuestions, isOffered, offeredParams, ERROR_CODES }) {
  const questions = (await loadQuestions()).filter(isOffered);
  const [documents, variants] = [new Map(), []];
  const rows = questions.map((question) => {
    const { name, summary, params, documents: own } = question;
    const files = Object.entries(own).filter(([file]) => file !== 'error');
    for (const [file, { schema }] of files) documents.set(file, schema.jsonSchema);
    const offered = offeredParams(params);
    const chosen = variantsOf(question, files);
    for (const [key, file] of chosen)
      if (offered.includes(key)) variants.push(variantText(name, [key, params[key]], file));
    const values = offered.map((key) => fieldText(key, params[key], chosen.has(key)));
    const others = new Set(chosen.values());
    const document = files.flatMap(([file]) => (others.has(file) ? [] : [typeName(file)])).join(' | ');
    return `  ${comment(summary)}\n  ${quoted(name)}: {\n    values: {\n${values.join('')}    };\n    document: ${document};\n  };\n`;
  });
  const shapes = [...documents].map(([file, schema]) => {
    const { description, ...rest } = schema;
    const said = description === undefined ? '' : `${comment(description)}\n`;
    return `${said}export type ${typeName(file)} = ${typeOf(rest, '')};\n`;
  });
  const codes = Object.keys(ERROR_CODES).map(quoted);
  const error = `export type ErrorCode = ${codes.join(' | ')};

/** Says what happened; \`hint\` says what to do next. */
export declare class SocraticodeError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
}

export declare function isSocraticodeError(error: unknown, code?: ErrorCode): error is SocraticodeError;
`;
  const head = HEAD.replace('VARIANTS', () => variants.join(''));
  return `${head}\n/** Questions by name: the values that each takes, and the document that it answers with. */\nexport interface Questions {\n${rows.join('')}}\n\n${error}\n${shapes.join('\n')}`;
}

const FROM_HERE = ', from the current directory, or with ":/" from the top';

/** Parameter -> file of the document that it asks for, where the document's title shows the option. */
function variantsOf({ params }, files) {
  const found = files.flatMap(([file, { title = '' }]) => {
    const key = Object.keys(params).find((each) => title.includes(`${optionText(each)} `));
    return key === undefined ? [] : [[key, file]];
  });
  return new Map(found);
}

const optionText = (key) => ` --${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** A signature of `ask` for a value with a document of its own. */
function variantText(name, [key, { type }], file) {
  const values = `Omit<Questions[${quoted(name)}]['values'], ${quoted(key)}> & { ${key}: ${type === 'flag' ? 'true' : 'string'} }`;
  return `  ask(name: ${quoted(name)}, values: ${values}, options?: AskOptions): Promise<${typeName(file)}>;\n`;
}

/** A parameter as a field of the values. `isVariant`: a signature of its own takes it. */
function fieldText(key, param, isVariant) {
  const { required, default: value } = param;
  // A program's working directory counts for nothing, and it repeats no options.
  const summary = param.summary.replace(/; repeatable\b/g, '').replace(FROM_HERE, ' from the top of the repository');
  const isShown = ['string', 'number'].includes(typeof value) || value === true;
  const said = isShown ? `${summary} (default: ${value})` : summary;
  return `      ${comment(said)}\n      ${key}${required ? '' : '?'}: ${isVariant ? (param.type === 'flag' ? 'false' : 'undefined') : paramType(param)};\n`;
}

function paramType({ type, choices, fields }) {
  const entry = choices === undefined ? 'string' : choices.map(quoted).join(' | ');
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'flag':
      return 'boolean';
    case 'list':
      return choices === undefined ? 'readonly string[]' : `readonly (${entry})[]`;
    case 'pairs':
      return 'Readonly<Record<string, string>>';
    case 'records':
      return `readonly { ${Object.entries(fields)
        .map(([key, field]) => `${key}?: ${paramType(field)}`)
        .join('; ')} }[]`;
    default:
      return entry;
  }
}

/** The type of a JSON Schema. */
function typeOf(schema, indent) {
  const { type, properties, items, anyOf, additionalProperties } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(quoted).join(' | ');
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => typeOf(each, indent)))].join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ type: each }, indent)).join(' | ');
  if (type === 'array') return arrayOf(typeOf(items, indent));
  if (properties !== undefined) return objectType(schema, indent);
  if (type === 'object') return `Record<string, ${typeOf(additionalProperties, indent)}>`;
  return { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[type] ?? 'unknown';
}

const arrayOf = (entry) => (/^[\w.]+$/.test(entry) ? `${entry}[]` : `Array<${entry}>`);

function objectType({ properties, required = [] }, indent) {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const said = schema.description === undefined ? '' : `${inner}${comment(schema.description)}\n`;
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : quoted(name);
    return `${said}${inner}${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

const typeName = (file) => file.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
const quoted = (text) => JSON.stringify(text);
const comment = (text) => `/** ${text.replaceAll('*/', '* /')} */`;
