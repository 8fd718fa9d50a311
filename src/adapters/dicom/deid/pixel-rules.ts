import { z } from 'zod';
import type { PixelRule } from '../../../domain/pixel-rules.js';
import { isRegularExpression } from '../../../util/text.js';
import { readDataYaml } from '../../store/index.js';
import type { HeaderView } from './header-view.js';

/** A suspicion raised by a header. */
export interface PixelFlag {
  readonly rule: PixelRule;
  /** Whether the material is kept out; else it is only told. */
  readonly refuse: boolean;
}

const severity = z.enum(['refuse', 'note']);
const words = z.array(z.string().min(1));
const rulesSchema = z.strictObject({
  burnedInAnnotation: severity,
  recognizableFeatures: severity,
  embeddedOverlay: severity,
  secondaryCapture: z.strictObject({ sopClassUids: words, conversionTypes: words }),
  screenSave: z.strictObject({
    imageTypes: words,
    descriptions: z.array(z.string().refine(isRegularExpression, 'not a regular expression')),
  }),
  burnedInUnknown: z.strictObject({ refuse: words, note: words }),
});
export type PixelRules = z.infer<typeof rulesSchema>;

let loaded: Promise<PixelRules> | null = null;

/** `data/deid-pixel-rules.yaml`, read once. */
export function loadPixelRules(): Promise<PixelRules> {
  loaded ??= readDataYaml('deid-pixel-rules.yaml', rulesSchema);
  return loaded;
}

/** What a header says of its pixels; [] when nothing is suspected. Sorted by rule. */
export function pixelFlags(header: HeaderView, rules: PixelRules): PixelFlag[] {
  const flags: PixelFlag[] = [];
  const add = (rule: PixelRule, how: 'refuse' | 'note' = 'refuse'): void => {
    flags.push({ rule, refuse: how === 'refuse' });
  };
  const modality = header.text('00080060') ?? '';
  const burnedIn = header.text('00280301')?.toUpperCase() ?? null;
  if (header.textsAnywhere('00280301').includes('YES')) add('burned-in-annotation', rules.burnedInAnnotation);
  else if (burnedIn !== 'NO' && header.hasPixels) {
    if (rules.burnedInUnknown.refuse.includes(modality)) add('burned-in-unknown');
    else if (rules.burnedInUnknown.note.includes(modality)) add('burned-in-unknown', 'note');
  }
  if (header.hasPixels && hasEmbeddedOverlay(header)) add('embedded-overlay', rules.embeddedOverlay);
  if (header.has('00420011')) add('encapsulated-document');
  if (header.textsAnywhere('00280302').includes('YES')) {
    add('recognizable-features', rules.recognizableFeatures);
  }
  if (isScreenSave(header, rules)) add('screen-save');
  const { sopClassUids, conversionTypes } = rules.secondaryCapture;
  if (
    sopClassUids.includes(header.text('00080016') ?? '') ||
    conversionTypes.includes(header.text('00080064')?.toUpperCase() ?? '')
  ) {
    add('secondary-capture');
  }
  return flags;
}

function isScreenSave(header: HeaderView, { screenSave }: PixelRules): boolean {
  const types = (header.text('00080008') ?? '').split('\\').map((type) => type.trim().toUpperCase());
  if (types.some((type) => screenSave.imageTypes.includes(type))) return true;
  const description = header.text('0008103e') ?? '';
  return screenSave.descriptions.some((pattern) => new RegExp(pattern, 'iu').test(description));
}

/** An overlay group without data of its own: its bits lie in the pixel data above the stored ones. */
function hasEmbeddedOverlay(header: HeaderView): boolean {
  return header.overlayGroups.some(
    (group) => !header.has(`${group}3000`) && (header.uint16(`${group}0102`) ?? 0) > 0,
  );
}
