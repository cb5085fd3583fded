import type { JsonObject } from '@millrace/core/json'
import { asObjects, blocksIn, type ProviderRule, repeatedIn } from './rule.ts'

const callsIn = (message: JsonObject | undefined) => asObjects(message?.tool_calls)
const idsIn = (messages: readonly JsonObject[]) => messages.flatMap(callsIn).map(({ id }) => String(id))
const ofAssistant = (messages: readonly JsonObject[]) => messages.filter(({ role }) => role === 'assistant')

/** The tool messages directly behind a message. */
function answersTo(messages: readonly JsonObject[], index: number): readonly string[] {
  const rest = messages.slice(index + 1)
  const end = rest.findIndex(({ role }) => role !== 'tool')
  return (end === -1 ? rest : rest.slice(0, end)).map(({ tool_call_id }) => String(tool_call_id))
}

/** The rules of Chat Completions and of services that speak it. */
export const chatRules: readonly ProviderRule[] = [
  {
    id: 'C1',
    promise: 'all results of a message’s calls are directly behind it, in the order of the calls',
    *check(messages) {
      for (const [index, message] of messages.entries()) {
        const ids = callsIn(message).map(({ id }) => String(id))
        if (ids.length > 0 && ids.join() !== answersTo(messages, index).join()) yield `message ${index} is not answered`
      }
    },
  },
  {
    id: 'C2',
    promise: 'each result follows its call',
    *check(messages) {
      for (const [index, { role, tool_call_id: id }] of messages.entries()) {
        const asking = messages.slice(0, index).findLast((message) => message.role !== 'tool')
        if (role === 'tool' && !callsIn(asking).some((call) => call.id === id)) yield `the result ${id} has no call`
      }
    },
  },
  {
    id: 'C3',
    promise: 'results and messages of the assistant hold only text',
    *check(messages) {
      const texts = ['text', 'refusal', 'thinking']
      for (const message of messages.filter(({ role }) => role === 'tool' || role === 'assistant'))
        for (const { type } of blocksIn(message))
          if (!texts.includes(String(type))) yield `a message of the ${message.role} holds a ${type}`
      for (const message of messages)
        if (message.content === undefined || (message.content === '' && message.role === 'user'))
          yield `a message of the ${message.role} is empty`
      for (const { content, tool_calls, refusal } of ofAssistant(messages))
        if (content === null && tool_calls === undefined && refusal === undefined) yield 'an answer is empty'
    },
  },
  {
    id: 'C4',
    promise: 'DeepSeek gets reasoning_content with every message of the assistant',
    *check(messages, _request, { vendor, model = '' }) {
      if (vendor !== 'deepseek' || /\br1\b|reasoner/i.test(model)) return
      for (const { reasoning_content } of ofAssistant(messages))
        if (typeof reasoning_content !== 'string') yield 'an answer has no reasoning_content'
    },
  },
  {
    id: 'C5',
    promise: 'a service gets thoughts only in the field that it takes',
    *check(messages, _request, { vendor = 'openai' }) {
      const taken: { readonly [vendor: string]: string } = {
        deepseek: 'reasoning_content',
        'openai-compatible': 'reasoning_content',
        groq: 'reasoning',
        cerebras: 'reasoning',
        openrouter: 'reasoning_details',
      }
      for (const message of messages)
        for (const field of ['reasoning_content', 'reasoning', 'reasoning_details'])
          if (field in message && taken[vendor] !== field && vendor !== 'openai-compatible')
            yield `${vendor} gets ${field}`
    },
  },
  {
    id: 'C6',
    promise: 'Mistral gets ids of nine letters and digits',
    *check(messages, _request, { vendor }) {
      if (vendor !== 'mistral') return
      for (const id of idsIn(messages)) if (!/^[a-zA-Z0-9]{9}$/.test(id)) yield `the id ${id} is refused`
    },
  },
  {
    id: 'C7',
    promise: 'ids of calls have 1 to 64 characters, and none is used twice',
    *check(messages) {
      const ids = idsIn(messages)
      for (const id of ids) if (id.length > 64 || id === '') yield `the id ${id} is refused`
      for (const id of repeatedIn(ids)) yield `the id ${id} is used twice`
    },
  },
]
