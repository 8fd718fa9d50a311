import path from 'node:path';
import {
  framePng,
  inspectDicom,
  readFramePixels,
  renderFrame,
  WINDOW_PRESETS,
  type DicomInspection,
  type Window,
} from '../../adapters/dicom/index.js';
import type { Deps } from '../../adapters/deps.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Command } from '../command.js';

export const command: Command = {
  arguments: '<file>',
  options: [
    {
      flags: '--frame <n>',
      description: 'one frame, counted from 0 (default: all; --render takes the first)',
    },
    { flags: '--pixels <file>', description: 'write the stored values: C order, little-endian, native type' },
    { flags: '--render <file>', description: 'write a windowed 8-bit PNG, turned to the radiological view' },
    {
      flags: '--window <window>',
      description: `CENTER,WIDTH, auto, or ${Object.keys(WINDOW_PRESETS).join(', ')}`,
    },
  ],
  example: 'npx groundmark inspect slice.dcm --render slice.png --window lung',
  async run(args, options, _common, deps) {
    const file = path.resolve(args[0]!);
    const frame = frameOf(options.frame);
    const window = windowOf(options.window);
    const pixels: Uint8Array[] = [];
    const keep =
      typeof options.pixels === 'string' ? (bytes: Uint8Array) => void pixels.push(bytes) : undefined;
    const found = await inspect(file, frame, keep);
    if (typeof options.pixels === 'string')
      await deps.store.write(path.resolve(options.pixels), Buffer.concat(pixels));
    const rendered =
      typeof options.render === 'string'
        ? await render(file, frame ?? 0, found, window, options.render, deps)
        : {};
    return { json: { ...found, ...rendered }, text: lines(file, found) };
  },
};

async function inspect(
  file: string,
  frame: number | null,
  keep: ((bytes: Uint8Array) => void) | undefined,
): Promise<DicomInspection> {
  try {
    return await inspectDicom(file, frame, keep);
  } catch (error) {
    if (!(error instanceof GroundmarkError) || error.code !== 'not-dicom') throw error;
    throw new GroundmarkError(
      'not-built',
      `${file} is not a DICOM file, and reading other formats is not built yet. Give a DICOM file.`,
      { file },
      { cause: error, exit: EXIT.usage },
    );
  }
}

async function render(
  file: string,
  frame: number,
  { dicom }: DicomInspection,
  window: Window | 'auto' | null,
  out: string,
  deps: Deps,
): Promise<Record<string, unknown>> {
  const image = await renderFrame(
    file,
    await readFramePixels(file, frame),
    dicom.imageOrientationPatient,
    window,
  );
  const target = path.resolve(out);
  await deps.store.write(target, await framePng(image));
  return {
    rendered: { file: target, frame, width: image.width, height: image.height, window: image.window },
  };
}

function frameOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const frame = Number(value);
  if (value.trim() !== '' && Number.isInteger(frame) && frame >= 0) return frame;
  throw usage(`--frame ${value} is not a frame number. Give a whole number from 0.`);
}

function windowOf(value: unknown): Window | 'auto' | null {
  if (typeof value !== 'string') return null;
  if (value === 'auto') return 'auto';
  const preset = WINDOW_PRESETS[value];
  if (preset) return preset;
  const [center, width, ...rest] = value.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (rest.length === 0 && Number.isFinite(center) && width !== undefined && width >= 1) {
    return { center: center!, width };
  }
  throw usage(
    `--window ${value} is not a window. Give CENTER,WIDTH with a width of at least 1, auto, or one of ` +
      `${Object.keys(WINDOW_PRESETS).join(', ')}.`,
  );
}

function usage(message: string): GroundmarkError {
  return new GroundmarkError('bad-option', message, {}, { exit: EXIT.usage });
}

function lines(file: string, found: DicomInspection): string[] {
  const { dicom } = found;
  return [
    `${file}: DICOM ${dicom.modality ?? ''} ${found.kind}, transfer syntax ${dicom.transferSyntaxUid}`,
    `${found.axes.map((axis, i) => `${axis} ${found.shape[i]}`).join(' × ')}, ${found.dtype}`,
    `stored values ${found.min} to ${found.max}, mean ${Number(found.mean.toPrecision(6))}`,
    `sha256 ${found.sha256}`,
  ];
}
