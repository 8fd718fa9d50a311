import { createRequire } from 'node:module';
import type * as DuckDb from '@duckdb/node-api';
import type * as Canvas from '@napi-rs/canvas';
import type DcmjsCodecs from 'dcmjs-codecs';
import type Sharp from 'sharp';

/*
 * Packages that are loaded when they are first asked for. Their native libraries and WebAssembly cost 0.1 to 0.3 s each,
 * and most commands need none of them.
 *
 * By `require`: it is at hand without waiting, and `import` of a CommonJS package reads its files twice.
 */
const require = createRequire(import.meta.url);

/** Images: encoding, decoding, scaling. */
export function loadSharp(): typeof Sharp {
  return require('sharp') as typeof Sharp;
}

/** Codecs of compressed pixel data. */
export function loadCodecs(): typeof DcmjsCodecs {
  return require('dcmjs-codecs') as typeof DcmjsCodecs;
}

/** Drawing of letters. */
export function loadCanvas(): typeof Canvas {
  return require('@napi-rs/canvas') as typeof Canvas;
}

/** The database of the index. */
export function loadDuckDb(): typeof DuckDb {
  return require('@duckdb/node-api') as typeof DuckDb;
}
