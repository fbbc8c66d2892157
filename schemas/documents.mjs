// Makes the generated documents of this folder, for the generator and for the test that compares them. The caller
// passes the compiled shapes, because the generator runs on dist/ and the test on its own build.
const $schema = 'https://json-schema.org/draft/2020-12/schema';

/** The schema of a document that the program prints. */
const document = (file, title, { jsonSchema }) => written(file, { title, ...jsonSchema });

/** The schema of a file that people write. */
const written = (file, schema) => ({ file, text: `${JSON.stringify({ $schema, ...schema }, null, 2)}\n` });

/** `declared`: documents of questions by file, from `loadDocuments`. */
export function documents(configSchema, artifactsSchema, declared) {
  return [
    ...[...declared].map(([file, { schema, title }]) => document(`${file}.schema.json`, title, schema)),
    written('socraticode.schema.json', configSchema()),
    written('socraticodecontextartifacts.schema.json', artifactsSchema()),
  ];
}
