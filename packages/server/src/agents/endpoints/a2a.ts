import { randomUUID } from 'node:crypto'
import { isJsonObject, isText, type Json, type JsonObject } from '@millrace/core/json'
import type { Call } from '../outbound/send.ts'
import { answerWords } from './answer-words.ts'
import type { Answered, Conversation, Endpoint, HttpTurn } from './endpoint.ts'

/** The methods and spellings of a version of the protocol. */
interface Version {
  readonly name: string
  readonly stream: string
  readonly subscribe: string
  readonly get: string
  readonly cancel: string
  readonly role: string
  part(kind: 'text' | 'data', value: Json): object
  file(file: HttpTurn['files'][number]): object
  readonly extra: object
}

const CURRENT: Version = {
  name: '1.0',
  stream: 'SendStreamingMessage',
  subscribe: 'SubscribeToTask',
  get: 'GetTask',
  cancel: 'CancelTask',
  role: 'ROLE_USER',
  part: (kind, value) => ({ [kind]: value }),
  file: ({ base64, mediaType, filename }) => ({ raw: base64, mediaType, ...(filename !== undefined && { filename }) }),
  extra: {},
}

const OLDER: Version = {
  name: '0.3',
  stream: 'message/stream',
  subscribe: 'tasks/resubscribe',
  get: 'tasks/get',
  cancel: 'tasks/cancel',
  role: 'user',
  part: (kind, value) => ({ kind, [kind]: value }),
  file: ({ base64, mediaType, filename: name }) => ({
    kind: 'file',
    file: { bytes: base64, mimeType: mediaType, ...(name !== undefined && { name }) },
  }),
  extra: { kind: 'message' },
}

/** The method, or the version, is unknown to the service: nothing was done. */
const UNKNOWN: ReadonlySet<unknown> = new Set([-32601, -32009])
/** After these the service sends nothing more of the task, unless it gets another message. */
const AT_REST = /(?:COMPLETED|FAILED|REJECTED|CANCELL?ED|REQUIRED)$/i
/** A question keeps its task open, so that a stop must end it. */
const OVER = /(?:COMPLETED|FAILED|REJECTED|CANCELL?ED)$/i
/** How often a task is asked for that goes on after its answer has ended. */
const MOST_TRIES = 3

/** An agent that speaks Agent2Agent by JSON-RPC. The current version is tried first, then 0.3. */
export const a2a: Endpoint = {
  format: 'a2a',
  can: { session: 'resume', files: ['*/*'], recover: true },
  canRejoin: true,
  check: ({ target }) => new URL('/.well-known/agent-card.json', target.url),
  open,
}

type Method = 'stream' | 'subscribe' | 'get' | 'cancel'

function open({ spec, session, prompt, files, keepSession }: HttpTurn): Conversation {
  const { url } = spec.target
  let version = CURRENT
  /** Makes the last message, in the version that is spoken now. */
  let lastMessage = () => call('stream', {})
  let asked: Method = 'stream'
  let next: Method | undefined
  let tries = 0
  let taskId: string | undefined
  let contextId = session
  let state = ''

  function call(method: Method, params: object): Call {
    asked = method
    next = undefined
    const body = { jsonrpc: '2.0', id: randomUUID(), method: version[method], params }
    return { method: 'POST', url, headers: { 'a2a-version': version.name }, body }
  }

  function message(parts: () => readonly object[], task?: string): Call {
    const messageId = randomUUID()
    lastMessage = () => {
      const ids = { ...(contextId !== undefined && { contextId }), ...(task !== undefined && { taskId: task }) }
      return call('stream', {
        message: { ...version.extra, messageId, role: version.role, parts: parts(), ...ids },
      })
    }
    return lastMessage()
  }

  function note(result: JsonObject): void {
    const [inner, ...others] = Object.values(result)
    const found = others.length === 0 && isJsonObject(inner) ? inner : result
    const task = found.taskId ?? (isJsonObject(found.status) ? found.id : undefined)
    if (isText(task)) taskId = task
    if (isText(found.contextId)) {
      contextId = found.contextId
      keepSession(contextId)
    }
    if (isJsonObject(found.status)) state = String(found.status.state)
    else if (found.parts !== undefined) state = 'COMPLETED'
  }

  /** What a refusal leads to: the older version, or the task as it is in place of what follows in it. */
  function afterError(code: unknown): Method | undefined {
    if (asked === 'subscribe') return 'get'
    return asked === 'stream' && version === CURRENT && UNKNOWN.has(code) ? 'stream' : undefined
  }

  const partsOf = (answer: Answered['answer']): readonly object[] => {
    const isData = answer.state === 'answered' && !isText(answer.answer)
    return [isData ? version.part('data', answer.answer) : version.part('text', answerWords(answer))]
  }

  return {
    first: () =>
      message(() => [
        ...(prompt === '' ? [] : [version.part('text', prompt)]),
        ...files.map((file) => version.file(file)),
      ]),
    take({ value }) {
      const { error, result } = isJsonObject(value) ? value : {}
      if (isJsonObject(error)) {
        next = afterError(error.code)
        if (next === undefined) state = 'FAILED'
        return next === undefined
      }
      tries = 0
      if (isJsonObject(result)) note(result)
      return true
    },
    again() {
      if (next === 'stream') {
        version = OLDER
        return lastMessage()
      }
      if (taskId === undefined || AT_REST.test(state)) return undefined
      if (next === 'get') return call('get', { id: taskId })
      // A service may end its answer before the task has ended.
      return asked === 'get' || tries++ >= MOST_TRIES ? undefined : call('subscribe', { id: taskId })
    },
    rejoin: () => (taskId === undefined ? undefined : call('subscribe', { id: taskId })),
    resume(answers, { metadata = {} }) {
      // After a restart only the log says which task asked.
      taskId ??= textOf(metadata.taskId)
      contextId ??= textOf(metadata.contextId)
      state = ''
      return message(() => answers.flatMap(({ answer }) => partsOf(answer)), taskId)
    },
    cancel: () => (taskId === undefined || OVER.test(state) ? undefined : call('cancel', { id: taskId })),
  }
}

const textOf = (value: Json | undefined) => (isText(value) ? value : undefined)
