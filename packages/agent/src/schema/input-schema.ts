import type { JsonObject } from '@millrace/core/json'

/**
 * A schema of a library that follows Standard Schema and can also say its JSON Schema, such as zod 4, valibot and arktype;
 * or plain JSON Schema. The interfaces are written out here because they are a protocol between libraries: a dependency on
 * a package of types would have to be installed by everybody.
 */
export type InputSchema<I> = StandardInput<I> | JsonSchema

/** JSON Schema of an object. */
export type JsonSchema = JsonObject & { readonly '~standard'?: never }

export interface StandardInput<I> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: I } | undefined
    readonly validate: (value: unknown) => Validated<I> | Promise<Validated<I>>
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown> }
  }
}

type Validated<I> = { readonly value: I; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

export function isStandard<I>(schema: InputSchema<I>): schema is StandardInput<I> {
  return typeof (schema as StandardInput<I>)['~standard'] === 'object'
}
