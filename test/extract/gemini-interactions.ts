import type { ExtractFrom } from './extract.ts'

/** A step as it stands once all its deltas are in. */
interface Piece {
  readonly type: string
  readonly name: string
  readonly texts: string[]
  given: unknown
  streamed: string
}

export const extract: ExtractFrom = (values) => {
  const pieces: Piece[] = []
  let open = new Map<number, Piece>()
  let seen = 0
  const begin = (index: number, step: RawStep) => {
    const piece = pieceOf(step)
    pieces.push(piece)
    open.set(index, piece)
    seen = Math.max(seen, index + 1)
    return piece
  }
  for (const value of values as readonly Value[]) {
    const [, event] = /(start|created|delta|stop|complete)/.exec(value?.event_type ?? '') ?? []
    const isAboutAll = value?.event_type?.startsWith('interaction')
    if (isAboutAll && event !== 'complete' && event !== undefined) {
      open = new Map()
      seen = 0
    } else if (event === 'start') begin(value.index ?? 0, value.step ?? value.content ?? { type: '' })
    else if (event === 'delta' && value.delta !== undefined) {
      const { delta } = value
      const piece =
        open.get(value.index ?? 0) ??
        begin(value.index ?? 0, { type: delta.type.startsWith('thought') ? 'thought' : 'model_output' })
      add(piece, delta)
    } else if (event === 'stop') open.delete(value.index ?? 0)
    const whole = event === 'complete' ? value.interaction : value?.object === 'interaction' ? value : undefined
    const steps = whole?.steps ?? whole?.outputs ?? []
    pieces.push(...steps.slice(seen).map(pieceOf))
  }
  const prose = (...types: readonly string[]) =>
    pieces.flatMap((piece) => (types.includes(piece.type) ? piece.texts : [])).filter((text) => text !== '')
  return {
    text: prose('model_output', 'user_input', 'text'),
    reasoning: prose('thought'),
    tools: pieces
      .filter(({ type }) => type.endsWith('_call'))
      .map((piece) => ({ name: piece.name, input: piece.streamed === '' ? piece.given : JSON.parse(piece.streamed) })),
  }
}

interface Value {
  readonly event_type?: string
  readonly object?: string
  readonly index?: number
  readonly step?: RawStep
  readonly content?: RawStep
  readonly delta?: RawStep
  readonly interaction?: Value
  readonly steps?: readonly RawStep[]
  readonly outputs?: readonly RawStep[]
}

interface RawStep {
  readonly type: string
  readonly name?: string
  readonly text?: string
  readonly content?: unknown
  readonly summary?: readonly RawStep[]
  readonly arguments?: unknown
}

function pieceOf(step: RawStep): Piece {
  const name = step.name ?? step.type.replace(/_call$/, '')
  const piece: Piece = { type: step.type, name, texts: [''], given: step.arguments ?? {}, streamed: '' }
  const items = step.summary ?? (Array.isArray(step.content) ? (step.content as readonly RawStep[]) : [step])
  for (const item of items) say(piece, item)
  return piece
}

function say(piece: Piece, item: RawStep): void {
  if (typeof item.text === 'string') piece.texts.push(`${piece.texts.pop() ?? ''}${item.text}`)
  else if (item.type === 'image' && piece.type !== 'thought') piece.texts.push('')
}

function add(piece: Piece, delta: RawStep): void {
  if (typeof delta.arguments === 'string') piece.streamed += delta.arguments
  else if (typeof delta.arguments === 'object') piece.given = { ...(piece.given as object), ...delta.arguments }
  say(piece, (delta.content as RawStep | undefined) ?? delta)
}
