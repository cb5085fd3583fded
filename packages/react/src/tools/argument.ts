import type { ToolSegment } from '@millrace/core/fold'
import type { Json, JsonObject } from '@millrace/core/json'
import { kindOf } from './kinds.ts'

/** CSS truncates the line; this only keeps a megabyte out of the page. */
const MOST = 240

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The most informative argument, on one line. */
export function argumentOf({ name, input, inputText }: Pick<ToolSegment, 'name' | 'input' | 'inputText'>): string {
  const argument = mainArgument(name, input)
  if (argument !== undefined) return oneLine(argument)
  if (input === undefined) return oneLine(inputText ?? '')
  return isEmpty(input) ? '' : oneLine(typeof input === 'string' ? input : JSON.stringify(input))
}

/** The most informative argument, whole; undefined if no single one represents the call. */
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
