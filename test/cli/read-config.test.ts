import { describe, expect, it } from 'vitest';
import { readDataText } from '../../src/adapters/store/index.js';
import { readConfig } from '../../src/cli/read-config.js';
import { GroundmarkError } from '../../src/domain/error.js';

const FILE = '/data/study/groundmark.yaml';
const REVIEWERS = 'reviewers: [{ id: a, model: offline/saliency }, { id: b, model: offline/saliency }]\n';
const BASE = `cases: cases.csv\n${REVIEWERS}`;

function refusal(text: string): GroundmarkError {
  try {
    readConfig(text, FILE);
  } catch (error) {
    expect(error).toBeInstanceOf(GroundmarkError);
    return error as GroundmarkError;
  }
  throw new Error('the text was taken');
}

describe('readConfig', () => {
  it('takes the smallest file and fills in what the contract says', () => {
    expect(readConfig(BASE, FILE)).toEqual({
      cases: 'cases.csv',
      seed: 0,
      findings: { engine: 'offline/rules' },
      reviewers: [
        { id: 'a', model: 'offline/saliency' },
        { id: 'b', model: 'offline/saliency' },
      ],
      questions: {
        generator: 'offline/rules',
        validator: 'offline/rules',
        gates: [],
        sets: 4,
        selection: 'hardest',
      },
      splits: { mode: 'balanced', ratios: { dev: 64, validation: 19, test: 17 } },
      seal: { recipients: [] },
      release: { allow: [] },
      budget: { usd: 0 },
      dicomweb: { auth: null },
      providers: {},
      prices: {},
    });
  });

  it('takes what init writes, and the example of the contract', async () => {
    expect(readConfig(await readDataText('templates/groundmark.yaml'), FILE).reviewers).toHaveLength(2);
    const contract = `
cases: cases.csv                    # case_id, patient_id, dicom_path (or image_path), report_path
seed: 0
findings:  { engine: offline/rules }
reviewers:                          # two or more
  - { id: reader-1, model: file, nominations: nominations.jsonl, ratings: ratings.jsonl }
  - { id: reader-2, model: offline/saliency }
questions: { generator: offline/rules, validator: offline/rules, gates: [], sets: 4, selection: hardest }
splits:    { mode: balanced, ratios: { dev: 64, validation: 19, test: 17 } }
seal:      { recipients: [] }
budget:    { usd: 0 }
providers: {}
`;
    expect(readConfig(contract, FILE).reviewers[0]).toEqual({
      id: 'reader-1',
      model: 'file',
      nominations: 'nominations.jsonl',
      ratings: 'ratings.jsonl',
    });
  });

  it.each([
    ['reveiwers: []', 'unknown key reveiwers. Did you mean reviewers?', 'reveiwers'],
    ['Seed: 3', 'unknown key Seed. Did you mean seed?', 'Seed'],
    ['question: {}', 'unknown key question. Did you mean questions?', 'question'],
    ['questions: { selektion: hardest }', 'unknown key questions.selektion. Did you mean selection?', 'questions.selektion'],
    ['splits: { ratio: {} }', 'unknown key splits.ratio. Did you mean ratios?', 'splits.ratio'],
    ['seal: { recipient: [] }', 'unknown key seal.recipient. Did you mean recipients?', 'seal.recipient'],
    ['providers: { x: { baseURL: "http://localhost/v1", keyEnv: K } }', 'unknown key providers.x.baseURL. Did you mean baseUrl?', null],
    ['xyzzyxyzzy: 1', 'unknown key xyzzyxyzzy. Known keys: cases, seed, findings', 'xyzzyxyzzy'],
  ])('refuses the unknown key in `%s` and names the nearest', (line, says, key) => {
    const error = refusal(`${BASE}${line}\n`);
    expect([error.code, error.exit]).toEqual(['bad-config', 3]);
    expect(error.message).toContain(FILE);
    expect(error.message).toContain(says);
    if (key !== null) expect(error.context['key']).toBe(key);
  }); // prettier-ignore

  it('names a reviewer’s unknown key with its place in the list', () => {
    const error = refusal(
      'cases: c.csv\nreviewers:\n  - { id: a, model: file }\n  - { id: b, model: file, nomination: n.jsonl }\n',
    );
    expect(error.message).toContain('unknown key reviewers.1.nomination. Did you mean nominations?');
  });

  it.each([
    ['nothing', '', 'key cases'],
    ['a list', '- a\n- b\n', 'key (top level)'],
    ['a word', 'hello', 'key (top level)'],
    ['no cases', REVIEWERS, 'key cases'],
    ['a seed in words', `${BASE}seed: zero\n`, 'key seed'],
    ['a broken seed', `${BASE}seed: 1.5\n`, 'key seed'],
    ['no reviewers', 'cases: c.csv\n', 'key reviewers'],
    ['one reviewer', 'cases: c.csv\nreviewers: [{ id: a, model: file }]\n', 'name two or more reviewers'],
    ['a reviewer without a model', 'cases: c.csv\nreviewers: [{ id: a }, { id: b, model: file }]\n', 'key reviewers.0.model'],
    ['a selection that is none', `${BASE}questions: { selection: easiest }\n`, 'key questions.selection'],
    ['no sets', `${BASE}questions: { sets: 0 }\n`, 'key questions.sets'],
    ['a negative ratio', `${BASE}splits: { ratios: { dev: -1, validation: 1, test: 1 } }\n`, 'key splits.ratios.dev'],
    ['a missing ratio', `${BASE}splits: { ratios: { dev: 1, test: 1 } }\n`, 'splits.ratios'],
    ['a negative budget', `${BASE}budget: { usd: -5 }\n`, 'key budget.usd'],
    ['a provider without a server', `${BASE}providers: { x: { baseUrl: nowhere, keyEnv: K } }\n`, 'key providers.x.baseUrl'],
    ['broken YAML', 'cases: [c.csv\nseed: 0\n', 'not valid YAML'],
    ['a key that stands twice', `${BASE}cases: other.csv\n`, 'not valid YAML'],
    ['a tab for indentation', 'reviewers:\n\t- id: a\n', 'not valid YAML'],
  ])('refuses %s, naming file and key', (_what, text, says) => {
    const error = refusal(text);
    expect([error.code, error.exit]).toEqual(['bad-config', 3]);
    expect(error.message).toContain(FILE);
    expect(error.message).toContain(says);
    expect(error.message).not.toContain('\n');
  }); // prettier-ignore

  it('refuses two reviewers with one id, whose answers could not be told apart', () => {
    const error = refusal(
      'cases: c.csv\nreviewers: [{ id: a, model: file }, { id: a, model: offline/saliency }]\n',
    );
    expect(error.message).toContain('key reviewers.1.id');
    expect(error.message).toContain('stands twice');
  });
});
