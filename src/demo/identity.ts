import { rng } from '../util/rng.js';

/**
 * Made-up personal data of a phantom. It looks like the real thing, so that leak checks have something to find, and it
 * says that it is synthetic.
 */
export interface Identity {
  readonly patientId: string;
  readonly family: string;
  readonly given: string;
  /** YYYYMMDD. */
  readonly birthDate: string;
  readonly sex: 'M' | 'F';
  /** Whole years at the first study. */
  readonly age: number;
  readonly institution: string;
  readonly referrer: string;
}

/** One examination of a phantom. */
export interface Visit {
  /** YYYYMMDD. */
  readonly date: string;
  /** HHMMSS. */
  readonly time: string;
  readonly accession: string;
}

const FAMILY = ['Phantomsen', 'Testperson', 'Synthmann', 'Mockridge', 'Fictiva', 'Madeupsky', 'Specimenov', 'Simulacrum', 'Dummett', 'Notrealova']; // prettier-ignore
const GIVEN_F = ['Ada', 'Berta', 'Clara', 'Dora', 'Elsa', 'Frida', 'Greta', 'Hilda', 'Ilse'];
const GIVEN_M = ['Anton', 'Bruno', 'Carl', 'David', 'Emil', 'Franz', 'Georg', 'Hugo', 'Ivan'];
const INSTITUTIONS = [
  'Synthetic General Hospital',
  'Phantom University Clinic',
  'Test Valley Imaging Center',
];
const REFERRERS = ['Referrer^Synthia', 'Mockdoc^Magnus', 'Orderly^Otto'];
const YEAR_OF_STUDY = 2021;

const two = (n: number): string => String(n).padStart(2, '0');

/** The identity of patient `number` (from 1); the same for the same seed. */
export function identityOf(number: number, seed: number): Identity {
  const random = rng(seed, 'identity', number);
  const sex = random.next() < 0.5 ? 'F' : 'M';
  const age = 34 + random.int(50);
  return {
    patientId: `SYN-${String(100000 + ((number * 7919 + random.int(7919)) % 900000))}`,
    family: FAMILY[(number - 1) % FAMILY.length]!,
    given: random.pick(sex === 'F' ? GIVEN_F : GIVEN_M),
    birthDate: `${YEAR_OF_STUDY - age}0${1 + random.int(9)}${two(1 + random.int(28))}`,
    sex,
    age,
    institution: random.pick(INSTITUTIONS),
    referrer: random.pick(REFERRERS),
  };
}

/** The visit of a case (from 1). A later case of one patient is a later visit. */
export function visitOf(caseNumber: number, seed: number): Visit {
  const random = rng(seed, 'visit', caseNumber);
  const month = 1 + ((caseNumber - 1) % 12);
  return {
    date: `${YEAR_OF_STUDY + Math.floor((caseNumber - 1) / 12)}${two(month)}${two(1 + random.int(28))}`,
    time: `${two(8 + random.int(10))}${two(random.int(60))}${two(random.int(60))}`,
    accession: `ACC${String(4000000 + caseNumber * 1013 + random.int(1000))}`,
  };
}
