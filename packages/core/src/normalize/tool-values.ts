import { isJsonObject, type Json, type JsonObject } from '../json.ts'

/** A tool's own name, without the server or namespace that some hosts put before it. */
export function bareName(name: string): string {
  return name.replace(/^.*(?:__|[./:])/s, '')
}

/** The first of these fields that holds text. */
export function firstText(object: JsonObject, ...fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value = object[field]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

/** The text of an output that is a string or a list of text blocks. */
export function textOf(output: Json): string | undefined {
  if (typeof output === 'string') return output
  if (!Array.isArray(output)) return undefined
  const texts = output.flatMap((block: Json) =>
    isJsonObject(block) && typeof block.text === 'string' ? [block.text] : [],
  )
  return texts.length === 0 ? undefined : texts.join('\n')
}
