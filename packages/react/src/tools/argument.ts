import type { ToolSegment } from '@millrace/core/fold/shapes'
import type { Json, JsonObject } from '@millrace/core/json'
import { kindOf } from './kinds.ts'

/** A line is cut by its style; this only keeps a megabyte out of the page. */
const MOST = 240

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The argument that says most, on one line. */
export function argumentOf({ name, input, inputText }: ToolSegment): string {
  const told = mainArgument(name, input)
  if (told !== undefined) return oneLine(told)
  if (input === undefined) return oneLine(inputText ?? '')
  return isEmpty(input) ? '' : oneLine(typeof input === 'string' ? input : JSON.stringify(input))
}

/** The argument as it was given, all of it; nothing where no single one stands for the call. */
export function mainArgument(name: string, input: Json | undefined): string | undefined {
  if (!isObject(input)) return undefined
  for (const key of kindOf(name).argument) {
    const value = Object.hasOwn(input, key) ? input[key] : undefined
    if (typeof value === 'string' && value !== '') return value
    if (Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')) {
      return value.join(' ')
    }
  }
  return undefined
}

function isEmpty(input: Json): boolean {
  return input === null || (typeof input === 'object' && Object.keys(input).length === 0)
}

function oneLine(text: string): string {
  return text
    .slice(0, MOST * 2)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST)
}
