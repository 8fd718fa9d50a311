import path from 'node:path';
import { stringify } from 'csv-stringify/sync';
import type { Deps } from '../adapters/deps.js';
import { byCodeUnit, writeJsonl } from '../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import { SCHEMA_VERSION } from '../domain/record.js';
import { hashValue } from '../util/hash.js';
import { rng } from '../util/rng.js';
import { identityOf, visitOf } from './identity.js';
import type { Planted } from './planted.js';
import { earlierRun, markDone, markStarted, type PhantomsMade } from './phantom-marker.js';
import { loadRecipes, type CaseRecipe, type Recipes } from './recipe.js';
import { reportText, sentenceInReport } from './report.js';
import type { SeriesJob, SeriesMade } from './series.job.js';

const JOB = new URL(`./series.job${path.extname(import.meta.url)}`, import.meta.url).href;

/** Raised when the same recipes and seed would give other bytes than before. */
const PHANTOM_VERSION = 1;

export interface PhantomsInput {
  /** Workspace root, absolute. */
  readonly out: string;
  /** How many patients, from the first; default: all. */
  readonly patients?: number;
}

/**
 * Writes phantom cases into a workspace: `cases.csv`, `cases/<case>/dicom`, `cases/<case>/report.txt`, `planted.jsonl`.
 * The same seed gives the same bytes for any number of workers. Files of an earlier run are kept when they would come
 * out the same, and removed first when not.
 *
 * @throws {GroundmarkError} `bad-patients` when there are not so many patients in data/phantoms/cases.yaml;
 *   `folder-in-use` when the folder holds cases that no demo made
 */
export async function runPhantoms(
  input: PhantomsInput,
  deps: Pick<Deps, 'store' | 'queue' | 'seed' | 'progress' | 'signal'>,
): Promise<PhantomsMade> {
  const recipes = await loadRecipes();
  const known = Math.max(...recipes.cases.map((recipe) => recipe.patient));
  const patients = input.patients ?? known;
  if (!Number.isInteger(patients) || patients < 1 || patients > known) {
    throw new GroundmarkError(
      'bad-patients',
      `${patients} phantom patients were asked for, but data/phantoms/cases.yaml has ${known}. Ask for 1 to ${known}.`,
      { patients, known },
      { exit: EXIT.usage },
    );
  }
  const cases = recipes.cases
    .map((recipe, i) => ({ recipe, number: i + 1, caseId: `case-${String(i + 1).padStart(3, '0')}` }))
    .filter(({ recipe }) => recipe.patient <= patients);

  const inputHash = hashValue({ version: PHANTOM_VERSION, recipes, seed: deps.seed, patients });
  const earlier = await earlierRun(deps.store, input.out);
  if (earlier?.made && earlier.inputHash === inputHash) return earlier.made;
  // A second run must not mix its files with those of a first one.
  await deps.store.remove(path.join(input.out, 'cases'));
  await markStarted(deps.store, input.out, inputHash);
  const jobs = cases.flatMap((one) => seriesJobs(one, recipes, input.out, deps.seed));
  const task = deps.progress.start('phantoms', jobs.length);
  const made = await deps.queue.map<SeriesJob, SeriesMade>({ module: JOB }, jobs, {
    onDone: () => task.tick(),
    signal: deps.signal,
  });
  task.done();

  const planted: Planted[] = [];
  const rows: string[][] = [];
  for (const { recipe, number, caseId } of cases) {
    const identity = identityOf(recipe.patient, deps.seed);
    const report = reportText(
      recipe,
      recipes.reports.layouts[recipe.layout]!,
      recipes.reports.studies[recipe.study]!,
      identity,
      visitOf(number, deps.seed),
    );
    await deps.store.write(path.join(input.out, 'cases', caseId, 'report.txt'), report);
    rows.push([caseId, identity.patientId, `cases/${caseId}/dicom`, `cases/${caseId}/report.txt`]);
    const visible = made.filter((_, i) => jobs[i]!.caseId === caseId).flatMap((series) => series.visible);
    planted.push(...plantedOf(caseId, recipe, report, visible));
  }
  const columns = ['case_id', 'patient_id', 'dicom_path', 'report_path'];
  await deps.store.write(path.join(input.out, 'cases.csv'), stringify([columns, ...rows]));
  await writeJsonl(deps.store, path.join(input.out, 'planted.jsonl'), planted);
  const result: PhantomsMade = {
    cases: cases.length,
    patients,
    files: made.reduce((sum, series) => sum + series.files, 0),
    planted: planted.filter((record) => record.askable).length,
  };
  await markDone(deps.store, input.out, inputHash, result);
  return result;
}

function seriesJobs(
  one: { readonly recipe: CaseRecipe; readonly number: number; readonly caseId: string },
  recipes: Recipes,
  out: string,
  seed: number,
): SeriesJob[] {
  const { recipe, number, caseId } = one;
  const study = recipes.studies[recipe.study]!;
  // Folder names are dealt out so that their order is not the series' order.
  const folders = rng(seed, 'folders', caseId).shuffle(study.series.map((_, i) => `s${i + 1}`));
  return study.series.map((series, i) => ({
    seed,
    caseId,
    patient: recipe.patient,
    folder: path.join(out, 'cases', caseId, 'dicom', folders[i]!),
    study,
    series,
    anatomy: recipes.anatomies[study.anatomy],
    tissues: recipes.tissues,
    findings: recipe.lines.flatMap((line) =>
      line.kind === 'finding' ? [{ id: line.id ?? line.say, side: line.side, plant: line.plant! }] : [],
    ),
    identity: identityOf(recipe.patient, seed),
    visit: visitOf(number, seed),
  }));
}

function plantedOf(
  caseId: string,
  recipe: CaseRecipe,
  report: string,
  visible: SeriesMade['visible'],
): Planted[] {
  return recipe.lines.flatMap((line): Planted[] => {
    if (line.kind === 'normal' || line.kind === 'negated') return [];
    const about = line.kind === 'measured' ? recipe.lines.find((other) => other.id === line.of)! : line;
    const id = about.id ?? about.say;
    const slices = visible
      .filter(({ finding }) => about.kind === 'finding' && finding === id)
      .map(({ finding: _, ...slice }) => slice)
      .sort((a, b) => byCodeUnit(a.seriesInstanceUid, b.seriesInstanceUid) || a.position - b.position);
    if (line.kind === 'finding' && slices.length === 0) {
      throw new GroundmarkError(
        'invisible-finding',
        `The finding ${id} of ${caseId} can be seen on no slice. Make it larger or denser in data/phantoms/cases.yaml.`,
        { caseId, finding: id },
        { exit: EXIT.bug },
      );
    }
    const sentence = sentenceInReport(report, line.say);
    if (sentence === null) {
      throw new GroundmarkError(
        'sentence-lost',
        `A planted sentence of ${caseId} is not in its report. Check the report layout.`,
        { caseId },
        { exit: EXIT.bug },
      );
    }
    return [
      {
        schemaVersion: SCHEMA_VERSION,
        caseId,
        concept: about.concept ?? 'other',
        anatomy: about.anatomy,
        laterality: about.side,
        sentence,
        kind: line.kind,
        slices,
        askable: line.kind === 'finding',
      },
    ];
  });
}
