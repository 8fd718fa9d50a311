import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSealed, sealFor } from '../../src/adapters/seal/index.js';
import { fileError } from '../../src/adapters/store/file-store.js';
import { fileStore, type Store } from '../../src/adapters/store/index.js';
import { GroundmarkError } from '../../src/domain/error.js';
import { runRelease, runVerify, type ReleaseInput, type ReleaseSummary } from '../../src/release/index.js';
import { sha256 } from '../../src/util/hash.js';
import { testDeps } from '../helpers/deps.js';
import { makeWorkspace, type Fixture } from './workspace-fixture.js';

const store = fileStore();
let w: Fixture;
const release = (overrides: Partial<ReleaseInput> = {}): Promise<ReleaseSummary> =>
  runRelease(
    { paths: w.paths, recipients: [], cases: w.cases, secret: 'f'.repeat(64), ...overrides },
    testDeps({ store }),
  );
const verify = (inside = true, identityFile: string | null = null, own: Store = store) =>
  runVerify({ folder: w.paths.public, identityFile, workspace: inside ? w : null }, testDeps({ store: own }));
const failed = async (inside = true, identityFile: string | null = null): Promise<string[]> =>
  (await verify(inside, identityFile)).checks.filter(({ ok }) => !ok).map(({ name }) => name);
const inBundle = (...parts: string[]): string => path.join(w.paths.public, ...parts);
const edit = async (name: string, change: (text: string) => string): Promise<void> => {
  const before = await readFile(inBundle(name), 'utf8');
  expect(change(before)).not.toBe(before);
  await writeFile(inBundle(name), change(before));
};
/** What an attacker does after a change: every hash and size of manifest.json made anew. */
async function rehash(): Promise<void> {
  const files = [];
  for (const name of (await store.list(w.paths.public)).filter((file) => file !== 'manifest.json')) {
    const bytes = await readFile(inBundle(name));
    files.push({ path: name, sha256: sha256(bytes), bytes: bytes.length });
  }
  const manifest = { schemaVersion: 1, format: 'groundmark-release', files };
  await writeFile(inBundle('manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
const ownIdentity = (): string => path.join(w.paths.state, 'identity.txt');
const secretKey = async (): Promise<string> => (await readFile(ownIdentity(), 'utf8')).split('\n')[1]!;
const open = async (name: string): Promise<Buffer> =>
  Buffer.from((await openSealed([await secretKey()], await readFile(path.join(w.paths.sealed, name))))!);

beforeEach(async () => {
  w = await makeWorkspace();
});

describe('a changed bundle whose manifest was made anew', () => {
  const attacks: Record<string, () => Promise<void>> = {
    'swapped choice texts': () =>
      edit('items.jsonl', (t) =>
        t.replace('upper part', '#').replace('middle part', 'upper part').replace('#', 'middle part'),
      ),
    'another question': () => edit('items.jsonl', (t) => t.replace('Where does', 'Where exactly does')),
    'another split': () => edit('items.jsonl', (t) => t.replace('"split":"dev"', '"split":"test"')),
    'swapped images': async () => {
      const [one, two] = [inBundle('images/q7c1/img01.png'), inBundle('images/q7c1/img02.png')];
      const [a, b] = [sha256(await readFile(one)), sha256(await readFile(two))];
      await rename(one, `${one}.x`);
      await rename(two, one);
      await rename(`${one}.x`, two);
      await edit('items.jsonl', (t) => t.replace(a, '#').replace(b, a).replace('#', b));
    },
    'another card': () => edit('README.md', (t) => t.replace('1 to 3 ids', '1 to 5 ids')),
    'another prompt': () => edit('prompt.md', (t) => `${t}Think.\n`),
  };

  it.each(Object.keys(attacks))(
    'with %s fails bundle-seal wherever the key can be opened',
    async (attack) => {
      await release();
      await attacks[attack]!();
      await rehash();
      expect(await failed(true)).toEqual(['bundle-seal']);
      expect(await failed(false, ownIdentity())).toEqual(['bundle-seal']);
      // Who has no key cannot know.
      expect(await failed(false)).toEqual([]);
    },
  );

  it('is clean when it was only hashed again', async () => {
    await release();
    await rehash();
    expect(await failed()).toEqual([]);
  });

  it('fails also when the attacker seals a hash for the public key, or takes the seal away', async () => {
    await release();
    await edit('README.md', (t) => `${t}More.\n`);
    await rehash();
    const at = path.join(w.paths.sealed, 'manifest.sha256.age');
    const hash = `${sha256(await readFile(inBundle('manifest.json')))}\n`;
    const recipient = await identityToRecipient(await secretKey());
    await writeFile(at, await sealFor([recipient], Buffer.from(hash)));
    expect(await failed()).toEqual(['bundle-seal']);
    await rm(at);
    expect(await failed()).toEqual(['bundle-seal']);
  });
});

describe('the seal of a bundle', () => {
  it('is what sha256sum gives for salt and manifest one after the other', async () => {
    await release();
    const both = Buffer.concat([await open('salt.txt.age'), await readFile(inBundle('manifest.json'))]);
    expect((await open('manifest.sha256.age')).toString()).toBe(`${sha256(both)}\n`);
  });

  it('is made anew when only the public side changed, also for recipients whose key is not here', async () => {
    const recipients = [await identityToRecipient(await generateIdentity())];
    for (const overrides of [{}, { recipients }]) {
      await release(overrides);
      expect((await release(overrides)).sealedKept).toBe(true);
      w.items[0]!.question = `Where is it now, ${recipients === overrides.recipients}?`;
      await w.save();
      expect((await release(overrides)).sealedKept).toBe(false);
    }
  });

  it('tells two sealed folders with the same key apart after a kill between two renames', async () => {
    await release();
    w.items[0]!.question = 'Which part is affected?';
    await w.save();
    const elsewhere = path.join(w.root, 'elsewhere');
    await release({ out: elsewhere });
    await rename(w.paths.sealed, `${w.paths.sealed}.previous`);
    await rename(path.join(elsewhere, 'sealed'), w.paths.sealed);
    expect(await failed()).toEqual([]);
    await rename(w.paths.public, `${w.paths.public}.previous`);
    await rename(path.join(elsewhere, 'public'), w.paths.public);
    expect(await failed()).toEqual([]);
  });

  it('stays closed for someone who may not read the workspace’s secret key', async () => {
    await release();
    const closed: Store = {
      ...store,
      read: async (file) => {
        if (file !== ownIdentity()) return store.read(file);
        throw fileError(Object.assign(new Error(), { code: 'EACCES' }), file, 'read');
      },
    };
    const report = await verify(true, null, closed);
    expect(report.ok).toBe(true);
    const details = report.checks.slice(-2);
    expect(details.map(({ name }) => name)).toEqual(['bundle-seal', 'commitment']);
    for (const { detail } of details) expect(detail).toContain('not opened');
    await expect(verify(false, ownIdentity(), closed)).rejects.toMatchObject({ code: 'no-permission' });
  });
});

describe('what does not belong into a bundle', () => {
  it.each([
    {
      what: 'a field in manifest.json',
      checks: ['manifest'],
      spoil: () => edit('manifest.json', (t) => t.replace('{', '{\n  "patient": "DOE^JOHN",')),
    },
    {
      what: 'a field given twice in manifest.json',
      checks: ['manifest'],
      spoil: () => edit('manifest.json', (t) => t.replace('{', '{\n  "format": "DOE^JOHN",')),
    },
    {
      what: 'a field in commitment.json',
      checks: ['commitment'],
      spoil: () => edit('commitment.json', (t) => t.replace('{', '{\n  "patient": "DOE^JOHN",')),
    },
    {
      what: 'another number of items in commitment.json',
      checks: ['commitment'],
      spoil: () => edit('commitment.json', (t) => t.replace('"items": 3', '"items": 4')),
    },
    {
      what: 'a field given twice in items.jsonl',
      checks: ['items-schema'],
      spoil: () => edit('items.jsonl', (t) => t.replace('"split"', '"split":"DOE^JOHN","split"')),
    },
    { what: 'an empty folder', checks: ['files'], spoil: () => mkdir(inBundle('images', 'spare')) },
    {
      what: 'a link',
      checks: ['files'],
      spoil: () => symlink(path.join(w.root, 'dicom'), inBundle('images', 'q7c1', 'more')),
    },
  ])('$what is refused for an outsider', async ({ what, checks, spoil }) => {
    await release();
    await spoil();
    if (!what.includes('manifest')) await rehash().catch(() => undefined);
    expect((await failed(false)).filter((name) => name !== 'manifest' || checks.includes(name))).toEqual(
      checks,
    );
  });

  it('a folder named after a patient is refused without its name', async () => {
    await release();
    await mkdir(inBundle('MRN-5501982'));
    const report = await verify();
    expect(report.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['files', 'leak-scan']);
    expect(JSON.stringify(report.checks)).not.toContain('MRN-5501982');
  });
});

describe('a private value that also stands in our own wording', () => {
  const withCase = (caseId: string): Partial<ReleaseInput> => ({ cases: [{ ...w.cases[0]!, caseId }] });

  it.each([
    'a b',
    'b text',
    'of one',
    'one item a line',
    '2020-12',
    'groundmark-release',
    'prompt.md',
    'a\nb',
  ])('does not stop a release: case id %j', async (caseId) => {
    expect(await release(withCase(caseId))).toMatchObject({ items: 3 });
    expect((await verify()).ok).toBe(true);
  });

  it.each(['a b', 'one item a line', '2020-12'])('is still found in an item: %s', async (caseId) => {
    w.items[0]!.question = `Where is ${caseId}?`;
    await w.save();
    await expect(release(withCase(caseId))).rejects.toMatchObject({ code: 'leak' });
  });

  it('is found in a card that is not as we write it', async () => {
    await release();
    await edit('README.md', (t) => `${t}See a b.\n`);
    const input = { folder: w.paths.public, identityFile: null };
    const cases = [{ ...w.cases[0]!, caseId: 'a b' }];
    const report = await runVerify({ ...input, workspace: { paths: w.paths, cases } }, testDeps());
    expect(report.checks.find(({ name }) => name === 'leak-scan')!.ok).toBe(false);
  });
});

describe('a release into a file', () => {
  it.each(['a file', '/dev/null'])('is refused as a user can understand it: %s', async (what) => {
    const out = what === 'a file' ? path.join(w.root, 'report.txt') : what;
    const error: unknown = await release({ out }).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(GroundmarkError);
    expect(error).toMatchObject({ code: 'not-a-folder' });
  });
});
