/** Document of `config`. */
import * as s from '../../params/shape.js';

export const configReportSchema = s.object({
  schemaVersion: s.literal(1),
  values: s.array(s.object({ key: s.string(), value: s.unknown(), origin: s.string() })),
});

export type ConfigReport = s.Infer<typeof configReportSchema>;
