import type { AnswerSource, StructuredAnswer } from '../event-fields.ts'
import { isJsonObject, isText, type Json, type JsonObject, parseJson } from '../json.ts'
import { readPythonLiteral } from './python-literal.ts'

/** The longest text that is read as an answer, in UTF-16 units. */
export const MAX_ANSWER = 256 * 1024

const PREFIX = /^\s*(?:\*\*Final answer:\*\*|Final answer:)\s*/i
const FENCE_OPENED = /^```(?:json|python)?[^\S\n]*\n/
const FENCE = '```'

/** How a text begins that may be a structured answer, by its first characters that are no white space. */
const BEGINNING = /^(?:[{"`]|\*\*Final answer:|Final answer:)/i
const LONGEST_BEGINNING = '**Final answer:'.length

/** Whether a text, of which this is the beginning, can still be a structured answer. */
export function mayBeAnswer(beginning: string): boolean {
  const text = beginning.trimStart()
  if (text.length >= LONGEST_BEGINNING || BEGINNING.test(text)) return BEGINNING.test(text)
  return ['**final answer:', 'final answer:'].some((prefix) => prefix.startsWith(text.toLowerCase()))
}

/** The text without the words that only say that it is the answer. */
export function withoutAnswerPrefix(text: string): string {
  return text.replace(PREFIX, '')
}

/**
 * A text as a structured answer: an object of a title, a content and sources, and of nothing else, so that no field is
 * hidden. Undefined for any other text.
 */
export function readAnswer(text: string): StructuredAnswer | undefined {
  if (text.length > MAX_ANSWER || !mayBeAnswer(text.slice(0, 1024))) return undefined
  const object = objectIn(withoutAnswerPrefix(text).trim())
  if (object === undefined) return undefined
  const { title, content, sources } = object
  return {
    ...(isText(title) && { title }),
    content: isText(content) ? content : '',
    ...(Array.isArray(sources) && { sources: sources.map(sourceOf) }),
  }
}

/** The object in a text: as JSON, as JSON in a JSON string, or as Python prints a dictionary; fenced or not. */
function objectIn(text: string): JsonObject | undefined {
  const inner = fencedIn(text) ?? text
  if (!inner.startsWith('{') && !inner.startsWith('"')) return undefined
  const value = jsonIn(inner) ?? readPythonLiteral(inner)
  const object = isText(value) && value.trim().startsWith('{') ? (jsonIn(value) ?? readPythonLiteral(value)) : value
  return isJsonObject(object) && isAnswer(object) ? object : undefined
}

/** The text between two fences, each on its own line; undefined if the text is not fenced. */
function fencedIn(text: string): string | undefined {
  const opened = FENCE_OPENED.exec(text)?.[0]
  if (opened === undefined || !text.endsWith(FENCE)) return undefined
  const end = text.lastIndexOf('\n')
  const isClosed = end >= opened.length && text.slice(end, -FENCE.length).trim() === ''
  return isClosed ? text.slice(opened.length, end).trim() : undefined
}

const FIELDS: ReadonlySet<string> = new Set(['title', 'content', 'sources'])

/** An object without any of the fields, or with others, is data. It is shown as it is. */
function isAnswer(object: JsonObject): boolean {
  const { title, content, sources } = object
  const hasField = isText(content) || isText(title) || Array.isArray(sources)
  return hasField && Object.keys(object).every((field) => FIELDS.has(field))
}

/** A source is an address, a title, or an object that has either; anything else is shown as JSON. */
function sourceOf(source: Json): AnswerSource {
  if (isText(source)) return /^https?:\/\//i.test(source) ? { url: source } : { title: source }
  if (!isJsonObject(source)) return { title: JSON.stringify(source) }
  const { url, title } = source
  if (!isText(url) && !isText(title)) return { title: JSON.stringify(source) }
  return { ...(isText(url) && { url }), ...(isText(title) && { title }) }
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text) as Json
  } catch {
    return undefined
  }
}
