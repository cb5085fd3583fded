import type { Extract, ExtractFrom } from './extract.ts'

interface Content {
  readonly type?: string
  readonly text?: string
}

interface Update {
  readonly sessionUpdate?: string
  readonly content?: Content | readonly Content[]
  readonly messageId?: string
  readonly toolCallId?: string
  readonly name?: string
  readonly title?: string
  readonly kind?: string
  readonly status?: string
  readonly rawInput?: object
  readonly _meta?: { readonly claudeCode?: { readonly toolName?: string; readonly parentToolUseId?: string } }
}

interface Value {
  readonly message?: Value
  readonly data?: Value
  readonly sessionId?: string
  readonly sessionUpdate?: string
  readonly update?: Update
  readonly method?: string
  readonly params?: {
    readonly sessionId?: string
    readonly update?: Update
    readonly sessionUpdate?: string
    readonly prompt?: readonly Content[]
    readonly toolCall?: Update
    readonly subject?: { readonly toolCall?: Update }
  }
}

/** Updates after which a new text begins; other updates do not end a text. */
const CUTS = ['plan', 'plan_update', 'plan_removed', 'notice', 'compaction_update', 'user_message']
const VOICES: { readonly [update: string]: 'text' | 'reasoning' } = {
  user_message_chunk: 'text',
  agent_message_chunk: 'text',
  agent_thought_chunk: 'reasoning',
  compaction_summary_chunk: 'reasoning',
}
const WHOLE: { readonly [update: string]: 'text' | 'reasoning' } = {
  user_message: 'text',
  agent_message: 'text',
  agent_thought: 'reasoning',
}

interface Piece {
  readonly voice: 'text' | 'reasoning'
  readonly key: string
  text: string
}

interface Call {
  readonly name: string
  input: object
  isOver: boolean
}

export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  const calls = new Map<string, Call>()
  let open = ''
  let prompted = ''
  /** The session of an update that names none. */
  let main = ''

  const say = (voice: Piece['voice'], key: string, text: string) => {
    const last = pieces.at(-1)
    if (last !== undefined && open === key && last.key === key) last.text += text
    else pieces.push({ voice, key, text })
    open = key
  }
  const readCall = (call: Update, name: string, isAsked = false) => {
    const id = call.toolCallId ?? ''
    if (!calls.has(id)) open = ''
    const existing = calls.get(id) ?? { name, input: {}, isOver: false }
    const hasRawInput = Object.keys(call.rawInput ?? {}).length > 0
    if (hasRawInput && !existing.isOver) existing.input = call.rawInput ?? {}
    const hasInput = Object.keys(existing.input).length > 0
    const isRunning = call.status !== undefined && call.status !== 'pending'
    existing.isOver ||= (isRunning || isAsked) && hasInput
    calls.set(id, existing)
  }

  for (const raw of values as readonly (Value | null)[]) {
    const value = raw?.message ?? raw?.data ?? raw
    const params = value?.params ?? value
    const update = params?.update ?? (params?.sessionUpdate ? (params as Update) : undefined)
    if (value?.method === 'session/prompt') {
      prompted = ''
      for (const [index, { text }] of (value.params?.prompt ?? []).entries()) {
        if (text !== undefined) say('text', `prompt ${index}`, text)
        prompted += text ?? ''
      }
      open = ''
    }
    const asked = value?.params?.toolCall ?? value?.params?.subject?.toolCall
    if (asked !== undefined) readCall(asked, nameOf(asked), true)
    main ||= params?.sessionId ?? ''
    const type = update?.sessionUpdate ?? ''
    if (update === undefined) continue
    const voice = VOICES[type]
    const who = update._meta?.claudeCode?.parentToolUseId ?? params?.sessionId ?? main
    const key = `${who} ${type.replace('_chunk', '')} ${update.messageId ?? ''}`
    const text = textOf(update.content)
    // An agent that works has heard the prompt: it does not repeat it any more.
    if (who === main && /^(agent_|tool_call)/.test(type)) prompted = ''
    if (type === 'user_message_chunk' && text && prompted.startsWith(text)) prompted = prompted.slice(text.length)
    else if (voice !== undefined && text !== undefined) say(voice, key, text)
    else if (voice !== undefined || CUTS.includes(type)) open = ''
    const whole = WHOLE[type]
    const isRepeated = type === 'user_message' && text !== undefined && text !== '' && prompted.startsWith(text)
    if (isRepeated) prompted = prompted.slice(text.length)
    else if (whole !== undefined && isReadable(update.content))
      replace(pieces, whole, key, update.content as readonly Content[])
    if (type.startsWith('tool_call')) readCall(update, type === 'tool_call_content_chunk' ? 'unknown' : nameOf(update))
  }
  return resultOf(pieces, [...calls.values()])
}

/** Replaces the text of a message; its text before a tool call stays. */
function replace(pieces: Piece[], voice: Piece['voice'], key: string, content: readonly Content[]): void {
  const text = content.map((piece) => piece.text ?? '').join('')
  const samePieces = pieces.filter((piece) => piece.key === key)
  const last = samePieces.pop()
  if (last === undefined) pieces.push({ voice, key, text })
  else {
    const earlierText = samePieces.map((piece) => piece.text).join('')
    last.text = text.startsWith(earlierText) ? text.slice(earlierText.length) : text
  }
}

/** A message may be sent without content, or with content of a kind that is not drawn. */
function isReadable(content: Update['content']): boolean {
  return Array.isArray(content) && content.every(({ type }) => type !== 'video')
}

function textOf(content: Update['content']): string | undefined {
  return Array.isArray(content) && content.every((piece) => piece.text !== undefined)
    ? content.map((piece) => piece.text).join('')
    : (content as Content | undefined)?.text
}

function nameOf({ name, title, kind, _meta }: Update): string {
  return name ?? _meta?.claudeCode?.toolName ?? (kind && kind !== 'other' ? kind : (title ?? kind ?? 'tool'))
}

function resultOf(pieces: readonly Piece[], calls: readonly Call[]): Extract {
  const prose = (voice: Piece['voice']) =>
    pieces.filter((piece) => piece.voice === voice && piece.text !== '').map(({ text }) => text)
  return {
    text: prose('text'),
    reasoning: prose('reasoning'),
    tools: calls.filter(({ name }) => name !== 'unknown').map(({ name, input }) => ({ name, input })),
  }
}
