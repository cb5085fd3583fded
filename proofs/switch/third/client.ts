/** A message of the protocol, the fields that this client reads. */
interface RunMessage {
  readonly message_id: string
  readonly role: string
  readonly content: string
  readonly metadata: {
    readonly component?: 'chat' | 'webide' | 'terminal'
    readonly message_type?: string
    readonly step_type?: string
    readonly step_number?: number
    readonly tool_name?: string
    readonly is_delta?: boolean
    readonly streaming?: boolean
    readonly answer_title?: string
    readonly answer_content?: string
    readonly answer_sources?: readonly string[]
    readonly code?: string
  }
}

/** The way that a client has to the server: what its requests carry, and how its socket is let in. */
export interface Way {
  readonly origin: string
  readonly headers: { readonly [name: string]: string }
  /** What is added to the address of the socket: the one line that a page elsewhere changes. */
  readonly query?: (session: Session) => string
  /** Of the socket. */
  readonly socketHeaders?: { readonly [name: string]: string }
}

interface Session {
  readonly session_id: string
  readonly ticket: string
}

export interface Client {
  readonly sessionId: string
  /** By id, in the order in which they came. */
  readonly messages: ReadonlyMap<string, RunMessage>
  /** How often the text of a message that streams was replaced by a longer one. */
  growths(): number
  send(frame: object): void
  close(): void
}

/** Creates a session, or comes back to one, and connects. The messages are held by their ids; each version replaces the last. */
export async function openClient(way: Way, sessionId?: string): Promise<Client> {
  const session = sessionId === undefined ? await createSession(way) : { session_id: sessionId, ticket: '' }
  const address = `${way.origin.replace('http', 'ws')}/api/v2/ws/${session.session_id}${way.query?.(session) ?? ''}`
  const messages = new Map<string, RunMessage>()
  let growths = 0
  const socket = new WebSocket(address, { headers: way.socketHeaders ?? {} } as never)
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve()
    socket.onerror = () => reject(new Error(`The socket ${address} was refused.`))
  })
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as RunMessage | { readonly type: string }
    if ('type' in message) return
    const before = messages.get(message.message_id)
    if (message.metadata.is_delta === true && before !== undefined && message.content.length > before.content.length)
      growths++
    messages.set(message.message_id, message)
  }
  return {
    sessionId: session.session_id,
    messages,
    growths: () => growths,
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
  }
}

async function createSession({ origin, headers }: Way): Promise<Session> {
  const response = await fetch(`${origin}/api/v2/sessions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ agent_type: 'react', max_steps: 25 }),
  })
  const body = (await response.json()) as Session & { readonly detail?: string }
  // As the client has it: it shows `detail`, a text.
  if (!response.ok) throw new Error(body.detail)
  return body
}

/** The panes of the client, by its own rules: it looks at the type of a message, and never asks for a list of panes. */
export function panesOf({ messages }: Client) {
  const all = [...messages.values()]
  const ofType = (type: string) => all.filter(({ metadata }) => metadata.message_type === type)
  const answer = ofType('final_answer').at(-1)?.metadata
  return {
    badges: ofType('tool_call').map(({ metadata }) => metadata.tool_name),
    code: all
      .filter(({ metadata }) => metadata.component === 'webide')
      .map(({ content, metadata }) => metadata.code ?? content.replace(/^```python\n|\n?```$/g, '')),
    terminal: all.filter(({ metadata }) => metadata.component === 'terminal').map(({ content }) => content),
    thoughts: ofType('action_thought').map(({ content }) => content),
    plan: ofType('planning_content').map(({ content }) => content),
    steps: ofType('action_header').map(({ content }) => content),
    answer: { title: answer?.answer_title, content: answer?.answer_content, sources: answer?.answer_sources },
    open: all.filter(({ metadata }) => metadata.streaming === true).length,
  }
}
