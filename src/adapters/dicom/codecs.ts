import dcmjsCodecs, { type Context } from 'dcmjs-codecs';
import { GroundmarkError } from '../../domain/error.js';
import type { PixelLayout } from './pixel-layout.js';
import { inflate, type TransferSyntax } from './transfer-syntax.js';

const { Context: CodecContext, NativeCodecs, log } = dcmjsCodecs;

let ready: Promise<void> | null = null;

/** One frame as a codec gives it back: native little-endian samples. */
export interface DecodedFrame {
  readonly bytes: Uint8Array;
  readonly bitsAllocated: number;
  readonly planar: boolean;
  readonly photometricInterpretation: string;
}

/**
 * Decodes one encapsulated frame.
 *
 * @throws {GroundmarkError} `unsupported-pixels` naming the transfer syntax, when there is no decoder or it fails
 */
export async function decodeFrame(
  encoded: Buffer,
  layout: PixelLayout,
  transferSyntax: TransferSyntax,
  file: string,
): Promise<DecodedFrame> {
  try {
    if (transferSyntax.pixels === 'deflated-frame') {
      return { ...layout, bytes: inflate(encoded) };
    }
    const decode = decoders[transferSyntax.pixels];
    if (!decode) throw new Error('no decoder for it');
    ready ??= initialise();
    await ready;
    const context = decode(contextOf(encoded, layout));
    const bytes = context.getDecodedBuffer();
    if (!bytes || bytes.length === 0) throw new Error('the decoder gave nothing');
    return {
      bytes,
      bitsAllocated: context.getBitsAllocated() ?? layout.bitsAllocated,
      planar: layout.samplesPerPixel > 1 && context.getPlanarConfiguration() === 1,
      photometricInterpretation: context.getPhotometricInterpretation() ?? layout.photometricInterpretation,
    };
  } catch (cause) {
    throw new GroundmarkError(
      'unsupported-pixels',
      `${file}: pixel data in ${transferSyntax.name} (${transferSyntax.uid}) could not be decoded. ` +
        `Convert the file to an uncompressed transfer syntax, for example with dcmdjpeg or gdcmconv --raw.`,
      { file, transferSyntaxUid: transferSyntax.uid },
      { cause },
    );
  }
}

const decoders: Readonly<Partial<Record<TransferSyntax['pixels'], (context: Context) => Context>>> = {
  rle: (context) => NativeCodecs.decodeRle(context),
  jpeg: (context) => NativeCodecs.decodeJpeg(context, { convertColorspaceToRgb: false }),
  'jpeg-ls': (context) => NativeCodecs.decodeJpegLs(context),
  'jpeg-2000': (context) => NativeCodecs.decodeJpeg2000(context),
  htj2k: (context) => NativeCodecs.decodeHtJpeg2000(context),
  'jpeg-xl': (context) => NativeCodecs.decodeJpegXl(context),
};

async function initialise(): Promise<void> {
  log.setLevel('silent');
  await NativeCodecs.initializeAsync();
}

function contextOf(encoded: Buffer, layout: PixelLayout): Context {
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
