import { isJsonObject, isText, type Json, type JsonObject, parseJson } from '../../json.ts'
import { headOf, type MessageTemplate, type Step } from './message.ts'
import { readPythonLiteral } from './python-literal.ts'

/**
 * The answer. A structured answer is sent as fields and has no content, unless its text was streamed: the last message of
 * a stream contains the whole text.
 */
export function finalAnswer(step: Step): MessageTemplate {
  const head = headOf('final_answer', { kind: 'final-answer' }, { kind: 'final', number: step.number })
  const metadata = { ...head, agent_status: 'writing', is_final_answer: true }
  return {
    type: 'final_answer',
    metadata: { ...metadata, is_active: true },
    whole(text, isStreamed) {
      const { content, fields } = answerOf(text)
      return { content: isStreamed ? text : content, metadata: { ...metadata, is_active: false, ...fields } }
    },
  }
}

export interface ParsedAnswer {
  /** The content to render as markdown; empty if the answer is in the fields. */
  readonly content: string
  readonly fields: JsonObject
}

const PREFIX = /^\s*(?:\*\*Final answer:\*\*|Final answer:)\s*/i
const FENCE_OPENED = /^```(?:json|python)?[^\S\n]*\n/
const FENCE = '```'

/** Parses an answer: title, content and sources if the text is an object that has them, otherwise markdown. */
export function answerOf(text: string): ParsedAnswer {
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

/** An object that has none of the three fields is data, and is shown unchanged. */
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
