/** A tool's card, as a page shows it. */
interface Card {
  readonly toolName: string
  readonly toolArgs: string
  readonly callId: unknown
  readonly progress: unknown[]
  output?: string
  isError?: boolean
}

/** The content of a page that supports the protocol's seven types and nothing else. */
export interface Page {
  readonly thoughts: readonly string[]
  readonly cards: readonly Card[]
  /** The answer. */
  readonly bubble: string
  readonly error: string | undefined
}

type Fields = { readonly [field: string]: unknown }

/** The fields of each type and their types. There may be other fields. */
const shapes: { readonly [type: string]: { readonly [field: string]: (value: unknown) => boolean } } = {
  thought: { content: isString },
  tool_call: { toolName: isString, toolArgs: isString },
  tool_progress: { toolName: isString, data: (value) => value !== undefined },
  tool_result: {
    toolName: isString,
    output: isString,
    isError: (value) => [undefined, true, false].includes(value as never),
  },
  stream: { content: isString },
  final: {},
  error: { error: isString },
}

/**
 * The content of a page that reads each event from an `EventSource`. Throws if an event is not one of the protocol's, if
 * it is about a call that was not made or has a result, and if the stream does not end with exactly one last event.
 */
export function readAgentEvents(body: string): Page {
  const thoughts: string[] = []
  const cards: Card[] = []
  let bubble = ''
  let error: string | undefined
  let isOver = false

  const views: { readonly [type: string]: (event: never) => void } = {
    thought: ({ content }: { content: string }) => void thoughts.push(content),
    tool_call({ toolName, toolArgs, callId }: Card) {
      cards.push({ toolName, toolArgs, callId, progress: [] })
    },
    tool_progress: (event: { toolName: string; data: unknown }) => void cardOf(cards, event).progress.push(event.data),
    tool_result(event: { toolName: string; output: string; isError?: boolean }) {
      Object.assign(cardOf(cards, event), { output: event.output, isError: event.isError === true })
    },
    stream({ content }: { content: string }) {
      bubble += content
    },
    final() {
      isOver = true
    },
    error(event: { error: string }) {
      error = event.error
      isOver = true
    },
  }

  for (const data of messagesOf(body)) {
    if (isOver) throw new Error(`Something follows the last event: ${data}`)
    const event = JSON.parse(data) as Fields
    const type = String(event.type)
    const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined
    if (shape === undefined) throw new Error(`"${type}" is not a type of AgentEvent.`)
    for (const [field, check] of Object.entries(shape)) {
      if (!check(event[field])) throw new Error(`The field ${field} of a ${type} is not valid: ${data}`)
    }
    views[type]?.(event as never)
  }
  if (!isOver) throw new Error('The stream has no last event.')
  return { thoughts, cards, bubble, error }
}

/** The open card of a tool: by the call id if there is one, otherwise the first without a result. */
function cardOf(cards: readonly Card[], { toolName, callId }: Fields): Card {
  const isMeant = (card: Card) => card.toolName === toolName && (callId === undefined || card.callId === callId)
  const card = cards.find((one) => isMeant(one) && one.output === undefined)
  if (card === undefined) throw new Error(`${toolName} has no open call (${String(callId)}).`)
  return card
}

/** The messages of a response, as a browser splits them: `data:` lines up to an empty line. */
function messagesOf(body: string): readonly string[] {
  const blocks = body.split('\n\n').slice(0, -1)
  return blocks.flatMap((block) => {
    const data = block.split('\n').filter((line) => line.startsWith('data:'))
    return data.length === 0 ? [] : [data.map((line) => line.slice(5).replace(/^ /, '')).join('\n')]
  })
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}
