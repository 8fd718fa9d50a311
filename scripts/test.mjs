// The test command: installs what the tests need from the system when it may, builds, runs every suite, and ends with
// the skipped suites by name and the line "N passed, N failed". Under CI=true nothing may be skipped.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });

run('bash', [path.join(root, 'scripts', 'test-packages.sh')]);
const build = run(process.execPath, [path.join(root, 'scripts', 'build.mjs')]);
if (build.status !== 0) {
  console.log('The build failed, so no test ran.\n0 passed, 1 failed');
  process.exit(1);
}

const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-test-'));
const report = path.join(folder, 'report.json');
const tests = run(process.execPath, [
  path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);

let result;
try {
  result = JSON.parse(readFileSync(report, 'utf8'));
} catch {
  console.log('The test runner left no report.\n0 passed, 1 failed');
  process.exit(1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const skipped = new Map();
let unloaded = 0;
for (const file of result.testResults) {
  if (file.status === 'failed' && file.assertionResults.length === 0) unloaded++;
  for (const { status, ancestorTitles, title } of file.assertionResults) {
    if (status === 'passed' || status === 'failed') continue;
    const name = `${path.relative(root, file.name)}: ${ancestorTitles[0] || title}`;
    skipped.set(name, (skipped.get(name) ?? 0) + 1);
  }
}
let failed = result.numFailedTests + unloaded;
for (const [name, count] of skipped) console.log(`skipped: ${name} (${count} tests)`);
if (skipped.size > 0 && process.env.CI === 'true') {
  console.log('Under CI=true nothing may be skipped: each skipped suite counts as failed.');
  failed += skipped.size;
}
if (failed === 0 && tests.status !== 0) failed = 1;
console.log(`${result.numPassedTests} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
