import path from 'node:path';
import {
  framePng,
  inspectDicom,
  isVoiTable,
  readFramePixels,
  renderFrame,
  type DicomInspection,
  type Voi,
} from '../../adapters/dicom/index.js';
import { windowRulesSchema } from '../../adapters/image/index.js';
import { readDataYaml } from '../../adapters/store/index.js';
import type { Deps, ProgressTask } from '../../adapters/deps.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Command } from '../command.js';
import { chooseWindow, parseWindow, type WindowRequest } from '../window-option.js';

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
      description:
        'CENTER,WIDTH, file (the file’s first, the default), its N-th (from 1) or the explanation of one, auto, or a ' +
        'preset such as lung, bone, brain',
    },
  ],
  example: 'npx groundmark inspect slice.dcm --render slice.png --window lung',
  async run(args, options, _common, deps) {
    const file = path.resolve(args[0]!);
    const frame = frameOf(options.frame);
    const request = parseWindow(typeof options.window === 'string' ? options.window : 'file');
    const pixels: Uint8Array[] = [];
    const keep = typeof options.pixels === 'string' ? (bytes: Uint8Array) => void pixels.push(bytes) : null;
    const found = await inspect(file, frame, keep, deps);
    if (typeof options.pixels === 'string') {
      await deps.store.write(path.resolve(options.pixels), Buffer.concat(pixels));
    }
    const rendered =
      typeof options.render === 'string' || typeof options.window === 'string'
        ? await render(file, frame ?? 0, found, request, options.render, deps)
        : {};
    return { json: { ...found, ...rendered }, text: lines(file, found) };
  },
};

async function inspect(
  file: string,
  frame: number | null,
  keep: ((bytes: Uint8Array) => void) | null,
  { progress, signal }: Deps,
): Promise<DicomInspection> {
  let task: ProgressTask | null = null;
  try {
    return await inspectDicom(file, frame, {
      ...(keep && { keep }),
      onFrame: (frames) => {
        signal.throwIfAborted();
        if (frames > 1) (task ??= progress.start('Frames', frames)).tick();
      },
    });
  } catch (error) {
    if (!(error instanceof GroundmarkError) || error.code !== 'not-dicom') throw error;
    throw new GroundmarkError(
      'not-built',
      `${file} is not a DICOM file, and reading other formats is not built yet. Give a DICOM file.`,
      { file },
      { cause: error, exit: EXIT.usage },
    );
  } finally {
    (task as ProgressTask | null)?.done();
  }
}

async function render(
  file: string,
  frame: number,
  { dicom }: DicomInspection,
  request: WindowRequest,
  out: unknown,
  deps: Deps,
): Promise<Record<string, unknown>> {
  const pixels = await readFramePixels(file, frame);
  const { presets } = await readDataYaml('windows.yaml', windowRulesSchema);
  const { modality, bodyPartExamined: bodyPart } = dicom;
  const choice = chooseWindow(request, pixels, { modality, bodyPart, presets });
  // A window that cannot be applied is told even when no picture is asked for.
  const image = renderFrame(pixels, dicom.imageOrientationPatient, choice);
  if (typeof out !== 'string') return {};
  const target = path.resolve(out);
  await deps.store.write(target, await framePng(image));
  const { width, height } = image;
  return { rendered: { file: target, frame, width, height, window: shownVoi(image.voi) } };
}

function shownVoi(voi: Voi | null): Record<string, unknown> | null {
  if (voi === null) return null;
  const { explanation = null } = voi;
  if (isVoiTable(voi)) return { voiTable: { entries: voi.entries.length, bits: voi.bits }, explanation };
  return { center: voi.center, width: voi.width, shape: voi.shape ?? 'LINEAR', explanation };
}

function frameOf(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const frame = Number(value);
  if (value.trim() !== '' && Number.isInteger(frame) && frame >= 0) return frame;
  throw new GroundmarkError(
    'bad-option',
    `--frame ${value} is not a frame number. Give a whole number from 0.`,
    {},
    { exit: EXIT.usage },
  );
}

function lines(file: string, found: DicomInspection): string[] {
  const { dicom, value, windows } = found;
  return [
    `${file}: DICOM ${dicom.modality ?? ''} ${found.kind}, transfer syntax ${dicom.transferSyntaxUid}`,
    `${found.axes.map((axis, i) => `${axis} ${found.shape[i]}`).join(' × ')}, ${found.dtype}`,
    `stored values ${found.min} to ${found.max}, mean ${Number(found.mean.toPrecision(6))}`,
    ...(value
      ? [`values ${short(value.min)} to ${short(value.max)} ${value.unit ?? '(no unit given)'}`]
      : []),
    ...(value && value.noSuv !== null ? [`no SUVbw: ${value.noSuv}`] : []),
    ...windows.map((window) =>
      [`window ${window.number}: ${window.center},${window.width}`, window.shape, window.explanation]
        .filter((part) => part !== null)
        .join(' '),
    ),
    `sha256 ${found.sha256}`,
  ];
}

function short(value: number): number {
  return Number(value.toPrecision(6));
}
