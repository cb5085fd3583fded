import type { JsonObject } from '@millrace/core/json'
import { type InputSchema, isStandard, type SchemaIssue } from './input-schema.ts'
import { jsonSchemaIssues } from './json-schema.ts'

export type CheckedInput<I> = { readonly input: I } | { readonly problem: string }

/** More would not help the caller. */
const MOST_ISSUES = 5

/** The input as the tool gets it, or a sentence for the caller that says what does not fit. */
export async function checkInput<I>(schema: InputSchema<I>, value: unknown): Promise<CheckedInput<I>> {
  if (isStandard(schema)) {
    const checked = await schema['~standard'].validate(value)
    return checked.issues === undefined ? { input: checked.value } : problemOf(checked.issues)
  }
  const issues = jsonSchemaIssues(schema, value)
  return issues.length === 0 ? { input: value as I } : problemOf(issues)
}

/** What a model is given as the parameters of the tool. */
export function jsonSchemaOf(schema: InputSchema<unknown>): JsonObject {
  if (!isStandard(schema)) return schema
  return schema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) as JsonObject
}

function problemOf(issues: readonly SchemaIssue[]): { readonly problem: string } {
  const sentences = issues.slice(0, MOST_ISSUES).map(({ path = [], message }) => {
    const where = path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.')
    return where === '' ? message : `${where}: ${message}`
  })
  return { problem: sentences.join('; ') }
}
