// Prints what a production install weighs, from what is installed here, and fails above the limit.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const LIMIT_MB = 350;
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const { packages } = JSON.parse(readFileSync(path.join(root, 'node_modules', '.package-lock.json'), 'utf8'));

/** Bytes of a package's own files; packages nested in it are counted as entries of their own. */
function ownSize(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue;
    const file = path.join(folder, entry.name);
    bytes += entry.isDirectory() ? ownSize(file) : lstatSync(file).size;
  }
  return bytes;
}

const production = Object.entries(packages).filter(([, { dev, link }]) => !dev && !link);
const bytes = production.reduce((sum, [name]) => sum + ownSize(path.join(root, name)), 0);
const megabytes = Math.round(bytes / 1e6);
console.log(`production install: ${megabytes} MB in ${production.length} packages (limit ${LIMIT_MB} MB)`);
process.exit(megabytes < LIMIT_MB ? 0 : 1);
