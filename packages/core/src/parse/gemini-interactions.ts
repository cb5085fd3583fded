import { present } from '../data/present.ts'
import { forgetOldest, remember } from '../data/remember.ts'
import type { RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { createUnanswered } from './gemini/message-scope.ts'
import { createChangedFields } from './gemini/meta.ts'
import { detailsOf, errorOf, runEnd, statusEvents } from './gemini-interactions/endings.ts'
import type { AnyEvent, Interaction, RawEvents, Step } from './gemini-interactions/raw.ts'
import { isInteraction, recognize } from './gemini-interactions/recognize.ts'
import { impliedSteps, type OpenStep, startStep, stepOf } from './gemini-interactions/steps.ts'
import { createUsage, type Usage } from './gemini-interactions/usage.ts'
import { joined, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** Gemini's Interactions, streamed or whole. One stream may hold several: the turns of an agent loop. */
export const geminiInteractions: Parser = {
  version: 4,
  losses: {
    retract: 'A step cannot be taken back.',
    encrypted: 'Thoughts are signed, not encrypted.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'tool-nesting': 'A call does not name the call that made it.',
    approvals: 'The program that runs the tools handles approvals.',
    subagents: 'An interaction belongs to one agent.',
    'subagent-content': 'An interaction belongs to one agent.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'Requests of a person go into the next request.',
    errors: 'Every error ends the stream.',
    times: 'An interaction has the time of its creation, but events have no time.',
  },
  recognize,
  create,
}

/** The interaction that is being read. It holds its open steps, because steps count from 0 in each interaction. */
interface OpenInteraction {
  /** Its own id, as soon as a record has it. */
  id: string | undefined
  readonly messageId: string
  readonly prefix: string
  readonly model: string | undefined
  readonly usage: Usage
  readonly steps: Map<number, OpenStep>
  /** How many steps have begun. Steps that are only in the final record follow them. */
  seen: number
  /** The model's message begins with its first own step, because steps of the user may come first. */
  state: 'new' | 'begun' | 'ended'
}

type Handler<Raw> = (raw: Raw) => readonly StreamEvent[]

function create(): ParserState {
  const timesSeen = new Map<string, number>()
  const unanswered = createUnanswered()
  const changedFields = createChangedFields()
  let count = 0
  let current: OpenInteraction | undefined
  let status: string | undefined
  let failure: RunError | undefined

  /** Opens an interaction. Adds the end of the one before, and for the first the start of the run, to the events. */
  function open(interaction: Interaction, events: StreamEvent[]): OpenInteraction {
    events.push(...end(current))
    count += 1
    const id = interaction.id ?? undefined
    const model = interaction.model ?? undefined
    const messageId = id ?? `interaction-${count}`
    const times = timesSeen.get(messageId) ?? 0
    remember(timesSeen, messageId, times + 1)
    const prefix = times === 0 ? messageId : `${messageId}#${times + 1}`
    const usage = createUsage()
    if (count === 1) events.push({ type: 'run-start', ...present({ model, agent: interaction.agent }) })
    status = undefined
    failure = undefined
    current = { id, messageId, prefix, model, usage, steps: new Map(), seen: 0, state: 'new' }
    return current
  }

  /** The open interaction. Opens one for events without the beginning of an interaction. */
  function ensure(): OpenInteraction {
    return current === undefined || current.state === 'ended' ? open({}, []) : current
  }

  function begin(target: OpenInteraction): StreamEvent[] {
    if (target.state !== 'new') return []
    target.state = 'begun'
    const { messageId, model } = target
    return [
      { type: 'message-start', messageId, role: 'assistant', ...present({ model }) },
      { type: 'step-start', kind: 'model' },
      ...target.usage.release(),
    ]
  }

  function end(target: OpenInteraction | undefined): StreamEvent[] {
    if (target === undefined || target.state === 'ended') return []
    const { messageId, steps } = target
    const events = [...begin(target), ...[...steps.values()].flatMap((step) => step.stop())]
    steps.clear()
    target.state = 'ended'
    return [...events, { type: 'step-end', ...present({ reason: status }) }, { type: 'message-end', messageId }]
  }

  function start(target: OpenInteraction, index: number, step: Step, record: unknown): readonly StreamEvent[] {
    const scope = {
      messageId: target.messageId,
      prefix: `${target.prefix}:${index}`,
      unanswered,
    }
    const started = startStep(step, scope)
    const events = [...(target.steps.get(index)?.stop() ?? []), ...(step.type === 'user_input' ? [] : begin(target))]
    target.seen = Math.max(target.seen, index + 1)
    if (started === undefined) return [...events, ...unmapped(record)]
    target.steps.set(index, started.step)
    forgetOldest(target.steps)
    return [...events, ...started.events]
  }

  function stop(target: OpenInteraction, index: number): readonly StreamEvent[] {
    const events = target.steps.get(index)?.stop() ?? []
    target.steps.delete(index)
    return events
  }

  /** Reads the steps that were not streamed. The first releases called them outputs. */
  function readUnstreamed(target: OpenInteraction, { steps, outputs }: Interaction): readonly StreamEvent[] {
    const all = steps ?? outputs?.map(stepOf) ?? []
    return all.slice(target.seen).flatMap((step) => {
      const index = target.seen
      return [...start(target, index, step, step), ...stop(target, index)]
    })
  }

  function metadataOf(interaction: Interaction): StreamEvent[] {
    const metadata = changedFields(detailsOf(interaction))
    return metadata === undefined ? [] : [{ type: 'metadata', metadata }]
  }

  function readCreated({ interaction }: RawEvents['interaction.created']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    open(interaction, events)
    status = interaction.status ?? undefined
    return understood([...events, ...metadataOf(interaction)])
  }

  function readStatusUpdate({ status: newStatus, usage, continuation_token }: RawEvents['interaction.status_update']) {
    const target = current ?? ensure()
    status = newStatus
    const lines = statusEvents(newStatus)
    const events = lines.length === 0 ? [] : [...begin(target), ...lines]
    if (continuation_token) events.push({ type: 'metadata', metadata: { continuation_token } })
    const all = [...events, ...target.usage.soFar(usage)]
    return typeof newStatus === 'string' ? understood(all) : all
  }

  function readStepStart(raw: RawEvents['step.start']): readonly StreamEvent[] {
    return understood(start(ensure(), raw.index, raw.step, raw))
  }

  function readDelta(raw: RawEvents['step.delta']): readonly StreamEvent[] {
    const step = current?.steps.get(raw.index)
    if (step !== undefined) return deltaOf(step, raw)
    const implied = Object.hasOwn(impliedSteps, raw.delta.type) ? impliedSteps[raw.delta.type] : undefined
    if (implied === undefined) return unmapped(raw)
    const events = [...readStepStart({ index: raw.index, step: implied })]
    return [...events, ...(current?.steps.get(raw.index)?.delta(raw.delta) ?? unmapped(raw))]
  }

  function readStepStop(raw: RawEvents['step.stop']): readonly StreamEvent[] {
    const target = current ?? ensure()
    const used = [...target.usage.soFar(raw.usage), ...target.usage.ofStep(raw.step_usage)]
    const all = [...stop(target, raw.index), ...used]
    return typeof raw.index === 'number' ? understood(all) : all
  }

  function readCompleted({ interaction }: RawEvents['interaction.completed']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    const id = interaction.id ?? undefined
    if (current?.state === 'ended' && id !== undefined && id === current.id) return SILENT
    const isOther = id !== undefined && current?.id !== undefined && id !== current.id
    const target = isOther || current === undefined || current.state === 'ended' ? open(interaction, events) : current
    target.id ??= id
    events.push(...readUnstreamed(target, interaction), ...target.usage.soFar(interaction.usage))
    status = interaction.status ?? 'completed'
    failure = interaction.error ? errorOf(interaction.error) : undefined
    return [...events, ...metadataOf(interaction), ...end(target)]
  }

  const handlers: { readonly [Name in keyof RawEvents]: Handler<RawEvents[Name]> } = {
    'interaction.created': readCreated,
    'interaction.start': readCreated,
    'interaction.status_update': readStatusUpdate,
    'step.start': readStepStart,
    'content.start': ({ index, content }) => readStepStart({ index, step: stepOf(content) }),
    'step.delta': readDelta,
    'content.delta': readDelta,
    'step.stop': readStepStop,
    'content.stop': readStepStop,
    'interaction.completed': readCompleted,
    'interaction.complete': readCompleted,
    error({ error }) {
      const cause = errorOf(error ?? {})
      // A second error follows from the first.
      failure ??= cause
      status = 'failed'
      const isReadable = typeof (error?.message ?? error?.code) === 'string'
      return isReadable ? [{ type: 'run-end', outcome: 'error', reason: status, error: cause }] : []
    },
  }
  const table = new Map(Object.entries(handlers)) as ReadonlyMap<string, Handler<never>>

  return {
    push(value) {
      const raw = value as AnyEvent & { readonly [field: string]: unknown }
      if (isInteraction(raw)) return readCompleted({ interaction: raw as Interaction })
      const handler = table.get(raw.event_type ?? '')
      if (handler === undefined) return unmapped(value)
      const events = handler(raw as never)
      return joined([events, understood(current?.usage.soFar(raw.metadata?.usage) ?? [])])
    },
    end() {
      const last = runEnd(status, failure)
      if (last === undefined) return []
      // If the interaction did not finish, what is open is left to be closed as interrupted.
      const isFinished = last.outcome === 'success' || last.outcome === 'awaiting-input'
      return isFinished ? [...end(current), last] : [last]
    },
  }
}

/** The events of a delta. A delta that does not fit its step is kept as `raw`. */
function deltaOf(step: OpenStep, raw: RawEvents['step.delta']): readonly StreamEvent[] {
  const events = step.delta(raw.delta)
  return events === undefined ? unmapped(raw) : understood(events)
}
