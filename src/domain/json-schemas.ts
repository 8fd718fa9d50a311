import { z } from 'zod';
import { auditSchema } from './audit.js';
import { configSchema } from './config.js';
import { evidenceSchema, nominationSchema, poolSchema, ratingSchema } from './evidence.js';
import { mentionSchema, reportFindingsSchema, targetSchema } from './finding.js';
import { indexRowSchema } from './index-row.js';
import { itemSchema, keyEntrySchema, splitsFileSchema } from './item.js';
import { responseSchema } from './response.js';
import { seriesRecordSchema, sheetSchema } from './retrieve.js';
import { scoreReportSchema } from './score.js';
import { volumeSchema } from './volume.js';

/** Every record that is written or read as a file, by the name of its JSON Schema in `data/schemas/`. */
const RECORDS: Readonly<Record<string, z.ZodType>> = {
  audit: auditSchema,
  config: configSchema,
  evidence: evidenceSchema,
  'index-row': indexRowSchema,
  item: itemSchema,
  key: keyEntrySchema,
  mention: mentionSchema,
  nomination: nominationSchema,
  pool: poolSchema,
  rating: ratingSchema,
  'report-findings': reportFindingsSchema,
  response: responseSchema,
  scores: scoreReportSchema,
  series: seriesRecordSchema,
  sheet: sheetSchema,
  splits: splitsFileSchema,
  target: targetSchema,
  volume: volumeSchema,
};

/** JSON Schema texts (draft 2020-12) by file name. */
export function jsonSchemas(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(RECORDS).map(([name, schema]) => [
      `${name}.schema.json`,
      `${JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), null, 2)}\n`,
    ]),
  );
}
