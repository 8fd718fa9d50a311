import { parseDocument } from 'yaml';
import { readDataText } from '../../adapters/store/index.js';

/** The demo's groundmark.yaml: what `init` writes, with the seed and two unlike image reviewers. */
export async function demoConfig(seed: number): Promise<string> {
  const document = parseDocument(await readDataText('templates/groundmark.yaml'));
  document.set('seed', seed);
  return document.toString({ lineWidth: 120 });
}
