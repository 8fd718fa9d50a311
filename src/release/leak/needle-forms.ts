import { wholeOnly } from './needle.js';

/** One way a value of 8 or more characters is written into bytes. ASCII case is ignored by the search. */
export interface NeedleForm {
  readonly form: 'plain' | 'latin-1' | 'utf-16';
  readonly bytes: Uint8Array;
  /** Whether it counts only where no letter or digit touches it. */
  readonly whole: boolean;
}

/** The forms that are looked for. What hides plain text (UTF-16, base64, hexadecimal) is undone in the file instead: `unwrap.ts`. */
export function needleForms(value: string): NeedleForm[] {
  const whole = wholeOnly(value);
  if (!/[^\0-\x7f]/.test(value)) return [{ form: 'plain', bytes: Buffer.from(value, 'latin1'), whole }];
  const forms: NeedleForm[] = [];
  for (const text of new Set([value.normalize('NFC'), value.normalize('NFD')])) {
    forms.push({ form: 'plain', bytes: Buffer.from(text, 'utf8'), whole });
    forms.push({ form: 'utf-16', bytes: Buffer.from(text, 'utf16le'), whole });
  }
  if (!/[^\0-\u00ff]/.test(value)) {
    forms.push({ form: 'latin-1', bytes: Buffer.from(value, 'latin1'), whole });
  }
  return forms;
}
