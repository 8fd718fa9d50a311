import { parseJsonl, splitTornTail } from '../../adapters/store/index.js';
import { responseSchema, type Response } from '../../domain/response.js';

/** What an earlier run of the same model left in its file. */
export interface EarlierReplies {
  readonly replies: readonly Response[];
  /** Lines that a killed writer left unfinished: 0 or 1. They are dropped and asked again. */
  readonly torn: number;
  /** The file's text without the torn line. */
  readonly whole: string;
}

/** @throws {GroundmarkError} `bad-line` when a line other than the last is broken: that is no crash's doing */
export function readEarlier(text: string, file: string): EarlierReplies {
  const { whole, torn } = splitTornTail(text);
  return { replies: parseJsonl(whole, responseSchema, file), torn: torn === '' ? 0 : 1, whole };
}
