import { describe, expect, it } from 'vitest';
import { chooseWindow, parseWindow } from '../../src/cli/window-option.js';
import { windowRulesSchema } from '../../src/adapters/image/index.js';
import { readDataYaml } from '../../src/adapters/store/index.js';

const { presets } = await readDataYaml('windows.yaml', windowRulesSchema);
const NORMAL = { center: 50, width: 350, explanation: 'NORMAL' };
const HARDER = { center: 60, width: 250, explanation: 'HARDER' };
const TABLE = { first: 0, bits: 8, entries: Uint16Array.of(0, 255), explanation: 'SOFTER' };

function choose(text: string, modality = 'CT', bodyPart: string | null = null) {
  const frame = { windows: [NORMAL, HARDER], voiTables: [TABLE] };
  return chooseWindow(parseWindow(text), frame, { modality, bodyPart, presets });
}

describe('--window', () => {
  it.each([
    ['file', 'file'],
    ['auto', 'auto'],
    ['40,400', { center: 40, width: 400 }],
    ['-600, 1500', { center: -600, width: 1500 }],
    ['0.5,1', { center: 0.5, width: 1 }],
    ['1', NORMAL],
    ['2', HARDER],
    ['3', TABLE],
    ['harder', HARDER],
    ['Softer', TABLE],
    ['lung', { center: -600, width: 1500 }],
  ])('%s', (text, chosen) => {
    expect(choose(text)).toEqual(chosen);
  });

  it('a preset is chosen by body part where it has several forms', () => {
    expect(choose('soft-tissue', 'CT', 'ABDOMEN')).toEqual({ center: 50, width: 400 });
    expect(choose('soft-tissue', 'CT', 'neck ')).toEqual({ center: 40, width: 375 });
    expect(choose('bone', 'CT', 'SKULL')).toEqual({ center: 600, width: 2800 });
    expect(choose('bone', 'CT', null)).toEqual({ center: 500, width: 2000 });
    expect(choose('suv-10', 'PT')).toEqual({ center: 5, width: 10 });
  });

  it.each([
    ['4', 'CT', 'this frame has 3 windows'],
    ['lungs', 'CT', 'neither a preset nor the explanation'],
    ['lungs', 'CT', 'brain, stroke, subdural'],
    ['lung', 'PT', 'is a preset for CT, and this file is PT'],
    ['lung', 'PT', 'suv-6, suv-10'],
  ])('%s of %s is refused: %s', (text, modality, says) => {
    expect(() => choose(text, modality)).toThrow(says);
  });

  it.each(['40,0', '40,0.5', '40,', ',', '1,2,3', 'a,b', '40,Infinity'])('%s is no window', (text) => {
    expect(() => parseWindow(text)).toThrow(`--window ${text} is not a window`);
  });
});
