import { isJsonObject, isText, type Json, type JsonObject } from '@millrace/core/json'
import type { Call } from '../outbound/send.ts'
import type { Wire } from '../outbound/wire.ts'
import type { Answered, Conversation, Endpoint, HttpTurn, SentFile } from './endpoint.ts'

const SENT = { stream_mode: ['messages-tuple', 'updates', 'custom'], stream_subgraphs: true, stream_resumable: true }

/** A graph on a LangGraph server: a thread of the server for each conversation. */
export const langgraph: Endpoint = {
  format: 'langgraph',
  can: { session: 'resume', files: ['*/*'], recover: true, edit: true },
  canRejoin: true,
  check: (spec) => addressOf(spec, 'ok'),
  open,
}

const addressOf = ({ target }: HttpTurn['spec'], path: string): URL => {
  const { url } = target
  const base = new URL(url)
  base.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
  return base
}

function open({ spec, session, prompt, files, keepSession, request }: HttpTurn, wire: Wire): Conversation {
  const { assistant = 'agent' } = spec
  let threadId = session
  let runId: string | undefined
  let isOver = false
  const at = (path: string) => addressOf(spec, `threads/${threadId}${path}`)

  function run(asked: object): Call {
    runId = undefined
    isOver = false
    const body = { assistant_id: assistant, ...asked, ...SENT, on_disconnect: 'continue', multitask_strategy: 'reject' }
    return { method: 'POST', url: at('/runs/stream'), body }
  }

  return {
    async first() {
      if (threadId === undefined) {
        const metadata = { millrace_thread: request.threadId }
        const made = await wire.json({ method: 'POST', url: addressOf(spec, 'threads'), body: { metadata } })
        threadId = isText(made.thread_id) ? encodeURIComponent(made.thread_id) : undefined
      }
      if (threadId !== undefined) keepSession(threadId)
      return run({ input: { messages: [{ role: 'user', content: contentOf(prompt, files) }] } })
    },
    take({ value, name }) {
      if (name === 'metadata' && isJsonObject(value) && isText(value.run_id)) runId = encodeURIComponent(value.run_id)
      if (name === 'end') isOver = true
      return true
    },
    resume(answers, own) {
      threadId ??= own.session
      return run({ command: { resume: resumeOf(answers) } })
    },
    rejoin() {
      const last = wire.lastId()
      if (runId === undefined || isOver) return undefined
      // Without the id of an event the server would send all of them again.
      return { method: 'GET', url: at(`/runs/${runId}/stream`), headers: { 'last-event-id': last ?? '-1' } }
    },
    cancel() {
      if (runId === undefined) return undefined
      const url = at(`/runs/${runId}/cancel`)
      url.searchParams.set('wait', 'false')
      url.searchParams.set('action', 'interrupt')
      return { method: 'POST', url, body: {} }
    },
  }
}

function contentOf(prompt: string, files: readonly SentFile[]): Json {
  if (files.length === 0) return prompt
  const blocks = files.map(({ mediaType, base64, filename }) =>
    mediaType.startsWith('image/')
      ? { type: 'image_url', image_url: { url: `data:${mediaType};base64,${base64}` } }
      : {
          type: 'file',
          source_type: 'base64',
          mime_type: mediaType,
          data: base64,
          ...(filename !== undefined && { filename }),
        },
  )
  return [...(prompt === '' ? [] : [{ type: 'text', text: prompt }]), ...blocks]
}

/**
 * Answers by the ids of their interrupts: LangGraph.js takes a bare `false` for no answer. Servers whose ids are not such hashes
 * get one answer as it is. An interrupt that asked for several actions has all of them.
 */
function resumeOf(answers: readonly Answered[]): Json {
  const byInterrupt = new Map<string, Answered[]>()
  for (const answered of answers) {
    const id = answered.approvalId.replace(/:\d+$/, '')
    byInterrupt.set(id, [...(byInterrupt.get(id) ?? []), answered])
  }
  const values = [...byInterrupt].map(([id, all]) => [id, answerOf(all)] as const)
  const [only] = values
  return values.length === 1 && only !== undefined && !INTERRUPT_ID.test(only[0]) ? only[1] : Object.fromEntries(values)
}

const INTERRUPT_ID = /^[0-9a-f]{32}$/

function answerOf(answers: readonly Answered[]): Json {
  const [first] = answers
  if (first === undefined) return null
  return isAction(first.request) ? { decisions: answers.map(decisionOf) } : plainValue(first.answer)
}

/** The request of a middleware that asks before a call is made. */
const isAction = (request: Json | undefined): request is JsonObject =>
  isJsonObject(request) && isText(request.name) && request.args !== undefined

function decisionOf({ answer, request }: Answered): Json {
  const name = isJsonObject(request) ? (request.name ?? null) : null
  if (answer.state === 'denied')
    return { type: 'reject', ...(answer.message !== undefined && { message: answer.message }) }
  if (answer.state === 'approved')
    return answer.input === undefined
      ? { type: 'approve' }
      : { type: 'edit', edited_action: { name, args: answer.input } }
  const { answer: value } = answer
  return isJsonObject(value) && isText(value.type)
    ? value
    : { type: 'respond', message: isText(value) ? value : JSON.stringify(value) }
}

function plainValue(answer: Answered['answer']): Json {
  if (answer.state === 'answered') return answer.answer
  if (answer.state === 'approved') return answer.input ?? true
  return answer.message === undefined ? false : { approved: false, message: answer.message }
}
