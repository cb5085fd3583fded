import type { ExtractFrom } from './extract.ts'

/** A step after all its deltas. */
interface ReadStep {
  readonly type: string
  name: string
  readonly texts: string[]
  args: unknown
  streamed: string
}

export const extract: ExtractFrom = (values) => {
  const readSteps: ReadStep[] = []
  let open = new Map<number, ReadStep>()
  let seen = 0
  /** The interaction that the steps belong to, and the one that was completed last. */
  let [id, completedId]: (string | undefined)[] = []
  const begin = (index: number, step: RawStep) => {
    const readStep = readStepOf(step)
    readSteps.push(readStep)
    open.set(index, readStep)
    seen = Math.max(seen, index + 1)
    return readStep
  }
  for (const value of values as readonly Value[]) {
    const [, event] = /(start|created|delta|stop|complete)/.exec(value?.event_type ?? '') ?? []
    const isAboutAll = value?.event_type?.startsWith('interaction')
    if (isAboutAll && event !== 'complete' && event !== undefined) {
      ;[open, seen, id, completedId] = [new Map(), 0, value.interaction?.id, undefined]
    } else if (event === 'start') begin(value.index ?? 0, value.step ?? value.content ?? { type: '' })
    else if (event === 'delta' && value.delta !== undefined) {
      const { delta } = value
      const readStep =
        open.get(value.index ?? 0) ??
        begin(value.index ?? 0, { type: delta.type.startsWith('thought') ? 'thought' : 'model_output' })
      add(readStep, delta)
    } else if (event === 'stop') open.delete(value.index ?? 0)
    const whole = event === 'complete' ? value.interaction : value?.object === 'interaction' ? value : undefined
    if (whole === undefined || (whole.id !== undefined && whole.id === completedId)) continue
    const isOther = whole.id !== undefined && id !== undefined && whole.id !== id
    readSteps.push(...(whole.steps ?? whole.outputs ?? []).slice(isOther ? 0 : seen).map(readStepOf))
    completedId = whole.id
    ;[open, seen, id] = [new Map(), 0, undefined]
  }
  const prose = (...types: readonly string[]) =>
    readSteps.flatMap((readStep) => (types.includes(readStep.type) ? readStep.texts : [])).filter((text) => text !== '')
  return {
    text: prose('model_output', 'user_input', 'text'),
    reasoning: prose('thought'),
    tools: readSteps
      .filter(({ type }) => type.endsWith('_call'))
      .map((readStep) => ({
        name: readStep.name,
        input: readStep.streamed === '' ? readStep.args : JSON.parse(readStep.streamed),
      })),
  }
}

interface Value {
  readonly event_type?: string
  readonly id?: string
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

function readStepOf(step: RawStep): ReadStep {
  const name = step.name ?? step.type.replace(/_call$/, '')
  const readStep: ReadStep = { type: step.type, name, texts: [''], args: step.arguments ?? {}, streamed: '' }
  const items = step.summary ?? (Array.isArray(step.content) ? (step.content as readonly RawStep[]) : [step])
  for (const item of items) addText(readStep, item)
  return readStep
}

function addText(readStep: ReadStep, item: RawStep): void {
  if (typeof item.text === 'string') readStep.texts.push(`${readStep.texts.pop() ?? ''}${item.text}`)
  else if (item.type === 'image' && readStep.type !== 'thought') readStep.texts.push('')
}

function add(readStep: ReadStep, delta: RawStep): void {
  readStep.name = delta.name ?? readStep.name
  if (typeof delta.arguments === 'string') readStep.streamed += delta.arguments
  else if (typeof delta.arguments === 'object') readStep.args = { ...(readStep.args as object), ...delta.arguments }
  addText(readStep, (delta.content as RawStep | undefined) ?? delta)
}
