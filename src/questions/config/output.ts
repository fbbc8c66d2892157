/** Document of `config`. */
import { z } from 'zod';

export const configReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  values: z.array(z.strictObject({ key: z.string(), value: z.unknown(), origin: z.string() })),
});

export type ConfigReport = z.infer<typeof configReportSchema>;
