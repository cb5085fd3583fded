import { isJsonObject, isText, type Json, type JsonObject, parseJson } from '../../json.ts'
import { readPythonLiteral } from './python-literal.ts'

export interface Answer {
  /** What is rendered as markdown; empty where the fields say it. */
  readonly content: string
  readonly fields: JsonObject
}

const PREFIX = /^\s*(?:\*\*Final answer:\*\*|Final answer:)\s*/i
const FENCE_OPENED = /^```(?:json|python)?[^\S\n]*\n/
const FENCE = '```'

/** An answer from its text: title, content and sources where it is an object that has them, else markdown. */
export function answerOf(text: string): Answer {
  const bare = text.replace(PREFIX, '')
  const object = objectIn(bare.trim())
  if (object === undefined) return { content: bare, fields: { has_structured_data: false, answer_format: 'markdown' } }
  const { title, content, sources } = object
  return {
    content: '',
    fields: {
      has_structured_data: true,
      answer_title: isText(title) ? title : 'Final answer',
      answer_content: isText(content) ? content : '',
      answer_sources: Array.isArray(sources) ? sources.map(sourceOf) : [],
      answer_format: 'json',
    },
  }
}

/** As JSON, as JSON within a JSON string, or as Python prints a dictionary; with or without a fence around it. */
function objectIn(text: string): JsonObject | undefined {
  const inner = fencedIn(text) ?? text
  if (!inner.startsWith('{') && !inner.startsWith('"')) return undefined
  const value = jsonIn(inner) ?? readPythonLiteral(inner)
  const object = isText(value) && value.trim().startsWith('{') ? (jsonIn(value) ?? readPythonLiteral(value)) : value
  return isJsonObject(object) && isAnswer(object) ? object : undefined
}

/** What stands between two fences, each on a line of its own; undefined if the text is not fenced. */
function fencedIn(text: string): string | undefined {
  const opened = FENCE_OPENED.exec(text)?.[0]
  if (opened === undefined || !text.endsWith(FENCE)) return undefined
  const end = text.lastIndexOf('\n')
  const isClosed = end >= opened.length && text.slice(end, -FENCE.length).trim() === ''
  return isClosed ? text.slice(opened.length, end).trim() : undefined
}

/** An object that has none of the three is data that somebody asked for, and is shown as it is. */
function isAnswer({ title, content, sources }: JsonObject): boolean {
  return isText(content) || isText(title) || Array.isArray(sources)
}

function sourceOf(source: Json): string {
  if (isText(source)) return source
  const named = isJsonObject(source) ? [source.url, source.title].find(isText) : undefined
  return named ?? JSON.stringify(source)
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text) as Json
  } catch {
    return undefined
  }
}
