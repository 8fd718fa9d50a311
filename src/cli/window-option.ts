import { isUsable, type FramePixels, type VoiChoice, type Window } from '../adapters/dicom/index.js';
import { presetOf, type WindowPreset } from '../adapters/image/index.js';
import { EXIT, GroundmarkError } from '../domain/error.js';

/** What `--window` asks for, before the file is read. */
export type WindowRequest =
  'file' | 'auto' | Window | { readonly number: number } | { readonly name: string };

/** What names are looked up in. */
export interface WindowNames {
  readonly modality: string | null;
  readonly bodyPart: string | null;
  readonly presets: readonly WindowPreset[];
}

/**
 * The request of an option's text: `file`, `auto`, `CENTER,WIDTH`, a number from 1, or a name.
 *
 * @throws {GroundmarkError} `bad-option` for numbers that are no window
 */
export function parseWindow(text: string): WindowRequest {
  if (text === 'file' || text === 'auto') return text;
  if (/^\d+$/u.test(text) && Number(text) > 0) return { number: Number(text) };
  if (!text.includes(',')) return { name: text };
  const parts = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  const [center = NaN, width = NaN] = parts;
  if (parts.length === 2 && isUsable({ center, width })) return { center, width };
  throw refusal(`--window ${text} is not a window. Give CENTER,WIDTH with a width of at least 1.`);
}

/**
 * The window of a request for a frame. A name is a preset for the file's modality and body part, else the explanation
 * that the file gives with one of its own windows or VOI LUTs, letter case ignored.
 *
 * @throws {GroundmarkError} `bad-option` when the frame has no window of that number or name
 */
export function chooseWindow(
  request: WindowRequest,
  { windows, voiTables }: Pick<FramePixels, 'windows' | 'voiTables'>,
  names: WindowNames,
): VoiChoice {
  if (typeof request === 'string' || 'center' in request) return request;
  const own = [...windows, ...voiTables];
  if ('number' in request) {
    const chosen = own[request.number - 1];
    if (chosen) return chosen;
    throw refusal(
      `--window ${request.number}: this frame has ${own.length} windows. Give C,W, auto or a preset.`,
    );
  }
  const { name } = request;
  const { modality, bodyPart, presets } = names;
  const preset = presetOf(presets, name, { modality, bodyPart });
  if (preset) return { center: preset.center, width: preset.width };
  const explained = own.find(({ explanation }) => explanation?.toLowerCase() === name.toLowerCase());
  if (explained) return explained;
  const others = [...new Set(presets.filter((other) => other.name === name).map((other) => other.modality))];
  const known = [
    ...new Set(presets.filter((other) => other.modality === modality).map((other) => other.name)),
  ];
  throw refusal(
    (others.length > 0
      ? `--window ${name} is a preset for ${others.join(', ')}, and this file is ${modality ?? 'without a modality'}. `
      : `--window ${name} is neither a preset nor the explanation of one of the file's windows. `) +
      `Give CENTER,WIDTH, file, auto, a number from 1${known.length > 0 ? `, or one of ${known.join(', ')}` : ''}.`,
  );
}

function refusal(message: string): GroundmarkError {
  return new GroundmarkError('bad-option', message, {}, { exit: EXIT.usage });
}
