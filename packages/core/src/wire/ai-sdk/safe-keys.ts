import { isJsonObject, type Json, type JsonObject } from '../../json.ts'
import type { Chunk } from '../wire.ts'

/**
 * The chunk with keys that the client accepts: it refuses the whole stream if a key of an object, however deep, could
 * replace a prototype. Such a key is renamed. Almost no chunk has one, and then it is the same chunk.
 */
export function withSafeKeys(chunk: Chunk): Chunk {
  // Our own keys are safe, and most chunks hold only texts.
  for (const key in chunk) if (!isSafe(chunk[key])) return renamed(chunk as JsonObject) as JsonObject
  return chunk
}

function isSafe(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSafe)
  const object = value as JsonObject
  // Not `Object.keys`, which makes a list of each object's keys (bench/rows/wire.ts).
  for (const key in object) if (isRefused(key, object) || !isSafe(object[key])) return false
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
