import type { JsonObject } from '@millrace/core/json'
import { blocksIn, isInOrder, type ProviderRule, repeatedIn, thoughtsIn } from './rule.ts'

const blocksOf = (messages: readonly JsonObject[], role?: string) =>
  messages.filter((message) => role === undefined || message.role === role).flatMap((message) => blocksIn(message))

const isServerUse = ({ type }: JsonObject) => type === 'server_tool_use' || type === 'mcp_tool_use'
const isServerResult = ({ type }: JsonObject) => String(type).endsWith('tool_result') && type !== 'tool_result'
const isThinking = ({ type }: JsonObject) => type === 'thinking' || type === 'redacted_thinking'
const sealOf = ({ type, thinking, signature, data }: JsonObject) =>
  type === 'thinking' ? `${signature}\n${thinking}` : `${data}`

/** The calls of the provider without a result. */
function openCalls(messages: readonly JsonObject[]): readonly JsonObject[] {
  const blocks = blocksOf(messages, 'assistant')
  const answered = new Set(blocks.filter(isServerResult).map(({ tool_use_id }) => tool_use_id))
  return blocks.filter((block) => isServerUse(block) && !answered.has(block.id ?? ''))
}

const textsIn = (messages: readonly JsonObject[]) => {
  const blocks = blocksOf(messages)
  const inner = blocks.filter(({ type }) => type === 'tool_result').flatMap((block) => blocksIn(block))
  return [...blocks, ...inner].filter(({ type }) => type === 'text').map(({ text }) => String(text))
}

const IMAGES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

/** The rules of Anthropic Messages. */
export const anthropicRules: readonly ProviderRule[] = [
  {
    id: 'A1',
    promise: 'each tool_use has its tool_result in the next message',
    *check(messages) {
      for (const [index, message] of messages.entries()) {
        if (message.role !== 'assistant') continue
        const next = messages[index + 1]
        const answers = next?.role === 'user' ? blocksIn(next).map(({ tool_use_id }) => tool_use_id) : []
        for (const { type, id = '' } of blocksIn(message))
          if (type === 'tool_use' && !answers.includes(id)) yield `the call ${id} has no result behind it`
      }
    },
  },
  {
    id: 'A2',
    promise: 'each tool_result has its tool_use in the message before, once',
    *check(messages) {
      for (const [index, message] of messages.entries()) {
        const calls = blocksIn(messages[index - 1]).flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
        const results = blocksIn(message).flatMap(({ type, tool_use_id }) =>
          type === 'tool_result' ? [String(tool_use_id)] : [],
        )
        for (const id of results) if (!calls.includes(id)) yield `the result ${id} has no call before it`
        for (const id of repeatedIn(results)) yield `the call ${id} has two results`
      }
    },
  },
  {
    id: 'A3',
    promise: 'results come first in their message, in the order of the calls',
    *check(messages) {
      for (const [index, message] of messages.entries()) {
        const types = blocksIn(message).map(({ type }) => type === 'tool_result')
        if (types.lastIndexOf(true) > types.filter(Boolean).length - 1)
          yield `message ${index} has a result behind others`
        const ids = blocksIn(message).flatMap(({ tool_use_id }) =>
          tool_use_id === undefined ? [] : [String(tool_use_id)],
        )
        const calls = blocksIn(messages[index - 1]).map(({ id }) => String(id))
        if (message.role === 'user' && !isInOrder(ids, calls)) yield `message ${index} has results in another order`
      }
    },
  },
  {
    id: 'A4',
    promise: 'no text is blank',
    *check(messages) {
      for (const text of textsIn(messages)) if (text.trim() === '') yield 'a text is blank'
    },
  },
  {
    id: 'A5',
    promise: 'no message is empty, and roles alternate',
    *check(messages) {
      for (const [index, message] of messages.entries()) {
        if (blocksIn(message).length === 0) yield `message ${index} is empty`
        if (index > 0 && messages[index - 1]?.role === message.role) yield `message ${index} repeats its role`
      }
    },
  },
  {
    id: 'A6',
    promise: 'the last message is the user’s, unless a call of the provider is pending',
    *check(messages) {
      if (messages.at(-1)?.role === 'assistant' && openCalls(messages).length === 0) yield 'the assistant speaks last'
      const first = messages[0]
      if (first?.role === 'assistant' && blocksIn(first)[0]?.type !== 'compaction') yield 'the assistant speaks first'
    },
  },
  {
    id: 'A7',
    promise: 'a last text of the assistant does not end in white space',
    *check(messages) {
      const last = messages.at(-1)
      const { type, text } = blocksIn(last).at(-1) ?? {}
      if (last?.role === 'assistant' && type === 'text' && /\s$/.test(String(text))) yield 'the last text ends in space'
    },
  },
  {
    id: 'A8',
    promise: 'thoughts have the bytes and the order in which they came',
    *check(messages, _request, facts) {
      const came = thoughtsIn(facts).map(({ signature, text, encrypted, variant }) =>
        variant === 'redacted' ? `${encrypted}` : `${signature}\n${text}`,
      )
      if (!isInOrder(blocksOf(messages).filter(isThinking).map(sealOf), came)) yield 'a thought was changed or moved'
    },
  },
  {
    id: 'A9',
    promise: 'each thought is signed, by this provider and this model',
    *check(messages, _request, facts) {
      const thoughts = thoughtsIn(facts)
      for (const block of blocksOf(messages).filter(isThinking)) {
        const seal = block.type === 'thinking' ? block.signature : block.data
        const source = thoughts.find(({ signature, encrypted }) => (signature ?? encrypted) === seal)
        if (!seal) yield 'a thought has no signature'
        else if (source?.meta?.openai || source?.meta?.google) yield 'a thought is of another provider'
        else if (facts.model !== undefined && source?.model !== undefined && source.model !== facts.model)
          yield `a thought is of ${source.model}`
      }
    },
  },
  {
    id: 'A10',
    promise: 'the last message with calls starts with its thought',
    *check(messages) {
      if (blocksIn(messages.at(-1))[0]?.type !== 'tool_result') return
      const blocks = blocksIn(messages.at(-2))
      const [first] = blocks
      const call = blocks.findIndex(({ type }) => type === 'tool_use')
      if (first !== undefined && blocks.slice(call).some(isThinking) && !blocks.slice(0, call).some(isThinking))
        yield 'a thought stands only behind the calls'
    },
  },
  {
    id: 'A11',
    promise: 'no message of the assistant ends in a thought',
    *check(messages) {
      for (const message of messages) {
        const last = blocksIn(message).at(-1)
        if (last !== undefined && isThinking(last)) yield 'a message ends in a thought'
      }
    },
  },
  {
    id: 'A12',
    promise: 'each call of the provider has a result, unless it is pending at the end',
    *check(messages) {
      const lastAssistant = messages.findLast(({ role }) => role === 'assistant')
      const pending = blocksIn(lastAssistant).map(({ id }) => id)
      const after = messages.slice(lastAssistant === undefined ? 0 : messages.indexOf(lastAssistant) + 1)
      const isFollowed = blocksOf(after).some(({ type }) => type !== 'tool_result')
      for (const { id = '' } of openCalls(messages))
        if (isFollowed || !pending.includes(id)) yield `the provider's call ${id} has no result`
    },
  },
  {
    id: 'A13',
    promise: 'each result of the provider has its call before it',
    *check(messages) {
      const calls = new Set<unknown>()
      for (const block of blocksOf(messages, 'assistant')) {
        if (isServerUse(block)) calls.add(block.id)
        if (isServerResult(block) && !calls.has(block.tool_use_id)) yield `the result ${block.tool_use_id} has no call`
      }
    },
  },
  {
    id: 'A14',
    promise: 'the container is named while code that ran in it waits',
    *check(messages, { container }, { chatEvents }) {
      const isNamed = chatEvents.some(({ meta }) => meta?.anthropic?.container !== undefined)
      const isWaiting = openCalls(messages).some(({ name }) => String(name).includes('code_execution'))
      if (isWaiting && isNamed && container === undefined) yield 'the container is not named'
    },
  },
  {
    id: 'A15',
    promise: 'there is one compaction at most: it is first, and as it came',
    *check(messages, _request, { chatEvents }) {
      const found = blocksOf(messages).filter(({ type }) => type === 'compaction')
      if (found.length > 1) yield 'there are two compactions'
      if (found.length > 0 && blocksIn(messages[0])[0]?.type !== 'compaction') yield 'the compaction is not first'
      const came = chatEvents.flatMap(({ segments }) =>
        segments.flatMap((segment) => (segment.type === 'data' ? [JSON.stringify(segment.data)] : [])),
      )
      for (const { type: _, ...data } of found)
        if (!came.includes(JSON.stringify(data))) yield 'the compaction was changed'
    },
  },
  {
    id: 'A16',
    promise: 'ids of calls have only letters, digits, _ and -, and none is used twice',
    *check(messages) {
      const ids = blocksOf(messages).flatMap((block) =>
        block.type === 'tool_use' || isServerUse(block) ? [String(block.id)] : [],
      )
      for (const id of ids) if (!/^[a-zA-Z0-9_-]+$/.test(id)) yield `the id ${JSON.stringify(id)} is refused`
      for (const id of repeatedIn(ids)) yield `the id ${id} is used twice`
    },
  },
  {
    id: 'A17',
    promise: 'pictures and documents have types that are taken, and stand in messages of the user',
    *check(messages) {
      for (const { type } of blocksOf(messages, 'assistant'))
        if (type === 'image' || type === 'document') yield `the assistant shows a ${type}`
      const blocks = blocksOf(messages)
      const inner = blocks.filter(({ type }) => type === 'tool_result').flatMap((block) => blocksIn(block))
      for (const { type, source } of [...blocks, ...inner]) {
        const { type: kind, media_type: mediaType } = (source ?? {}) as JsonObject
        if (type === 'image' && kind === 'base64' && !IMAGES.includes(String(mediaType)))
          yield `a picture is ${mediaType}`
        if (type === 'document' && kind === 'base64' && mediaType !== 'application/pdf')
          yield `a document is ${mediaType}`
        if (type === 'file-reference') yield 'a file was not loaded'
      }
    },
  },
]
