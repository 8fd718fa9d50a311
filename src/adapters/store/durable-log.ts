import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { fileError } from './file-store.js';
import { makeFolder } from './make-folder.js';

interface Waiting {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A file that only grows, for many writers at the same time. What comes in while the disk is busy goes out together, with
 * one forced write for all of it.
 *
 * After a failed write nothing more is taken: the end of the file is then not known to be whole.
 */
export class DurableLog {
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #broken: Error | null = null;

  private constructor(
    private readonly file: string,
    private readonly handle: FileHandle,
  ) {}

  static async open(file: string): Promise<DurableLog> {
    try {
      await makeFolder(path.dirname(file));
      return new DurableLog(file, await open(file, 'a'));
    } catch (cause) {
      throw fileError(cause, file, 'write');
    }
  }

  /** Adds a text and returns once it is on the disk. */
  append(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  /** Waits for what is being written. */
  async close(): Promise<void> {
    await this.#writing;
    await this.handle.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        if (this.#broken !== null) throw this.#broken;
        await this.handle.writeFile(group.map(({ text }) => text).join(''));
        await this.handle.datasync();
        group.forEach(({ resolve }) => resolve());
      } catch (cause) {
        this.#broken ??= fileError(cause, this.file, 'write');
        group.forEach(({ reject }) => reject(this.#broken));
      }
    }
    this.#writing = null;
  }
}
