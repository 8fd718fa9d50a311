// Writes data/schemas/ from the record schemas. Run after a schema changed: npm run build && npm run schemas
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { jsonSchemas } from '../dist/domain/json-schemas.js';

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'data', 'schemas');
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(jsonSchemas())) writeFileSync(path.join(folder, name), text);
