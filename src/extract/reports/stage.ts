import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { writeJsonl, type WorkspacePaths } from '../../adapters/store/index.js';
import type { Case } from '../../domain/config.js';
import { GroundmarkError } from '../../domain/error.js';
import type { ReportFindings, Target } from '../../domain/finding.js';
import type { IndexRow } from '../../domain/index-row.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import type { DecodedReport } from './decode.js';
import { examOf, modalityOf, regionOf } from './exam.js';
import type { Lexicon } from './lexicon.js';
import { loadLexicon } from './load-lexicon.js';
import { checkEngine, readReport } from './read-report.js';
import { targetsOf } from './targets.js';

/** `no-images`: the index has no slice of the case (no folder, nothing readable, or a study of another case). */
export type CaseStatus = 'ok' | 'no-report' | 'unreadable-report' | 'empty-report' | 'no-images';

/** How reading one report went; every case has one (`extract/cases.jsonl`). */
export interface CaseRecord {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly caseId: string;
  readonly status: CaseStatus;
  readonly encoding: DecodedReport['encoding'] | null;
  /** Targets that are asked about. */
  readonly targets: number;
  /** Targets that are not, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
}

export interface FindingsInput {
  readonly cases: readonly Case[];
  /** The indexed frames, for the modality of each case; targets of a case without any are dropped. */
  readonly rows: readonly IndexRow[];
  readonly paths: WorkspacePaths;
  /** Default `offline/rules`. */
  readonly engine?: string;
}

export interface FindingsSummary {
  readonly cases: number;
  readonly reports: number;
  readonly sentences: number;
  readonly findings: number;
  readonly targets: number;
  readonly dropped: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** Reports that were not UTF-8 and were read as windows-1252. */
  readonly windows1252: number;
}

/**
 * Reads every case's report and writes `findings.jsonl`, `targets.jsonl` and one case record for each case. A case
 * whose report is missing, unreadable or empty is a record with its status, never an error.
 */
export async function runFindings(input: FindingsInput, deps: Deps): Promise<FindingsSummary> {
  checkEngine(input.engine ?? 'offline/rules');
  const { cases, rows, paths } = input;
  const lexicon = await loadLexicon();
  const indexed = modalitiesByCase(rows);
  const findings: ReportFindings[] = [];
  const targets: Target[] = [];
  const records: CaseRecord[] = [];
  const progress = deps.progress.start('Findings', cases.length);
  for (const one of cases) {
    deps.signal.throwIfAborted();
    const outcome = await readCase(one, paths.root, lexicon, indexed.get(one.caseId) ?? [], deps);
    if (outcome.report) findings.push(outcome.report);
    targets.push(...outcome.targets);
    records.push(outcome.record);
    progress.tick();
  }
  progress.done();
  await writeJsonl(deps.store, paths.findings, findings);
  await writeJsonl(deps.store, paths.targets, targets);
  await writeJsonl(deps.store, paths.caseRecords, records);
  const summary = summarise(findings, targets, records);
  report(summary, deps);
  return summary;
}

interface CaseOutcome {
  readonly record: CaseRecord;
  readonly report: ReportFindings | null;
  readonly targets: readonly Target[];
}

async function readCase(
  one: Case,
  root: string,
  lexicon: Lexicon,
  indexed: readonly string[],
  deps: Deps,
): Promise<CaseOutcome> {
  const { caseId, reportPath } = one;
  const without = (status: CaseStatus, encoding: CaseRecord['encoding'] = null): CaseOutcome => ({
    record: { schemaVersion: SCHEMA_VERSION, caseId, status, encoding, targets: 0, dropped: {} },
    report: null,
    targets: [],
  });
  if (reportPath === null) return without('no-report');
  let bytes: Uint8Array;
  try {
    bytes = await deps.store.read(reportPath);
  } catch (error) {
    if (!(error instanceof GroundmarkError)) throw error;
    deps.log.warn(`Case ${caseId}: its report could not be read (${error.code}).`);
    return without('unreadable-report');
  }
  const reportId = path.relative(root, reportPath).split(path.sep).join('/');
  const { decoded, report } = readReport(reportId, bytes, lexicon);
  if (report === null) return without('empty-report', decoded.encoding);
  const exam = examOf(decoded.text, report, lexicon);
  const found = targetsOf(caseId, report, {
    modality: (finding) => modalityOf(exam, finding.concept, indexed),
    region: (finding) => regionOf(exam, typeof finding['region'] === 'string' ? finding['region'] : null),
  });
  const hasImages = indexed.length > 0;
  const targets = hasImages
    ? found
    : found.map((target) => ({ ...target, dropped: target.dropped ?? 'no-images' }));
  const dropped = countBy(targets.flatMap((target) => target.dropped ?? []));
  const record: CaseRecord = {
    schemaVersion: SCHEMA_VERSION,
    caseId,
    status: hasImages ? 'ok' : 'no-images',
    encoding: decoded.encoding,
    targets: targets.filter((target) => target.dropped === null).length,
    dropped,
  };
  return { record, report, targets };
}

function modalitiesByCase(rows: readonly IndexRow[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { caseId, modality } of rows) {
    if (caseId === null || modality === null) continue;
    const known = found.get(caseId) ?? [];
    if (!known.includes(modality)) found.set(caseId, [...known, modality]);
  }
  return found;
}

function summarise(
  findings: readonly ReportFindings[],
  targets: readonly Target[],
  records: readonly CaseRecord[],
): FindingsSummary {
  const sentences = findings.flatMap((one) => one.sentences);
  return {
    cases: records.length,
    reports: findings.length,
    sentences: sentences.length,
    findings: sentences.reduce((n, sentence) => n + sentence.findings.length, 0),
    targets: targets.filter((target) => target.dropped === null).length,
    dropped: countBy(targets.flatMap((target) => target.dropped ?? [])),
    statuses: countBy(records.map((record) => record.status)),
    windows1252: records.filter((record) => record.encoding === 'windows-1252').length,
  };
}

function report(summary: FindingsSummary, deps: Deps): void {
  const { cases, statuses, windows1252 } = summary;
  const unused = cases - (statuses['ok'] ?? 0);
  if (unused > 0)
    deps.log.warn(
      `${unused} of ${cases} cases have no usable report or images (extract/cases.jsonl says why).`,
    );
  if (windows1252 > 0)
    deps.log.warn(`${windows1252} of the reports are not UTF-8 and were read as windows-1252.`);
}

/** Counts by name, names in code-unit order. */
function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
