import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  checkRecipients,
  commitmentSalt,
  commitTo,
  openSealed,
  ownIdentity,
  readIdentities,
  sealFor,
} from '../../../src/adapters/seal/index.js';

// A pair made with Debian's age-keygen 1.1.1 for these tests; it protects nothing.
const IDENTITY = 'AGE-SECRET-KEY-1JJ5RTW984EKFCT93CW5AAHKFXJLZ8RXJR9C2PWA7CDMTKGMFKX0QMYZ6QA';
const RECIPIENT = 'age1m3du0xy4kkpe5mx6qfwga50h6cargjj76let9lasy2yvhzthhaqsw3wt5s';
// What `printf 'key line\n' | age -r RECIPIENT` of Debian's age 1.1.1 wrote, base64.
const SEALED_BY_AGE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBWaWRUUGZhMzVuaDhXTEh6NUpRUVVsWkkvSDNDUUFtUmU0RkJpcTlMcmdJCjJuQ1lQUU9lWEJXTFh3bGwxbTRtVVRqTURyWWRLUkozSFZKZjNuMDA0T2cKLS0tIER5alBkejc3MllPZEllR0FMRGF5WDJUYzlBOXZ4ZkVwZkw1emhWWlNhZVkKScS+hoUwDKPwbr1QA8qfQcDGepHHX3zLE3mEhWVj7om/mQAGmttlkeQ=';
const OTHER = 'AGE-SECRET-KEY-1NC6GP7PRZ92VY82PCTVEYXW0VLXC4T7ZMG78HA4SVYV978C4LW0SNMV6ZK';

describe('sealFor and openSealed', () => {
  it('open what was sealed for the recipient', async () => {
    const sealed = await sealFor([RECIPIENT], Buffer.from('key line\n'));
    expect(Buffer.from(sealed).toString('latin1').startsWith('age-encryption.org/v1\n')).toBe(true);
    expect(Buffer.from(sealed).includes('key line')).toBe(false);
    expect(Buffer.from((await openSealed([IDENTITY], sealed))!).toString()).toBe('key line\n');
  });

  it('open a file that the age tool wrote', async () => {
    const opened = await openSealed([IDENTITY], Buffer.from(SEALED_BY_AGE, 'base64'));
    expect(Buffer.from(opened!).toString()).toBe('key line\n');
  });

  it('give null for another identity, for none, and for a changed file', async () => {
    const sealed = Buffer.from(SEALED_BY_AGE, 'base64');
    expect(await openSealed([OTHER], sealed)).toBeNull();
    expect(await openSealed([], sealed)).toBeNull();
    sealed[sealed.length - 1]! ^= 1;
    expect(await openSealed([IDENTITY], sealed)).toBeNull();
  });

  it.each(['', 'age1', 'ssh-ed25519 AAAA', 'someone@example.org'])('refuse the recipient %j', (recipient) => {
    expect(() => checkRecipients([recipient])).toThrow(/is not an age recipient/);
  });

  it('never repeats a secret key that was given as recipient', () => {
    expect(() => checkRecipients([IDENTITY])).toThrow(/A recipient is a secret key/);
    expect(() => checkRecipients([IDENTITY])).not.toThrow(IDENTITY.slice(20, 40));
  });
});

describe('ownIdentity', () => {
  let file: string;
  beforeEach(async () => {
    file = path.join(await mkdtemp(path.join(tmpdir(), 'groundmark-seal-')), 'deep', 'identity.txt');
  });

  it('writes the key pair once, in age-keygen’s form and for the owner only', async () => {
    const first = await ownIdentity(file, async () => IDENTITY);
    expect(first).toEqual({ identity: IDENTITY, recipient: RECIPIENT, made: true });
    expect(await readFile(file, 'utf8')).toBe(`# public key: ${RECIPIENT}\n${IDENTITY}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const second = await ownIdentity(file);
    expect(second).toEqual({ identity: IDENTITY, recipient: RECIPIENT, made: false });
  });

  it.each(['', '# only a comment\n', 'AGE-SECRET-KEY-1BROKEN\n'])(
    'refuses a file without a key: %j',
    async (text) => {
      const damaged = `${path.dirname(path.dirname(file))}/damaged.txt`;
      await writeFile(damaged, text);
      await expect(readIdentities(damaged)).rejects.toMatchObject({ code: 'bad-identity' });
      await expect(readIdentities(damaged)).rejects.not.toThrow('1BROKEN');
      await expect(ownIdentity(damaged)).rejects.toMatchObject({ code: 'bad-identity' });
    },
  );
});

describe('commitTo', () => {
  it('is what sha256sum prints for salt and key', () => {
    // printf 'salt\nkey\n' | sha256sum
    expect(commitTo('salt\n', Buffer.from('key\n'))).toBe(
      '15b98979674a4dfde09575c7947292cfc540b13203f166c60557aab278d8ad5f',
    );
  });

  it('takes another salt for another key and for another secret', () => {
    const salts = [
      commitmentSalt('secret one', Buffer.from('key')),
      commitmentSalt('secret one', Buffer.from('key!')),
      commitmentSalt('secret two', Buffer.from('key')),
    ];
    expect(new Set(salts).size).toBe(3);
    expect(salts[0]).toMatch(/^[0-9a-f]{64}\n$/);
    expect(commitmentSalt('secret one', Buffer.from('key'))).toBe(salts[0]);
  });
});
