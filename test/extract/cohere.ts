import type { ExtractFrom } from './extract.ts'

interface Piece {
  readonly kind: 'text' | 'reasoning' | 'tool'
  readonly key: string
  readonly name: string
  said: string
  whole?: unknown
}

/** Both versions: v2 says which content a delta belongs to, v1 has one text and calls without ids. */
export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  let message = 0
  const at = (kind: Piece['kind'], key: string, name = ''): Piece => {
    const full = `${message} ${key}`
    const known = pieces.find((piece) => piece.key === full && piece.kind === kind)
    if (known !== undefined) return known
    const piece = { kind, key: full, name, said: '' }
    pieces.push(piece)
    return piece
  }
  for (const value of values as readonly Value[]) {
    if (value?.type === 'message-start' || value?.event_type === 'stream-start') message += 1
    if (value?.message !== undefined) message += 1
    readSaid(value?.delta?.message ?? value?.message ?? {}, value?.index ?? 0, at)
    if (value?.event_type !== undefined || value?.is_finished !== undefined) readFirstVersion(value, at)
    if (value?.is_finished === true) message += 1
  }
  const prose = (kind: string) =>
    pieces.filter((piece) => piece.kind === kind && piece.said !== '').map(({ said }) => said)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: pieces
      .filter(({ kind, name }) => kind === 'tool' && name !== '')
      .map((tool) => ({ name: tool.name, input: inputOf(tool) })),
  }
}

type At = (kind: Piece['kind'], key: string, name?: string) => Piece

interface Content {
  readonly text?: string
  readonly thinking?: string
}

interface Call {
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

interface Said {
  readonly content?: Content | readonly Content[]
  readonly tool_plan?: string
  readonly tool_calls?: Call | readonly Call[]
}

interface Value {
  readonly type?: string
  readonly event_type?: string
  readonly is_finished?: boolean
  readonly index?: number
  readonly delta?: { readonly message?: Said }
  readonly message?: Said
  readonly text?: string
  readonly search_queries?: unknown
  readonly response?: { readonly text?: string; readonly tool_calls?: unknown }
  readonly tool_call_delta?: { readonly index?: number; readonly name?: string; readonly parameters?: string }
  readonly tool_calls?: readonly { readonly name: string; readonly parameters: unknown }[]
}

const listOf = <Item>(value: Item | readonly Item[] | undefined): readonly Item[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as Item]

function readSaid({ content, tool_plan, tool_calls }: Said, index: number, at: At): void {
  if (tool_plan) at('reasoning', 'plan').said += tool_plan
  for (const [place, { text, thinking }] of listOf(content).entries()) {
    if (text) at('text', `content ${index + place}`).said += text
    if (thinking) at('reasoning', `content ${index + place}`).said += thinking
  }
  for (const [place, { function: called }] of listOf(tool_calls).entries())
    at('tool', `call ${index + place}`, called?.name).said += called?.arguments ?? ''
}

function readFirstVersion(value: Value, at: At): void {
  const isPlan = value.event_type?.startsWith('tool-calls')
  if (value.text && !isPlan) at('text', 'text').said += value.text
  if (value.text && value.event_type === 'tool-calls-chunk') at('reasoning', 'plan').said += value.text
  if (value.event_type === 'search-results') at('tool', 'search', 'search')
  if (value.search_queries) at('tool', 'search', 'search').whole = { search_queries: value.search_queries }
  const { text, tool_calls } = value.response ?? {}
  if (text && !tool_calls && at('text', 'text').said === '') at('text', 'text').said = text
  const { name, index, parameters } = value.tool_call_delta ?? {}
  if (name) at('tool', `call ${index}`, name)
  if (parameters) at('tool', `call ${index}`).said += parameters
  for (const [place, call] of (value.tool_calls ?? []).entries())
    at('tool', `call ${place}`, call.name).whole = call.parameters
}

function inputOf({ said, whole }: Piece): unknown {
  if (whole !== undefined) return whole
  try {
    return said === '' ? {} : JSON.parse(said)
  } catch {
    return said
  }
}
