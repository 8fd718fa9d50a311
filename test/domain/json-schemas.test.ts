import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataPath } from '../../src/adapters/store/index.js';
import { jsonSchemas } from '../../src/domain/json-schemas.js';

describe('data/schemas', () => {
  it('holds the JSON Schema of every record as it is now (else: npm run build && npm run schemas)', () => {
    const expected = jsonSchemas();
    expect(readdirSync(dataPath('schemas')).sort()).toEqual(Object.keys(expected).sort());
    for (const [name, text] of Object.entries(expected)) {
      expect(readFileSync(path.join(dataPath('schemas'), name), 'utf8'), name).toBe(text);
    }
  });
});
