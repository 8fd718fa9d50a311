import { fieldPath, Rejected } from './rejected.js';

/** What a provider makes of JSON Schema in structured output. PROVIDERS.md §7. */
export interface SchemaRules {
  /** Whether a keyword with this value is taken. */
  readonly takes: (keyword: string, value: unknown) => boolean;
  /** Objects must say `additionalProperties: false`. */
  readonly closed: boolean;
  /** Every property must be required. */
  readonly allRequired: boolean;
  /** The refusal's text. */
  readonly says: (keyword: string, place: string) => string;
}

const OPENAI_REFUSED: ReadonlySet<string> = new Set([
  'uniqueItems', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas',
  'patternProperties', 'contains', 'minContains', 'maxContains', 'prefixItems', 'unevaluatedProperties',
]); // prettier-ignore

const ANTHROPIC_REFUSED: ReadonlySet<string> = new Set([
  'maxItems', 'minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf',
  'uniqueItems', 'oneOf', 'not', 'if', 'then', 'else', 'patternProperties', 'contains', 'prefixItems',
]); // prettier-ignore

/** The list of `responseJsonSchema` in the SDK's types. */
const GEMINI_TAKEN: ReadonlySet<string> = new Set([
  '$id', '$defs', '$ref', '$anchor', 'type', 'format', 'title', 'description', 'enum', 'items', 'prefixItems',
  'minItems', 'maxItems', 'minimum', 'maximum', 'anyOf', 'oneOf', 'properties', 'additionalProperties', 'required',
  'propertyOrdering',
]); // prettier-ignore

export const OPENAI_SCHEMA: SchemaRules = {
  takes: (keyword) => !OPENAI_REFUSED.has(keyword),
  closed: true,
  allRequired: true,
  says: (keyword, place) => `Invalid schema: In context=(${place}), '${keyword}' is not permitted.`,
};

export const ANTHROPIC_SCHEMA: SchemaRules = {
  takes: (keyword, value) =>
    keyword === 'minItems' ? value === 0 || value === 1 : !ANTHROPIC_REFUSED.has(keyword),
  closed: true,
  allRequired: false,
  says: (keyword, place) =>
    `output_config.format.schema: at ${place}, property '${keyword}' is not supported`,
};

export const GEMINI_SCHEMA: SchemaRules = {
  takes: (keyword) => GEMINI_TAKEN.has(keyword),
  closed: false,
  allRequired: false,
  says: (keyword, place) => `Invalid JSON schema: unknown keyword "${keyword}" at ${place}`,
};

/**
 * Checks a schema for structured output.
 *
 * @param param - where the schema stands in the request
 * @throws {Rejected} code `invalid_json_schema`
 */
export function checkSchema(schema: unknown, rules: SchemaRules, param: string): void {
  walk(schema, [], rules, param);
}

function walk(node: unknown, path: readonly string[], rules: SchemaRules, param: string): void {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) {
    if (typeof node === 'boolean') return;
    throw refusal(`${param}: a schema must be an object`, param);
  }
  const place = path.length === 0 ? '(root)' : fieldPath(path);
  const keywords = Object.entries(node);
  for (const [keyword, value] of keywords) {
    if (!rules.takes(keyword, value)) throw refusal(rules.says(keyword, place), param);
  }
  const { properties, required, additionalProperties, items, anyOf, $defs } = node as Record<string, unknown>;
  if (properties !== undefined || (node as { type?: unknown }).type === 'object') {
    if (rules.closed && additionalProperties !== false) {
      throw refusal(`${param}: at ${place}, 'additionalProperties' is required and must be false`, param);
    }
    const names = Object.keys(properties ?? {});
    const missing = names.find((name) => !Array.isArray(required) || !required.includes(name));
    if (rules.allRequired && missing !== undefined) {
      throw refusal(`${param}: at ${place}, 'required' must hold every key; '${missing}' is missing`, param);
    }
  }
  for (const [name, inner] of Object.entries({ ...(properties as object), ...($defs as object) })) {
    walk(inner, [...path, name], rules, param);
  }
  if (items !== undefined) walk(items, [...path, 'items'], rules, param);
  if (Array.isArray(anyOf)) anyOf.forEach((inner) => walk(inner, [...path, 'anyOf'], rules, param));
}

function refusal(message: string, param: string): Rejected {
  return new Rejected(message, param, 'invalid_json_schema');
}
