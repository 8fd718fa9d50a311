import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileStore } from '../../../src/adapters/store/index.js';
import { readBatchState, writeBatchState, type BatchState } from '../../../src/score/run/batch-state.js';
import { testFolder } from './helpers.js';

const STATE: BatchState = {
  epochs: 2,
  handles: [
    {
      model: 'openai/m',
      parts: [{ id: 'batch_1', keys: ['a-e1', 'b-e1'] }],
      sent: { 'a-e1': [{ sha256: 'ab', width: 20, height: 10, bytes: 300 }], 'b-e1': [] },
    },
  ],
  tries: { 'a-e1': 1 },
};

let file = '';
beforeEach(async () => {
  file = path.join(await testFolder(), 'batch.json');
});

describe('batch.json', () => {
  it('gives back what was written', async () => {
    await writeBatchState(file, STATE, fileStore());
    expect(await readBatchState(file, fileStore())).toMatchObject(STATE);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ schemaVersion: 1, epochs: 2 });
  });

  it('is not there before a batch is under way, nor after', async () => {
    expect(await readBatchState(file, fileStore())).toBeNull();
    await writeBatchState(file, STATE, fileStore());
    await writeBatchState(file, { ...STATE, handles: [] }, fileStore());
    expect(await readBatchState(file, fileStore())).toBeNull();
    await writeBatchState(file, { ...STATE, handles: [] }, fileStore());
  });

  it.each([
    ['nothing', ''],
    ['half of it', JSON.stringify(STATE).slice(0, 60)],
    ['a list', '[]'],
    ['no handles', JSON.stringify({ schemaVersion: 1, epochs: 1, tries: {} })],
    ['no epochs', JSON.stringify({ ...STATE, schemaVersion: 1, epochs: 0 })],
    [
      'a part without keys',
      JSON.stringify({ ...STATE, handles: [{ model: 'm', parts: [{ id: 'x' }], sent: {} }] }),
    ],
    ['another version', JSON.stringify({ ...STATE, schemaVersion: 2 })],
  ])('refuses %s: what a provider holds is paid for', async (_, text) => {
    await writeFile(file, text);
    await expect(readBatchState(file, fileStore())).rejects.toMatchObject({
      code: 'bad-batch-file',
      exit: 3,
      message: expect.stringMatching(/Restore it, or remove it to submit anew\.$/u) as string,
    });
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
