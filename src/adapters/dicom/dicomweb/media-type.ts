/** A media type, its name in lower case, parameter names too. RFC 9110 §8.3. */
export interface MediaType {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A Content-Type header taken apart; `type` is '' when there is none. Parameter values may stand in quotes. */
export function parseMediaType(header: string | null | undefined): MediaType {
  const [, type = '', rest = ''] = /^\s*([^;\s]*)\s*(.*)$/su.exec(header ?? '')!;
  const parameters = new Map<string, string>();
  for (const [, name, quoted, plain] of rest.matchAll(PARAMETER)) {
    const value = quoted === undefined ? plain!.trim() : quoted.replaceAll(/\\(.)/gu, '$1');
    if (!parameters.has(name!.toLowerCase())) parameters.set(name!.toLowerCase(), value);
  }
  return { type: type.toLowerCase(), parameters };
}

const PARAMETER = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/gu;
