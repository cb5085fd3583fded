import { type Chunk, isFields } from './raw.ts'

type Check = (value: unknown) => boolean

/** Whether every field that carries content is of a kind that some vendor sends. */
export function isReadable(value: unknown): value is Chunk {
  if (!isFields(value)) return false
  const { id, model, usage, x_groq, choices } = value
  const isOneself = optional(id, isString) && optional(model, isString)
  return isOneself && optional(usage, isFields) && optional(x_groq, isFields) && listOf(choices, isChoice)
}

const isString: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'

function isChoice(value: unknown): boolean {
  if (!isFields(value)) return false
  const { index, finish_reason, text, logprobs, delta, message } = value
  const isOneself = optional(index, isNumber) && optional(finish_reason, isString) && optional(text, isString)
  return isOneself && optional(logprobs, isFields) && optional(delta, isDelta) && optional(message, isDelta)
}

function isDelta(value: unknown): boolean {
  if (!isFields(value)) return false
  const { content, refusal, tool_calls, function_call, reasoning_details } = value
  const isSaid = isString(content) || listOf(content, isFields)
  const isCalled = listOf(tool_calls, isCall) && optional(function_call, isCalledFunction)
  return isSaid && isCalled && optional(refusal, isString) && listOf(reasoning_details, isFields)
}

function isCall(value: unknown): boolean {
  if (!isFields(value)) return false
  const { id, index, function: called, custom } = value
  const isOneself = optional(id, isString) && optional(index, isNumber)
  return isOneself && optional(called, isCalledFunction) && optional(custom, isCalledFunction)
}

function isCalledFunction(value: unknown): boolean {
  return isFields(value) && optional(value.name, isString) && optional(value.input, isString)
}

function optional(value: unknown, check: Check): boolean {
  return value === null || value === undefined || check(value)
}

function listOf(value: unknown, check: Check): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.every(check))
}
