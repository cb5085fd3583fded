import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Chunk } from '../wire.ts'

/**
 * The chunk with keys that the client accepts: it refuses the whole stream if a key of an object, however deep, could
 * replace a prototype. Such a key is renamed. Almost no chunk has one, and then it is the same chunk.
 */
export function withSafeKeys(chunk: Chunk): Chunk {
  return isFlat(chunk) || isSafe(chunk as JsonObject) ? chunk : (renamed(chunk as JsonObject) as JsonObject)
}

/** Our own keys are safe; most chunks are deltas and hold only text (bench/rows/wire.ts). */
function isFlat(chunk: Chunk): boolean {
  for (const key in chunk) if (typeof chunk[key as keyof Chunk] === 'object') return false
  return true
}

function isSafe(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSafe)
  for (const key of Object.keys(value)) {
    if (isRefused(key, value as JsonObject) || !isSafe((value as JsonObject)[key] ?? null)) return false
  }
  return true
}

function isRefused(key: string, object: JsonObject): boolean {
  if (key === '__proto__') return true
  const value = key === 'constructor' ? object[key] : undefined
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
}

function renamed(value: Json): Json {
  if (Array.isArray(value)) return value.map(renamed)
  if (!isJsonObject(value)) return value
  const fields = Object.entries(value).map(([key, inner]): [string, Json] => [
    isRefused(key, value) ? `[${key}]` : key,
    renamed(inner),
  ])
  return Object.fromEntries(fields)
}
