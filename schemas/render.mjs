// The text of a JSON Schema document: shared by the generator and by the test that compares.
import { z } from 'zod';

/** `io` is 'input' for what people write (defaults are optional), 'output' for what the program prints. */
export function render({ title, schema, io }) {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  return `${JSON.stringify({ $schema, title, ...rest }, null, 2)}\n`;
}
