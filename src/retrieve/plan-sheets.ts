import { TILES_PER_SHEET } from '../domain/evidence.js';
import { sha256 } from '../util/hash.js';
import type { Sheet } from '../domain/retrieve.js';
import type { Rng } from '../util/rng.js';
import type { CaseVolume } from './volumes.js';

/** No I and O: they read as 1 and 0. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * The contact sheets of one case: every slice of every volume in spatial order, twelve to a sheet. Labels are drawn
 * from a seeded shuffle and are unique in the case, so that they tell neither place nor InstanceNumber.
 */
export function planSheets(
  caseId: string,
  volumes: readonly CaseVolume[],
  random: Rng,
  windowOf: (volume: CaseVolume) => Sheet['window'],
): Sheet[] {
  const total = volumes.reduce((n, volume) => n + volume.rows.length, 0);
  const labels = drawLabels(total, random);
  const sheets: Sheet[] = [];
  let used = 0;
  volumes.forEach((volume, v) => {
    for (let at = 0; at < volume.rows.length; at += TILES_PER_SHEET) {
      const rows = volume.rows.slice(at, at + TILES_PER_SHEET);
      const sheetId = `v${v + 1}-${String(at / TILES_PER_SHEET + 1).padStart(3, '0')}`;
      sheets.push({
        schemaVersion: 1,
        sheetId,
        caseId,
        volumeId: volume.volumeId,
        seriesInstanceUid: volume.seriesInstanceUid,
        modality: volume.modality,
        file: `retrieve/sheets/${fileName(caseId)}/${sheetId}.png`,
        window: windowOf(volume),
        tiles: rows.map((row) => ({
          label: labels[used++]!,
          position: row.position,
          sopInstanceUid: row.sopInstanceUid!,
          frame: row.frame,
        })),
      });
    }
  });
  return sheets;
}

function drawLabels(count: number, random: Rng): string[] {
  const digits = count > LETTERS.length * 100 ? String(Math.ceil(count / LETTERS.length)).length : 2;
  const all: string[] = [];
  for (const letter of LETTERS) {
    for (let n = 0; n < 10 ** digits; n++) all.push(`${letter}${String(n).padStart(digits, '0')}`);
  }
  return random.shuffle(all).slice(0, count);
}

/** Longest folder name that is taken over as it is. */
const NAME_MAX = 60;

/**
 * A case id as a folder name. Letters, digits, `-`, `_` and `.` stay; an id with anything else, or a long one, is
 * shortened to what may stay and told apart by a hash.
 */
export function fileName(caseId: string): string {
  const safe = caseId
    .replace(/[^a-z0-9._-]/gu, '_')
    .replace(/^[.-]+/, '_')
    .slice(0, NAME_MAX);
  return safe === caseId && safe !== '' ? safe : `${safe || '_'}-${sha256(caseId).slice(0, 8)}`;
}
