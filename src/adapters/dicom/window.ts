import { GroundmarkError } from '../../domain/error.js';
import { lookUp } from './lookup-table.js';
import { isUsable, isVoiTable, type Voi, type VoiTable, type Window } from './voi.js';

/**
 * What a window or VOI LUT makes of a value: 0 (darkest) to 255, rounded to the nearest level. A value that is no
 * number gives 0. PS3.3 C.11.2.1.1 (table), C.11.2.1.2.1 (LINEAR), C.11.2.1.3.1 (SIGMOID), C.11.2.1.3.2 (LINEAR_EXACT).
 *
 * @throws {GroundmarkError} `bad-window` when the width is below 1 (LINEAR) or not above 0 (the other shapes)
 */
export function levelOf(voi: Voi): (value: number) => number {
  if (isVoiTable(voi)) return tableLevel(voi);
  checkWindow(voi);
  const { center, width, shape } = voi;
  if (shape === 'SIGMOID') {
    return (x) => (Number.isNaN(x) ? 0 : Math.round(255 / (1 + Math.exp((-4 * (x - center)) / width))));
  }
  const linear = shape !== 'LINEAR_EXACT';
  const middle = linear ? center - 0.5 : center;
  const span = linear ? width - 1 : width;
  const lowest = middle - span / 2;
  const highest = middle + span / 2;
  return (x) => {
    if (x > highest) return 255;
    return x > lowest ? Math.round(((x - middle) / span + 0.5) * 255) : 0;
  };
}

/** The full range of the table's entries goes to 0 to 255. */
function tableLevel(table: VoiTable): (value: number) => number {
  // A table whose entries need more bits than it declares is scaled by what it holds.
  const top = Math.max(2 ** table.bits - 1, ...largest(table.entries));
  return (x) => (Number.isNaN(x) ? 0 : Math.round((lookUp(table, x) / top) * 255));
}

function largest(entries: Uint16Array): [number] {
  let most = 1;
  for (const entry of entries) if (entry > most) most = entry;
  return [most];
}

function checkWindow(window: Window): void {
  if (isUsable(window)) return;
  const { center, width, shape = 'LINEAR' } = window;
  throw new GroundmarkError(
    'bad-window',
    `Window centre ${center}, width ${width}: the width of a ${shape} window is ` +
      `${shape === 'LINEAR' ? 'at least 1 (PS3.3 C.11.2.1.2.1)' : 'above 0 (PS3.3 C.11.2.1.3)'}. Give a wider one.`,
    { center, width, shape },
  );
}

/**
 * 8-bit grey levels of values, in their order.
 *
 * @param invert - true where the lowest value is shown white
 * @throws {GroundmarkError} `bad-window`
 */
export function applyWindow(
  values: ArrayLike<number>,
  voi: Voi,
  options: { readonly invert?: boolean } = {},
): Uint8Array {
  const level = levelOf(voi);
  const out = new Uint8Array(values.length);
  for (let i = 0; i < out.length; i++) {
    const y = level(values[i]!);
    out[i] = options.invert === true ? 255 - y : y;
  }
  return out;
}
