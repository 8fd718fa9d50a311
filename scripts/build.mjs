// Compiles src/ to dist/. Runs from `prepare`, so that `npm ci` leaves a working `npx groundmark`.
import { existsSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const compiler = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');

if (!existsSync(compiler)) {
  // `npm ci --omit=dev` has no compiler: an installed package brings dist/ with it, a checkout does not.
  if (existsSync(path.join(root, 'dist', 'cli', 'main.js'))) process.exit(0);
  process.stderr.write(
    'groundmark: dist/ is missing and TypeScript is not installed. Run `npm ci` without --omit=dev.\n',
  );
  process.exit(1);
}
rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const run = spawnSync(process.execPath, [compiler, '-p', path.join(root, 'tsconfig.build.json')], {
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
