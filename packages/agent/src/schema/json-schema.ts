import { isJsonObject, isSameJson, type Json, type JsonObject } from '@millrace/core/json'
import type { SchemaIssue } from './input-schema.ts'

type Path = readonly (string | number)[]
type Rule = (constraint: Json, value: Json, walk: Walk) => readonly SchemaIssue[]

interface Walk {
  readonly path: Path
  readonly schema: JsonObject
  readonly root: JsonObject
  /** How many schemas this one is nested in: a reference may lead to itself. */
  readonly depth: number
}

const MOST_LEVELS = 100
const NONE: readonly SchemaIssue[] = []

const types: { readonly [type: string]: (value: Json) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isJsonObject,
}

/**
 * What of a value does not fit a JSON Schema. Keywords without a row are not checked: they describe the input to a model,
 * and a tool that relies on them checks them itself.
 */
export function jsonSchemaIssues(schema: JsonObject, value: unknown): readonly SchemaIssue[] {
  return issuesOf(schema, value as Json, { path: [], root: schema, depth: 0 })
}

function issuesOf(
  schema: Json | undefined,
  value: Json,
  { path, root, depth }: Pick<Walk, 'path' | 'root' | 'depth'>,
): readonly SchemaIssue[] {
  if (schema === false) return [{ path, message: 'is not expected' }]
  if (!isJsonObject(schema)) return NONE
  if (depth > MOST_LEVELS) return [{ path, message: 'is nested too deep' }]
  const walk = { path, schema, root, depth: depth + 1 }
  return Object.entries(schema).flatMap(([keyword, constraint]) =>
    Object.hasOwn(rules, keyword) ? (rules[keyword]?.(constraint, value, walk) ?? NONE) : NONE,
  )
}

const isSame = (one: Json, other: Json) => isSameJson([one], [other])
const fails = ({ path }: Walk, message: string): readonly SchemaIssue[] => [{ path, message }]
const below = (walk: Walk, key: string | number): Walk => ({ ...walk, path: [...walk.path, key] })
const listOf = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [])
const fits = (schema: Json, value: Json, walk: Walk) => issuesOf(schema, value, walk).length === 0

/** A limit for a size that only some values have. */
const limit =
  (
    sizeOf: (value: Json) => number | undefined,
    isWithin: (size: number, limit: number) => boolean,
    words: string,
  ): Rule =>
  (constraint, value, walk) => {
    const size = sizeOf(value)
    const isFine = size === undefined || typeof constraint !== 'number' || isWithin(size, constraint)
    return isFine ? NONE : fails(walk, `${words} ${constraint}`)
  }

const numberOf = (value: Json) => (typeof value === 'number' ? value : undefined)
const lengthOf = (value: Json) => (typeof value === 'string' ? [...value].length : undefined)
const countOf = (value: Json) => (Array.isArray(value) ? value.length : undefined)
const atLeast = (size: number, least: number) => size >= least
const atMost = (size: number, most: number) => size <= most

const rules: { readonly [keyword: string]: Rule } = {
  type(constraint, value, walk) {
    const names = typeof constraint === 'string' ? [constraint] : listOf(constraint).map(String)
    const isOne = names.some((name) => !Object.hasOwn(types, name) || types[name]?.(value))
    return isOne ? NONE : fails(walk, `must be ${names.join(' or ')}`)
  },
  enum: (constraint, value, walk) =>
    listOf(constraint).some((one) => isSame(one, value))
      ? NONE
      : fails(walk, `must be one of ${JSON.stringify(constraint)}`),
  const: (constraint, value, walk) =>
    isSame(constraint, value) ? NONE : fails(walk, `must be ${JSON.stringify(constraint)}`),
  required(constraint, value, walk) {
    if (!isJsonObject(value)) return NONE
    const missing = listOf(constraint)
      .map(String)
      .filter((name) => !Object.hasOwn(value, name))
    return missing.flatMap((name) => fails(below(walk, name), 'is missing'))
  },
  properties(constraint, value, walk) {
    if (!isJsonObject(value) || !isJsonObject(constraint)) return NONE
    return Object.entries(constraint).flatMap(([name, schema]) =>
      Object.hasOwn(value, name) ? issuesOf(schema, value[name] as Json, below(walk, name)) : NONE,
    )
  },
  additionalProperties(constraint, value, walk) {
    if (!isJsonObject(value) || 'patternProperties' in walk.schema) return NONE
    const own = isJsonObject(walk.schema.properties) ? walk.schema.properties : {}
    return Object.entries(value).flatMap(([name, item]) =>
      Object.hasOwn(own, name) ? NONE : issuesOf(constraint, item, below(walk, name)),
    )
  },
  items: (constraint, value, walk) =>
    Array.isArray(value) && !Array.isArray(constraint)
      ? value
          .slice(listOf(walk.schema.prefixItems ?? null).length)
          .flatMap((item, at) => issuesOf(constraint, item, below(walk, at)))
      : NONE,
  allOf: (constraint, value, walk) => listOf(constraint).flatMap((schema) => issuesOf(schema, value, walk)),
  anyOf: (constraint, value, walk) =>
    listOf(constraint).some((schema) => fits(schema, value, walk)) ? NONE : fails(walk, 'fits none of its forms'),
  oneOf: (constraint, value, walk) =>
    listOf(constraint).filter((schema) => fits(schema, value, walk)).length === 1
      ? NONE
      : fails(walk, 'must fit exactly one of its forms'),
  $ref(constraint, value, walk) {
    const target = referenced(walk.root, constraint)
    return target === undefined ? NONE : issuesOf(target, value, walk)
  },
  minimum: limit(numberOf, atLeast, 'must be at least'),
  maximum: limit(numberOf, atMost, 'must be at most'),
  exclusiveMinimum: limit(numberOf, (size, least) => size > least, 'must be more than'),
  exclusiveMaximum: limit(numberOf, (size, most) => size < most, 'must be less than'),
  minLength: limit(lengthOf, atLeast, 'its length must be at least'),
  maxLength: limit(lengthOf, atMost, 'its length must be at most'),
  minItems: limit(countOf, atLeast, 'the number of its items must be at least'),
  maxItems: limit(countOf, atMost, 'the number of its items must be at most'),
}

/** A schema of the same document; undefined for any other. */
function referenced(root: JsonObject, reference: Json): Json | undefined {
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  const steps = reference.slice(1).split('/').slice(1)
  return steps.reduce<Json | undefined>((at, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, root)
}
