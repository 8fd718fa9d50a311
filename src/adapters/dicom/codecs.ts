import { inflateRawSync } from 'node:zlib';
import type DcmjsCodecs from 'dcmjs-codecs';
import type { Context } from 'dcmjs-codecs';
import { GroundmarkError } from '../../domain/error.js';
import { loadCodecs } from '../load-packages.js';
import { codestreamSize, hasEnd, withEnd } from './codestream-size.js';
import type { PixelLayout } from './pixel-layout.js';
import type { TransferSyntax } from './transfer-syntax.js';

let ready: Promise<void> | null = null;

/** One frame as a codec gives it back: native little-endian samples. */
export interface DecodedFrame {
  /** Its own buffer. */
  readonly bytes: Uint8Array;
  readonly bitsAllocated: number;
  readonly planar: boolean;
  readonly photometricInterpretation: string;
}

type Native = (typeof DcmjsCodecs)['NativeCodecs'];
type Decoder = (native: Native, context: Context) => Context;

const DECODERS: Readonly<Partial<Record<TransferSyntax['pixels'], Decoder>>> = {
  rle: (native, context) => native.decodeRle(context),
  jpeg: (native, context) => native.decodeJpeg(context, { convertColorspaceToRgb: false }),
  'jpeg-ls': (native, context) => native.decodeJpegLs(context),
  'jpeg-2000': (native, context) => native.decodeJpeg2000(context),
  htj2k: (native, context) => native.decodeHtJpeg2000(context),
  'jpeg-xl': (native, context) => native.decodeJpegXl(context),
};

/** Frames up to this size are decoded whatever they were packed to. */
const ALWAYS_BYTES = 32 * 1024 * 1024;
/** A larger frame must have been at least this share of its size: no picture packs better, an attack does. */
const BEST_RATIO = 200;
/** Their decoders take a stream that is cut off and fill up the picture; the others refuse it themselves. */
const FILLED_UP: ReadonlySet<TransferSyntax['pixels']> = new Set(['jpeg', 'htj2k']);
/** RLE writes at most 128 bytes for 2. PS3.5 annex G. */
const BEST_RLE_RATIO = 64;

/**
 * Decodes one encapsulated frame. Sizes are checked against the code stream and its length before memory is asked for.
 *
 * @throws {GroundmarkError} `unsupported-pixels` naming the transfer syntax, when there is no decoder or it fails;
 * `truncated-pixels` when the code stream has no end
 */
export async function decodeFrame(
  encoded: Buffer,
  layout: PixelLayout,
  transferSyntax: TransferSyntax,
  file: string,
): Promise<DecodedFrame> {
  try {
    const { pixels } = transferSyntax;
    if (pixels === 'deflated-frame') return inflated(encoded, layout);
    const decode = DECODERS[pixels];
    if (!decode) throw new Error('there is no decoder for it');
    checkSize(encoded, layout, pixels);
    if (FILLED_UP.has(pixels) && !hasEnd(encoded)) throw cutOff(file, transferSyntax);
    return await decoded(decode, pixels === 'jpeg-ls' ? withEnd(encoded) : encoded, layout);
  } catch (cause) {
    if (cause instanceof GroundmarkError) throw cause;
    throw new GroundmarkError(
      'unsupported-pixels',
      `${file}: pixel data in ${transferSyntax.name} (${transferSyntax.uid}) could not be decoded: ` +
        `${reasonOf(cause)}. Convert the file to an uncompressed transfer syntax, for example with dcmdjpeg or ` +
        `gdcmconv --raw.`,
      { file, transferSyntaxUid: transferSyntax.uid },
      { cause },
    );
  }
}

function cutOff(file: string, { name, uid }: TransferSyntax): GroundmarkError {
  return new GroundmarkError(
    'truncated-pixels',
    `${file}: a frame in ${name} (${uid}) is cut off: its code stream has no end marker. Copy the file again.`,
    { file, transferSyntaxUid: uid },
  );
}

async function decoded(decode: Decoder, encoded: Buffer, layout: PixelLayout): Promise<DecodedFrame> {
  const { NativeCodecs } = loadCodecs();
  while (!NativeCodecs.isInitialized()) await (ready ??= initialise());
  let context: Context;
  try {
    context = decode(NativeCodecs, contextOf(encoded, layout));
  } catch (error) {
    // A decoder that stops half way leaves its memory as it was; the next frame gets a new one.
    ready = null;
    NativeCodecs.release();
    throw error;
  }
  const bytes = context.getDecodedBuffer();
  if (!bytes || bytes.length === 0) throw new Error('the decoder gave nothing');
  return {
    bytes,
    bitsAllocated: context.getBitsAllocated() ?? layout.bitsAllocated,
    planar: layout.samplesPerPixel > 1 && context.getPlanarConfiguration() === 1,
    photometricInterpretation: context.getPhotometricInterpretation() ?? layout.photometricInterpretation,
  };
}

function frameBytes({ rows, columns, samplesPerPixel, bitsAllocated }: PixelLayout): number {
  return Math.ceil((rows * columns * samplesPerPixel * bitsAllocated) / 8);
}

function checkSize(encoded: Buffer, layout: PixelLayout, pixels: TransferSyntax['pixels']): void {
  const bytes = frameBytes(layout);
  const ratio = pixels === 'rle' ? BEST_RLE_RATIO : bytes > ALWAYS_BYTES ? BEST_RATIO : Infinity;
  if (bytes > encoded.length * ratio) {
    throw new Error(`${encoded.length} bytes cannot hold a frame of ${bytes}`);
  }
  if (pixels === 'rle') return;
  const size = codestreamSize(encoded);
  if (!size) throw new Error('its code stream does not begin with a size');
  const fits =
    size.columns === layout.columns &&
    (size.rows === layout.rows || size.rows === 0) &&
    (size.components === layout.samplesPerPixel || size.components === 0);
  if (fits) return;
  throw new Error(
    `its code stream has ${size.rows} × ${size.columns} × ${size.components} samples where the header has ` +
      `${layout.rows} × ${layout.columns} × ${layout.samplesPerPixel}`,
  );
}

/** PS3.5 A.4.14: a frame of native samples, deflated. */
function inflated(encoded: Buffer, layout: PixelLayout): DecodedFrame {
  return { ...layout, bytes: inflateRawSync(encoded, { maxOutputLength: frameBytes(layout) + 1 }) };
}

function reasonOf(cause: unknown): string {
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.replace(/\.+$/u, '');
}

async function initialise(): Promise<void> {
  const { NativeCodecs, log } = loadCodecs();
  log.setLevel('silent');
  await NativeCodecs.initializeAsync();
}

function contextOf(encoded: Buffer, layout: PixelLayout): Context {
  const { Context: CodecContext } = loadCodecs();
  return new CodecContext({
    width: layout.columns,
    height: layout.rows,
    bitsAllocated: layout.bitsAllocated,
    bitsStored: layout.bitsStored,
    samplesPerPixel: layout.samplesPerPixel,
    pixelRepresentation: layout.signed ? 1 : 0,
    planarConfiguration: layout.planar ? 1 : 0,
    photometricInterpretation: layout.photometricInterpretation,
    encodedBuffer: encoded,
  });
}
