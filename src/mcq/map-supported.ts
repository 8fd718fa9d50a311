import type { Axis, AxisValue } from './axis.js';
import type { ProposedSet } from './generator.js';
import type { Support } from './supported-value.js';

/** Five choices on one axis, the one that the report supports among them. */
export interface MappedSet {
  readonly axis: Axis;
  readonly values: readonly AxisValue[];
  readonly supported: AxisValue;
}

/**
 * The proposed sets that hold the supported value and no value that may be true as well, in their order.
 *
 * The sets were drawn without the report and are only filtered here, so every value of a set is as likely to be the
 * supported one.
 */
export function mapSupported(
  axis: Axis,
  proposed: readonly ProposedSet[],
  support: Support & { usable: true },
): MappedSet[] {
  const barred = new Set(support.barred);
  const byId = new Map(axis.values.map((value) => [value.id, value]));
  return proposed
    .filter(({ valueIds }) => valueIds.includes(support.value.id) && !valueIds.some((id) => barred.has(id)))
    .map(({ valueIds }) => ({
      axis,
      values: valueIds.map((id) => byId.get(id)!),
      supported: support.value,
    }));
}
