import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSealed } from '../../src/adapters/seal/index.js';
import { fileStore, type Store } from '../../src/adapters/store/index.js';
import { fileError } from '../../src/adapters/store/file-store.js';
import { GroundmarkError } from '../../src/domain/error.js';
import { sha256 } from '../../src/util/hash.js';
import { runRelease, runVerify, type ReleaseInput, type ReleaseSummary } from '../../src/release/index.js';
import { testDeps } from '../helpers/deps.js';
import { compressedTextChunk, noisePng, paddedTo, textChunk } from './png-fixture.js';
import { makeWorkspace, SECRETS, type Fixture } from './workspace-fixture.js';

const store = fileStore();
const SECRET = 'f'.repeat(64);
let w: Fixture;

function release(overrides: Partial<ReleaseInput> = {}, own: Store = store): Promise<ReleaseSummary> {
  const deps = testDeps({ store: own });
  return runRelease({ paths: w.paths, recipients: [], cases: w.cases, secret: SECRET, ...overrides }, deps);
}
const verify = (folder: string, inside = true, identityFile: string | null = null) =>
  runVerify({ folder, identityFile, workspace: inside ? w : null }, testDeps());
const failed = async (folder: string, inside = true): Promise<string[]> =>
  (await verify(folder, inside)).checks.filter(({ ok }) => !ok).map(({ name }) => name);
const refusal = async (work: Promise<unknown>): Promise<GroundmarkError> => {
  const error: unknown = await work.then(
    () => null,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(GroundmarkError);
  return error as GroundmarkError;
};
async function bytesOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const file of await store.list(folder)) found[file] = sha256(await readFile(path.join(folder, file)));
  return found;
}

beforeEach(async () => {
  w = await makeWorkspace();
});

describe('runRelease', () => {
  it('writes a bundle that its own verify and an outsider’s verify pass', async () => {
    const summary = await release();
    expect(summary).toMatchObject({ items: 3, images: 21, files: 27, identityMade: true, sealedKept: false });
    expect(await failed(w.root)).toEqual([]);
    expect(await failed(w.paths.public, false)).toEqual([]);
    expect((await store.list(w.paths.public)).filter((file) => !file.startsWith('images/'))).toEqual([
      'README.md',
      'commitment.json',
      'items.jsonl',
      'items.schema.json',
      'manifest.json',
      'prompt.md',
    ]);
  });

  it('publishes items by id with the contract’s fields only, in its order', async () => {
    Object.assign(w.items[0]!, { note: 'unknown fields stay at home' });
    await w.save();
    await release();
    const lines = (await readFile(path.join(w.paths.public, 'items.jsonl'), 'utf8')).trim().split('\n');
    const items = lines.map(
      (line) => JSON.parse(line) as { id: string; images: object[]; choices: object[] },
    );
    expect(items.map(({ id }) => id)).toEqual(['q2f9', 'q5d0', 'q7c1']);
    expect(Object.keys(items[2]!)).toEqual(['schemaVersion', 'id', 'question', 'choices', 'images', 'split']);
    expect(Object.keys(items[2]!.images[0]!)).toEqual(['id', 'file', 'sha256', 'width', 'height']);
    expect(items[2]!.images[0]).toMatchObject({ file: 'images/q7c1/img01.png' });
  });

  it('gives the same public bytes twice, for any place, and keeps the sealed key when it is still right', async () => {
    const first = await release();
    const before = await bytesOf(w.paths.public);
    const sealed = await bytesOf(w.paths.sealed);
    const second = await release();
    expect(await bytesOf(w.paths.public)).toEqual(before);
    expect(await bytesOf(w.paths.sealed)).toEqual(sealed);
    expect(second).toMatchObject({ sealedKept: true, identityMade: false, commitment: first.commitment });
    const elsewhere = path.join(w.root, 'elsewhere');
    await release({ out: elsewhere });
    expect(await bytesOf(path.join(elsewhere, 'public'))).toEqual(before);
  });

  it('commits to salt and key: what sha256sum gives for the two files one after the other', async () => {
    const { commitment } = await release();
    const identity = (await readFile(path.join(w.paths.state, 'identity.txt'), 'utf8')).split('\n')[1]!;
    const open = async (name: string): Promise<Buffer> =>
      Buffer.from((await openSealed([identity], await readFile(path.join(w.paths.sealed, name))))!);
    const salt = await open('salt.txt.age');
    const key = await open('key.jsonl.age');
    expect(salt.toString()).toMatch(/^[0-9a-f]{64}\n$/);
    expect(key.equals(await readFile(w.paths.key))).toBe(true);
    expect(sha256(Buffer.concat([salt, key]))).toBe(commitment);
    const report = await verify(w.paths.public);
    expect(report.checks.at(-1)).toMatchObject({ name: 'commitment', ok: true });
    expect(report.checks.at(-1)!.detail).toContain('is what was promised');
  });

  it('writes its own secret key for its owner’s eyes only and never tells it', async () => {
    const summary = await release();
    const file = path.join(w.paths.state, 'identity.txt');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(summary.identityFile).toBe(file);
    expect(JSON.stringify(summary)).not.toContain('AGE-SECRET-KEY');
  });

  it('seals for the recipients given, in any order, and makes no key pair then', async () => {
    const identities = [await generateIdentity(), await generateIdentity()];
    const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)));
    const summary = await release({ recipients });
    expect(summary.identityFile).toBeNull();
    for (const identity of identities) {
      const sealed = await readFile(path.join(w.paths.sealed, 'key.jsonl.age'));
      expect(await openSealed([identity], sealed)).not.toBeNull();
    }
    expect((await release({ recipients: [...recipients].reverse() })).sealedKept).toBe(true);
    expect((await release({ recipients: [recipients[0]!] })).sealedKept).toBe(false);
  });

  it('refuses a recipient that is none before writing anything', async () => {
    const error = await refusal(release({ recipients: ['age1nonsense'] }));
    expect(error).toMatchObject({ code: 'bad-recipient', exit: 2 });
    const secret = await refusal(release({ recipients: ['AGE-SECRET-KEY-1ABC'] }));
    expect(secret.message).not.toContain('1ABC');
    expect(await store.exists(path.dirname(w.paths.public))).toBe(false);
  });
});

describe('runRelease, when something private would leave', () => {
  const plants: Record<string, () => Promise<void>> = {
    'a name in a question': () => plantQuestion(`Was it Dr ${SECRETS.family}?`),
    'a series UID in a question': () => plantQuestion(`Look at ${SECRETS.series}`),
    'a report sentence in a choice': async () => {
      (w.items[0] as { choices: { text: string }[] }).choices[0]!.text = SECRETS.sentence;
      await w.save();
    },
    'a birth date in a question': () => plantQuestion(`born ${SECRETS.birthDate}`),
    'the opaque series id of the key': () => plantQuestion(SECRETS.opaqueSeries),
    'the case group in base64': () => plantQuestion(Buffer.from(SECRETS.caseGroup).toString('base64')),
    'a name in a PNG tEXt chunk': async () => plantImage(textChunk(await noisePng('x'), SECRETS.family)),
    'a name in a PNG zTXt chunk': async () =>
      plantImage(compressedTextChunk(await noisePng('x'), SECRETS.family)),
  };
  const plantQuestion = async (question: string): Promise<void> => {
    w.items[0]!.question = question;
    await w.save();
  };
  const plantImage = (png: Buffer): Promise<void> => w.replaceImage(0, 0, paddedTo(png, 1024));

  it.each(Object.keys(plants))(
    'refuses %s, leaves no bundle and does not repeat the value',
    async (plant) => {
      await plants[plant]!();
      const error = await refusal(release());
      expect(error).toMatchObject({ code: 'leak', exit: 1 });
      for (const value of Object.values(SECRETS)) expect(error.message).not.toContain(value);
      expect(await store.list(path.dirname(w.paths.public))).toEqual([]);
    },
  );

  it('names the file and the kind', async () => {
    await plantQuestion(`Was it Dr ${SECRETS.family}?`);
    expect((await refusal(release())).message).toContain('items.jsonl: patient');
  });

  it('keeps an earlier release', async () => {
    await release();
    const before = await bytesOf(w.paths.public);
    await plantQuestion(SECRETS.series);
    await refusal(release());
    expect(await bytesOf(w.paths.public)).toEqual(before);
    expect(await store.list(path.dirname(w.paths.public))).not.toContain('public.partial/items.jsonl');
  });

  it('refuses an item id that is a patient id and does not print it', async () => {
    const id = w.items[0]!.id as string;
    w.items[0]!.id = SECRETS.patientId;
    await w.save();
    const key = await readFile(w.paths.key, 'utf8');
    await writeFile(w.paths.key, key.replace(`"id":"${id}"`, `"id":"${SECRETS.patientId}"`));
    const error = await refusal(release());
    expect(error.code).toBe('leak');
    expect(error.message).not.toContain(SECRETS.patientId);
  });
});

describe('runRelease, with bad input', () => {
  it.each([
    { code: 'no-items', spoil: () => writeFile(w.paths.items, '') },
    { code: 'key-mismatch', spoil: () => writeFile(w.paths.key, '') },
    { code: 'not-found', spoil: () => rm(w.paths.key) },
    { code: 'bad-image', spoil: () => rm(path.join(w.paths.itemImages, 'q7c1', 'img03.png')) },
    {
      code: 'bad-image',
      spoil: async () =>
        writeFile(path.join(w.paths.itemImages, 'q7c1', 'img03.png'), await noisePng('other')),
    },
    { code: 'bad-bundle', spoil: async () => w.replaceImage(1, 2, paddedTo(await noisePng('y'), 1025)) },
    {
      code: 'bad-bundle',
      spoil: async () => w.replaceImage(1, 2, paddedTo(textChunk(await noisePng('y'), 'hi'), 1024)),
    },
  ])('stops with $code and leaves nothing', async ({ code, spoil }) => {
    await spoil();
    expect((await refusal(release())).code).toBe(code);
    expect(await store.list(path.dirname(w.paths.public))).toEqual([]);
  });

  it('does not touch a folder that it did not write', async () => {
    await mkdir(w.paths.public, { recursive: true });
    await writeFile(path.join(w.paths.public, 'thesis.txt'), 'mine');
    expect((await refusal(release())).code).toBe('not-ours');
    expect(await readFile(path.join(w.paths.public, 'thesis.txt'), 'utf8')).toBe('mine');
  });

  it('does not remove a file that someone put into its bundle', async () => {
    await release();
    await writeFile(path.join(w.paths.public, 'NOTES.md'), 'mine');
    const error = await refusal(release());
    expect(error.code).toBe('not-ours');
    expect(error.message).toContain('NOTES.md');
  });

  it('removes the files of an item that is no longer there', async () => {
    await release();
    const gone = w.items.pop()!.id as string;
    await w.save();
    const key = (await readFile(w.paths.key, 'utf8')).split('\n').filter((line) => !line.includes(gone));
    await writeFile(w.paths.key, key.join('\n'));
    expect(await release()).toMatchObject({ items: 2, sealedKept: false });
    expect((await store.list(w.paths.public)).some((file) => file.includes(gone))).toBe(false);
    expect(await failed(w.root)).toEqual([]);
  });

  it('says that the disk is full and keeps the earlier release', async () => {
    await release();
    const before = await bytesOf(w.paths.public);
    let writes = 0;
    const full: Store = {
      ...store,
      write: async (file, data) => {
        if (++writes > 9) throw fileError(Object.assign(new Error(), { code: 'ENOSPC' }), file, 'write');
        return store.write(file, data);
      },
    };
    expect((await refusal(release({}, full))).code).toBe('disk-full');
    expect(await bytesOf(w.paths.public)).toEqual(before);
    expect(await store.exists(`${w.paths.public}.partial`)).toBe(false);
  });
});

describe('a release that was killed', () => {
  /** The folders as they lie after each step of bringing a changed release in. */
  const steps: { at: string; arrange: (at: Place) => Promise<void>; state: 'old' | 'new' }[] = [
    { at: 'while building', arrange: async () => undefined, state: 'old' },
    {
      at: 'after the old key was moved',
      arrange: (p) => rename(p.sealed, `${p.sealed}.previous`),
      state: 'old',
    },
    {
      at: 'after the new key was moved in',
      arrange: async (p) => {
        await rename(p.sealed, `${p.sealed}.previous`);
        await rename(`${p.sealed}.partial`, p.sealed);
      },
      state: 'old',
    },
    {
      at: 'after the old bundle was moved',
      arrange: async (p) => {
        await rename(p.sealed, `${p.sealed}.previous`);
        await rename(`${p.sealed}.partial`, p.sealed);
        await rename(p.public, `${p.public}.previous`);
      },
      state: 'old',
    },
    {
      at: 'after the new bundle was moved in',
      arrange: async (p) => {
        await rename(p.sealed, `${p.sealed}.previous`);
        await rename(`${p.sealed}.partial`, p.sealed);
        await rename(p.public, `${p.public}.previous`);
        await rename(`${p.public}.partial`, p.public);
      },
      state: 'new',
    },
  ];
  type Place = { public: string; sealed: string };

  it.each(steps)(
    '$at verifies as the $state one, key included, and the next run tidies up',
    async ({ arrange, state }) => {
      await release();
      const old = (await verify(w.root)).checks;
      expect(old.every(({ ok }) => ok)).toBe(true);
      const oldQuestion = 'Where does the abnormality lie?';
      w.items[0]!.question = 'Which part is affected?';
      await w.save();
      await writeFile(
        w.paths.key,
        (await readFile(w.paths.key, 'utf8')).replace('"answer":"A"', '"answer":"E"'),
      );
      // The changed release is made elsewhere and laid beside the old one as the run would have built it.
      const elsewhere = path.join(w.root, 'elsewhere');
      await release({ out: elsewhere });
      for (const name of ['public', 'sealed'] as const) {
        await rename(path.join(elsewhere, name), `${w.paths[name]}.partial`);
      }
      await arrange(w.paths);
      for (const place of [w.root, w.paths.public]) {
        const report = await verify(place);
        expect(report.checks.filter(({ ok }) => !ok)).toEqual([]);
        const items = await readFile(path.join(report.folder, 'items.jsonl'), 'utf8');
        expect(items.includes('Which part is affected?')).toBe(state === 'new');
        expect(items.split(oldQuestion).length - 1).toBe(state === 'new' ? 2 : 3);
      }
      await release();
      expect(
        (await store.list(path.dirname(w.paths.public))).filter((f) => /partial|previous/.test(f)),
      ).toEqual([]);
      expect(await failed(w.root)).toEqual([]);
    },
  );
});

describe('runVerify', () => {
  const inBundle = (...parts: string[]): string => path.join(w.paths.public, ...parts);
  const edit = async (file: string, change: (text: string) => string): Promise<void> =>
    writeFile(file, change(await readFile(file, 'utf8')));

  it.each([
    {
      what: 'an edited card',
      checks: ['manifest'],
      spoil: () => edit(inBundle('README.md'), (t) => `${t}\n`),
    },
    {
      what: 'a missing image',
      checks: ['manifest', 'images'],
      spoil: () => rm(inBundle('images/q7c1/img02.png')),
    },
    {
      what: 'a file too many',
      checks: ['manifest', 'files'],
      spoil: () => writeFile(inBundle('images/q7c1/img13.png'), 'x'),
    },
    {
      what: 'a field too many',
      checks: ['manifest', 'items-schema', 'files', 'leak-scan'],
      spoil: () => edit(inBundle('items.jsonl'), (t) => t.replace('"split"', '"role":"reference","split"')),
    },
    {
      what: 'a letter twice',
      checks: ['manifest', 'items'],
      spoil: () => edit(inBundle('items.jsonl'), (t) => t.replace('"letter":"B"', '"letter":"A"')),
    },
    {
      what: 'an item twice',
      checks: ['manifest', 'items', 'commitment'],
      spoil: () => edit(inBundle('items.jsonl'), (t) => t + t.split('\n')[0]! + '\n'),
    },
    {
      what: 'a wrong width',
      checks: ['manifest', 'images'],
      spoil: () => edit(inBundle('items.jsonl'), (t) => t.replace('"width":24', '"width":25')),
    },
    {
      what: 'an image of another size in bytes with a text',
      checks: ['manifest', 'images', 'image-bytes', 'png-chunks'],
      spoil: async () => {
        const file = inBundle('images/q7c1/img02.png');
        await writeFile(file, textChunk(await readFile(file), 'a note'));
      },
    },
    {
      what: 'a UID in the card',
      checks: ['manifest', 'leak-scan'],
      spoil: () => edit(inBundle('README.md'), (t) => `${t}\n1.2.840.113619.2.55.3.604688119\n`),
    },
    {
      what: 'no commitment',
      checks: ['manifest', 'files', 'commitment'],
      spoil: () => rm(inBundle('commitment.json')),
    },
    { what: 'no manifest', checks: ['manifest', 'files'], spoil: () => rm(inBundle('manifest.json')) },
  ])('flags $what for an outsider', async ({ checks, spoil }) => {
    await release();
    await spoil();
    expect(new Set(await failed(w.paths.public, false))).toEqual(new Set(checks));
  });

  it('flags a sealed key that is not the promised one', async () => {
    await release();
    const { promise } = await otherCommitment();
    await writeFile(inBundle('commitment.json'), promise);
    expect(await failed(w.paths.public)).toEqual(['manifest', 'commitment']);
  });
  const otherCommitment = async (): Promise<{ promise: string }> => {
    const text = await readFile(inBundle('commitment.json'), 'utf8');
    return { promise: text.replace(/"commitment": "[0-9a-f]{64}"/, `"commitment": "${'0'.repeat(64)}"`) };
  };

  it('flags an identity that does not open the key', async () => {
    await release();
    const file = path.join(w.root, 'other.txt');
    await writeFile(file, `# another\n${await generateIdentity()}\n`);
    const report = await verify(w.paths.public, false, file);
    expect(report.checks.at(-1)).toMatchObject({ name: 'commitment', ok: false });
  });

  it('says so when no bundle is there', async () => {
    expect((await refusal(verify(w.root, false))).code).toBe('not-found');
  });
});
