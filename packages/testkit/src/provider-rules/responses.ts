import type { JsonObject } from '@millrace/core/json'
import { type ProviderRule, repeatedIn, thoughtsIn } from './rule.ts'

const isReasoning = ({ type }: JsonObject) => type === 'reasoning'
const isOutput = ({ type }: JsonObject) => String(type).endsWith('_output')
/** Items of calls that the client answers by `call_id`. */
const CALLS = ['function_call', 'custom_tool_call', 'computer_call', 'apply_patch_call']
const PREFIXES: { readonly [type: string]: string } = { reasoning: 'rs', function_call: 'fc', message: 'msg' }

/** The fields that an item needs beside its type. */
const REQUIRED: { readonly [type: string]: readonly string[] } = {
  reasoning: ['summary'],
  function_call: ['call_id', 'name', 'arguments'],
  function_call_output: ['call_id', 'output'],
  custom_tool_call: ['call_id', 'name', 'input'],
  web_search_call: ['id', 'action', 'status'],
  file_search_call: ['id', 'queries', 'status'],
  code_interpreter_call: ['id', 'container_id', 'code', 'outputs', 'status'],
  image_generation_call: ['id', 'result', 'status'],
  mcp_list_tools: ['id', 'server_label', 'tools'],
  mcp_approval_request: ['id', 'name', 'arguments', 'server_label'],
  mcp_call: ['id', 'name', 'arguments', 'server_label'],
  computer_call: ['id', 'call_id', 'pending_safety_checks', 'status'],
  local_shell_call: ['id', 'call_id', 'action', 'status'],
  program: ['id'],
  program_output: ['id'],
  compaction: ['encrypted_content'],
}

/** The rules of OpenAI Responses, for responses that are not stored. */
export const responsesRules: readonly ProviderRule[] = [
  {
    id: 'R1',
    promise: 'reasoning is followed by an item of its response',
    *check(items) {
      for (const [index, item] of items.entries()) {
        const follower = items.slice(index + 1).find((next) => !isReasoning(next))
        const isFollowed =
          follower !== undefined && !isOutput(follower) && (follower.role ?? 'assistant') === 'assistant'
        if (isReasoning(item) && !isFollowed) yield `the reasoning ${item.id} has no item behind it`
      }
    },
  },
  {
    id: 'R2',
    promise: 'an item that is sent with its id has the reasoning before it that it came with',
    *check(items, _request, facts) {
      const needed = new Map<string, string>()
      for (const { segments } of facts.chatEvents) {
        let reasoning: string | undefined
        for (const { type, meta, ...segment } of segments) {
          // A thought that was cut out of a text has the id of that text.
          if ('variant' in segment && segment.variant === 'think-tag') continue
          const id = meta?.openai?.item_id
          if (type === 'reasoning') reasoning = typeof id === 'string' ? id : reasoning
          else if (type === 'text' || type === 'tool') {
            if (reasoning !== undefined && typeof id === 'string') needed.set(id, reasoning)
            reasoning = undefined
          }
        }
      }
      for (const [index, { id }] of items.entries()) {
        const reasoning = typeof id === 'string' ? needed.get(id) : undefined
        const before = items.slice(0, index).findLast((item) => isReasoning(item) && item.id === reasoning)
        const isDropped = reasoning !== undefined && reasoning.length > 64
        if (reasoning !== undefined && before === undefined && !isDropped) yield `the item ${id} misses ${reasoning}`
      }
    },
  },
  {
    id: 'R3',
    promise: 'reasoning has its encrypted content',
    *check(items) {
      for (const item of items.filter(isReasoning))
        if (typeof item.encrypted_content !== 'string') yield `the reasoning ${item.id} is not encrypted`
    },
  },
  {
    id: 'R4',
    promise: 'encrypted content is as it came, and of this provider',
    *check(items, _request, facts) {
      const thoughts = thoughtsIn(facts)
      for (const { id, encrypted_content: sent } of items.filter(isReasoning)) {
        const source = thoughts.find(({ encrypted }) => encrypted === sent)
        if (sent !== undefined && source === undefined) yield `the reasoning ${id} was changed`
        if (source?.meta?.anthropic || source?.meta?.google) yield `the reasoning ${id} is of another provider`
        if (facts.model !== undefined && source?.model !== undefined && source.model !== facts.model)
          yield `the reasoning ${id} is of ${source.model}`
      }
    },
  },
  {
    id: 'R5',
    promise: 'ids of items have at most 64 characters',
    *check(items) {
      for (const { id } of items) if (String(id ?? '').length > 64) yield `the id ${id} is too long`
    },
  },
  {
    id: 'R6',
    promise: 'ids of calls have 1 to 64 characters',
    *check(items) {
      for (const { call_id: id } of items)
        if (id !== undefined && (String(id).length > 64 || id === '')) yield `the id ${id} of a call is refused`
    },
  },
  {
    id: 'R7',
    promise: 'an id begins as its type demands, and is not empty',
    *check(items) {
      for (const { type, id, encrypted_content } of items) {
        if (id === '' && encrypted_content === undefined) yield `a ${type} has an empty id`
        const prefix = PREFIXES[String(type)]
        if (typeof id === 'string' && /^(?:rs|fc|msg)_/.test(id) && prefix !== undefined && !id.startsWith(prefix))
          yield `the ${type} has the id ${id}`
      }
    },
  },
  {
    id: 'R8',
    promise: 'each call has an output behind it',
    *check(items) {
      for (const [index, { type, call_id: id }] of items.entries())
        if (CALLS.includes(String(type)) && !items.slice(index).some((item) => isOutput(item) && item.call_id === id))
          yield `the call ${id} has no output`
    },
  },
  {
    id: 'R9',
    promise: 'each output has its call before it, and only once',
    *check(items) {
      const ids = (list: readonly JsonObject[]) => list.map(({ call_id }) => String(call_id))
      for (const [index, item] of items.entries()) {
        if (!isOutput(item) || typeof item.call_id !== 'string') continue
        const before = items.slice(0, index)
        if (!ids(before.filter((other) => !isOutput(other))).includes(String(item.call_id)))
          yield `the output ${item.call_id} has no call`
        if (ids(before.filter(isOutput)).includes(String(item.call_id)))
          yield `the call ${item.call_id} has two outputs`
      }
    },
  },
  {
    id: 'R10',
    promise: 'no item is sent twice',
    *check(items) {
      const ids = items.flatMap(({ id }) => (typeof id === 'string' && id !== '' ? [id] : []))
      for (const id of repeatedIn(ids)) yield `the item ${id} is sent twice`
      const calls = items.filter((item) => CALLS.includes(String(item.type))).map(({ call_id }) => String(call_id))
      for (const id of repeatedIn(calls)) yield `the call ${id} is sent twice`
    },
  },
  {
    id: 'R11',
    promise: 'the phase of a message is kept',
    *check(items, _request, { chatEvents }) {
      const phases = chatEvents.flatMap(({ segments }) =>
        segments.map(({ meta }) => [meta?.openai?.item_id, meta?.openai?.phase] as const),
      )
      for (const { type, id, phase } of items) {
        const [, came] = phases.find(([itemId, kept]) => itemId === id && kept !== undefined) ?? []
        if (type === 'message' && typeof id === 'string' && came !== undefined && came !== phase)
          yield `the message ${id} lost its phase ${came}`
      }
    },
  },
  {
    id: 'R12',
    promise: 'each item has the fields that its type demands',
    *check(items) {
      for (const item of items)
        for (const field of REQUIRED[String(item.type)] ?? [])
          if (!(field in item)) yield `a ${item.type} has no ${field}`
    },
  },
]
