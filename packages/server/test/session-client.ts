import { once } from 'node:events'
import { WebSocket } from 'ws'
import { type Serving, until } from './serving.ts'

/** A message of a run. It has no `type`; every control frame has one. */
export interface RunMessage {
  readonly role: string
  readonly content: string
  readonly metadata: { readonly [field: string]: unknown }
  readonly message_id: string
  readonly timestamp: string
  readonly session_id: string
  readonly step_number: number | null
}

interface Control {
  readonly type: string
  readonly message?: string
  readonly error_code?: string
  readonly state?: { readonly [field: string]: unknown }
}

export interface SessionClient {
  readonly socket: WebSocket
  readonly messages: RunMessage[]
  readonly controls: Control[]
  send(frame: unknown): void
  /** Sends a frame and resolves with the next control frame. */
  ask(frame: unknown): Promise<Control>
  /** Resolves when a complete message of this type has arrived. */
  untilSaid(type: string, times?: number): Promise<void>
  close(): Promise<void>
}

/** Creates a session and returns its id. */
export async function newSession({ send }: Serving, body: object = {}): Promise<string> {
  const response = await send('POST', '/api/v2/sessions', body)
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  return ((await response.json()) as { session_id: string }).session_id
}

export const pathOf = (sessionId: string, query = ''): string => `/api/v2/ws/${encodeURIComponent(sessionId)}${query}`

export function dial({ url, token }: Serving, path: string, headers: { readonly [name: string]: string } = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
  })
  socket.on('error', () => {})
  return socket
}

/** A client that is written from the protocol's documentation: one connection to a session. */
export async function connect(server: Serving, sessionId: string, query = ''): Promise<SessionClient> {
  const socket = dial(server, pathOf(sessionId, query))
  const messages: RunMessage[] = []
  const controls: Control[] = []
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as RunMessage | Control
    if ('type' in frame) controls.push(frame)
    else messages.push(frame)
  })
  await once(socket, 'open')
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  return {
    socket,
    messages,
    controls,
    send,
    async ask(frame) {
      const before = controls.length
      send(frame)
      await until(() => controls.length > before)
      return controls[before] as Control
    },
    untilSaid: (type, times = 1) => until(() => wholeOf(messages).filter(isOf(type)).length >= times),
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

export const isOf =
  (type: string) =>
  ({ metadata }: RunMessage): boolean =>
    metadata.message_type === type

/** The last message of each stream. */
export const wholeOf = (messages: readonly RunMessage[]): RunMessage[] =>
  messages.filter(({ metadata }) => metadata.streaming !== true)

export const cursorOf = ({ metadata }: RunMessage): string => String(metadata.cursor)

/** What a client shows: the joined parts of each stream, and complete messages unchanged. */
export function shown(messages: readonly RunMessage[]): string[] {
  const texts = new Map<string, string>()
  for (const { message_id, content, metadata } of messages) {
    const before = metadata.is_delta === true ? (texts.get(message_id) ?? '') : ''
    texts.set(message_id, before + content)
  }
  return [...texts.values()]
}

interface Told {
  readonly events?: readonly { readonly type: string; readonly state?: string; readonly approvalId?: string }[]
}

/** The ids of the requested approvals, in the order of the requests. */
export function approvalsIn(messages: readonly RunMessage[]): string[] {
  const events = messages.flatMap(({ metadata }) => (metadata.millrace as Told | undefined)?.events ?? [])
  return events.flatMap(({ state, approvalId }) => (state === 'requested' ? (approvalId ?? []) : []))
}
