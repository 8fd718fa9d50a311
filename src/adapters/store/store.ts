/** Files as the stages see them. Paths are absolute; every write is whole or not at all. */
export interface Store {
  read(path: string): Promise<Buffer>;
  /**
   * Writes to a temporary file beside the target and renames it: a killed run leaves no half file. Pieces are written one
   * after the other, so that a large file is never held whole.
   */
  write(path: string, data: string | Uint8Array | Pieces): Promise<void>;
  exists(path: string): Promise<boolean>;
  /** Files below a folder, as paths relative to it with `/`, sorted; [] when the folder is absent. */
  list(folder: string): Promise<string[]>;
  remove(path: string): Promise<void>;
}

/** A file's content in pieces of text. */
export interface Pieces {
  readonly pieces: Iterable<string>;
}
