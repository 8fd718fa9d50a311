import type { StageReport } from './run-pipeline.js';

/** One line on a finished stage: its counts, or that nothing changed. */
export function stageLine(label: string, { skipped, summary, seconds }: StageReport): string {
  if (skipped) return `${label}: unchanged`;
  const parts = Object.entries(summary).flatMap(([name, value]) => describe(name, value));
  return `${label}: ${parts.join(', ') || 'done'} (${seconds} s)`;
}

function describe(name: string, value: unknown): string[] {
  const label = name.replace(/([A-Z])/g, ' $1').toLowerCase();
  if (typeof value === 'number' || typeof value === 'string') return [`${label} ${value}`];
  if (value === null || typeof value !== 'object') return [];
  const inner = flatten(value as Record<string, unknown>);
  return inner.length === 0 ? [] : [`${label} (${inner.join(', ')})`];
}

function flatten(value: Record<string, unknown>, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, entry]) => {
    if (entry !== null && typeof entry === 'object')
      return flatten(entry as Record<string, unknown>, `${prefix}${key} `);
    const shown = typeof entry === 'number' ? Math.round(entry * 1000) / 1000 : String(entry);
    return [`${prefix}${key} ${shown}`];
  });
}
