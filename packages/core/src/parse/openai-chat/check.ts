import { isJsonObject, isText } from '../../json.ts'
import type { Chunk } from './raw.ts'

type Check = (value: unknown) => boolean

/** Whether every field that carries content is of a kind that some vendor sends. */
export function isReadable(value: unknown): value is Chunk {
  if (!isJsonObject(value)) return false
  const { id, model, usage, x_groq, choices } = value
  const isOneself = optional(id, isText) && optional(model, isText)
  return isOneself && optional(usage, isJsonObject) && optional(x_groq, isJsonObject) && listOf(choices, isChoice)
}

const isNumber: Check = (value) => typeof value === 'number'

function isChoice(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { index, finish_reason, text, logprobs, delta, message } = value
  const isOneself = optional(index, isNumber) && optional(finish_reason, isText) && optional(text, isText)
  return isOneself && optional(logprobs, isJsonObject) && optional(delta, isDelta) && optional(message, isDelta)
}

function isDelta(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { content, refusal, tool_calls, function_call, reasoning_details } = value
  const isSaid = isText(content) || listOf(content, isJsonObject)
  const isCalled = listOf(tool_calls, isCall) && optional(function_call, isCalledFunction)
  return isSaid && isCalled && optional(refusal, isText) && listOf(reasoning_details, isJsonObject)
}

function isCall(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { id, index, function: called, custom } = value
  const isOneself = optional(id, isText) && optional(index, isNumber)
  return isOneself && optional(called, isCalledFunction) && optional(custom, isCalledFunction)
}

function isCalledFunction(value: unknown): boolean {
  return isJsonObject(value) && optional(value.name, isText) && optional(value.input, isText)
}

function optional(value: unknown, check: Check): boolean {
  return value === null || value === undefined || check(value)
}

function listOf(value: unknown, check: Check): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.every(check))
}
