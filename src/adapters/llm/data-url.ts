/** RFC 2397. */
export function dataUrl(mediaType: string, base64: string): string {
  return `data:${mediaType};base64,${base64}`;
}

/** Type and base64 of a data URL; both '' for anything else. */
export function splitDataUrl(url: string): { readonly mediaType: string; readonly base64: string } {
  // No regular expression over megabytes: the comma ends the head.
  const comma = url.indexOf(',');
  const head = /^data:([a-z]+\/[a-z0-9.+-]+);base64$/iu.exec(url.slice(0, Math.max(0, comma)));
  return head ? { mediaType: head[1]!, base64: url.slice(comma + 1) } : { mediaType: '', base64: '' };
}
