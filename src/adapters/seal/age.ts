import { Decrypter, Encrypter } from 'age-encryption';
import { EXIT, GroundmarkError } from '../../domain/error.js';

/**
 * Bytes encrypted in the age v1 format for one or more recipients. Each call gives other bytes: the file key is random.
 *
 * @throws {GroundmarkError} `bad-recipient` naming the recipient (a public key) that is not one
 */
export async function sealFor(recipients: readonly string[], data: Uint8Array): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) addRecipient(encrypter, recipient);
  return encrypter.encrypt(data);
}

/** Checks recipients before any work is done. */
export function checkRecipients(recipients: readonly string[]): void {
  for (const recipient of recipients) addRecipient(new Encrypter(), recipient);
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  // A secret key pasted by mistake must not be repeated in a message.
  if (/^AGE-SECRET-KEY-/i.test(recipient.trim())) {
    throw new GroundmarkError(
      'bad-recipient',
      'A recipient is a secret key. Give the public key, which begins with age1; a secret key belongs to --identity.',
      {},
      { exit: EXIT.usage },
    );
  }
  try {
    encrypter.addRecipient(recipient);
  } catch (cause) {
    throw new GroundmarkError(
      'bad-recipient',
      `${JSON.stringify(recipient)} is not an age recipient. Expected a public key that begins with age1, such as \`age-keygen\` prints.`,
      { recipient },
      { cause, exit: EXIT.usage },
    );
  }
}

/** The bytes of an age file, or null when none of the identities opens it (or the file is damaged). */
export async function openSealed(
  identities: readonly string[],
  sealed: Uint8Array,
): Promise<Uint8Array | null> {
  if (identities.length === 0) return null;
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  try {
    return await decrypter.decrypt(sealed);
  } catch {
    return null;
  }
}
