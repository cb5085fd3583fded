import { present } from '../data/present.ts'
import { forgetOldest, remember } from '../data/remember.ts'
import type { RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import { createNews } from './gemini/meta.ts'
import { createUnanswered } from './gemini/unanswered.ts'
import { detailsOf, errorOf, runEnd, statusEvents } from './gemini-interactions/endings.ts'
import { isInteraction, stepOf } from './gemini-interactions/events.ts'
import type { AnyEvent, Interaction, RawEvents, Step } from './gemini-interactions/raw.ts'
import { recognize } from './gemini-interactions/recognize.ts'
import { impliedSteps, type OpenStep, startStep } from './gemini-interactions/steps.ts'
import { createUsage, type Usage } from './gemini-interactions/usage.ts'
import { joined, type Parser, type ParserState, SILENT, understood, unmapped } from './parser.ts'

/** Gemini's Interactions, streamed or whole. One stream may hold several: the turns of an agent's loop. */
export const geminiInteractions: Parser = {
  version: 2,
  losses: {
    retract: 'A step that has begun stays.',
    encrypted: 'Thoughts are signed, not encrypted.',
    rewrite: 'Text only grows.',
    'tool-progress': 'The results of tools arrive whole.',
    'tool-nesting': 'Calls do not say on whose behalf they are made.',
    approvals: 'Approval is the business of whoever runs the tools.',
    subagents: 'An interaction is one agent’s.',
    'subagent-content': 'An interaction is one agent’s.',
    cost: 'Usage counts tokens.',
    state: 'There is no shared state.',
    control: 'What a person asks for goes into the next request.',
    errors: 'Every error ends the stream.',
    times: 'An interaction tells when it was made, an event not when it was sent.',
  },
  recognize,
  create,
}

/** The interaction being read. Steps count from 0 in each, so what they stand for is kept with it. */
interface Open {
  /** Its own id, as soon as it is told. */
  id: string | undefined
  readonly messageId: string
  readonly prefix: string
  readonly number: number
  readonly model: string | undefined
  readonly usage: Usage
  readonly steps: Map<number, OpenStep>
  /** How many steps have begun: those that only the end tells of come after. */
  seen: number
  /** The model speaks after the user: its message begins with the first that it says itself. */
  state: 'new' | 'begun' | 'ended'
}

type Handler<Raw> = (raw: Raw) => readonly StreamEvent[]

function create(): ParserState {
  const timesSeen = new Map<string, number>()
  const unanswered = createUnanswered()
  const news = createNews()
  let count = 0
  let current: Open | undefined
  let status: string | undefined
  let failure: RunError | undefined

  /** Adds the beginning of an interaction to the events, and the end of the one before. */
  function open(interaction: Interaction, events: StreamEvent[]): Open {
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
    current = { id, messageId, prefix, number: count, model, usage, steps: new Map(), seen: 0, state: 'new' }
    return current
  }

  /** Where events belong, also those that come without an interaction's beginning. */
  function ensure(events: StreamEvent[]): Open {
    return current === undefined || current.state === 'ended' ? open({}, events) : current
  }

  function begin(into: Open): StreamEvent[] {
    if (into.state !== 'new') return []
    into.state = 'begun'
    const { messageId, model } = into
    return [
      { type: 'message-start', messageId, role: 'assistant', ...present({ model }) },
      { type: 'step-start', kind: 'model' },
      ...into.usage.release(),
    ]
  }

  function end(into: Open | undefined): StreamEvent[] {
    if (into === undefined || into.state === 'ended') return []
    const { messageId, steps } = into
    const events = [...begin(into), ...[...steps.values()].flatMap((step) => step.stop())]
    steps.clear()
    into.state = 'ended'
    return [...events, { type: 'step-end', ...present({ reason: status }) }, { type: 'message-end', messageId }]
  }

  function start(into: Open, index: number, step: Step, record: unknown): readonly StreamEvent[] {
    const place = { messageId: into.messageId, prefix: `${into.prefix}:${index}`, response: into.number, unanswered }
    const started = startStep(step, place)
    const events = [...(into.steps.get(index)?.stop() ?? []), ...(step.type === 'user_input' ? [] : begin(into))]
    if (started === undefined) return [...events, ...unmapped(record)]
    into.steps.set(index, started.step)
    forgetOldest(into.steps)
    into.seen = Math.max(into.seen, index + 1)
    return [...events, ...started.events]
  }

  function stop(into: Open, index: number): readonly StreamEvent[] {
    const events = into.steps.get(index)?.stop() ?? []
    into.steps.delete(index)
    return events
  }

  /** The steps that were not streamed. The first releases called them outputs. */
  function rest(into: Open, { steps, outputs }: Interaction): readonly StreamEvent[] {
    const all = steps ?? outputs?.map(stepOf) ?? []
    return all.slice(into.seen).flatMap((step) => {
      const index = into.seen
      const events = start(into, index, step, step)
      into.seen = index + 1
      return [...events, ...stop(into, index)]
    })
  }

  function metadataOf(interaction: Interaction): StreamEvent[] {
    const metadata = news(detailsOf(interaction))
    return metadata === undefined ? [] : [{ type: 'metadata', metadata }]
  }

  function created({ interaction }: RawEvents['interaction.created']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    open(interaction, events)
    status = interaction.status ?? undefined
    return understood([...events, ...metadataOf(interaction)])
  }

  function updated({ status: word, usage, continuation_token }: RawEvents['interaction.status_update']) {
    const events: StreamEvent[] = []
    const into = ensure(events)
    status = word
    const lines = statusEvents(word)
    if (lines.length > 0) events.push(...begin(into), ...lines)
    if (continuation_token) events.push({ type: 'metadata', metadata: { continuation_token } })
    const all = [...events, ...into.usage.soFar(usage)]
    return typeof word === 'string' ? understood(all) : all
  }

  function started(raw: RawEvents['step.start']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    const into = ensure(events)
    return understood([...events, ...start(into, raw.index, raw.step, raw)])
  }

  function more(raw: RawEvents['step.delta']): readonly StreamEvent[] {
    const step = current?.steps.get(raw.index)
    if (step !== undefined) return deltaOf(step, raw)
    const implied = Object.hasOwn(impliedSteps, raw.delta.type) ? impliedSteps[raw.delta.type] : undefined
    if (implied === undefined) return unmapped(raw)
    const events = [...started({ index: raw.index, step: implied })]
    return [...events, ...(current?.steps.get(raw.index)?.delta(raw.delta) ?? unmapped(raw))]
  }

  function stopped(raw: RawEvents['step.stop']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    const into = ensure(events)
    const used = [...into.usage.soFar(raw.usage), ...into.usage.ofStep(raw.step_usage)]
    const all = [...events, ...stop(into, raw.index), ...used]
    return typeof raw.index === 'number' ? understood(all) : all
  }

  function completed({ interaction }: RawEvents['interaction.completed']): readonly StreamEvent[] {
    const events: StreamEvent[] = []
    const id = interaction.id ?? undefined
    if (current?.state === 'ended' && id !== undefined && id === current.id) return SILENT
    const isOther = id !== undefined && current?.id !== undefined && id !== current.id
    const into = isOther || current === undefined || current.state === 'ended' ? open(interaction, events) : current
    into.id ??= id
    events.push(...rest(into, interaction), ...into.usage.soFar(interaction.usage))
    status = interaction.status ?? 'completed'
    failure = interaction.error ? errorOf(interaction.error) : undefined
    return [...events, ...metadataOf(interaction), ...end(into)]
  }

  const handlers: { readonly [Name in keyof RawEvents]: Handler<RawEvents[Name]> } = {
    'interaction.created': created,
    'interaction.start': created,
    'interaction.status_update': updated,
    'step.start': started,
    'content.start': ({ index, content }) => started({ index, step: stepOf(content) }),
    'step.delta': more,
    'content.delta': more,
    'step.stop': stopped,
    'content.stop': stopped,
    'interaction.completed': completed,
    'interaction.complete': completed,
    error({ error }) {
      failure = errorOf(error ?? {})
      status = 'failed'
      return typeof (error?.message ?? error?.code) === 'string' ? SILENT : []
    },
  }
  const table = new Map(Object.entries(handlers)) as ReadonlyMap<string, Handler<never>>

  return {
    push(value) {
      const raw = value as AnyEvent & { readonly [field: string]: unknown }
      if (isInteraction(raw)) return completed({ interaction: raw as Interaction })
      const handler = table.get(raw.event_type ?? '')
      if (handler === undefined) return unmapped(value)
      const events = handler(raw as never)
      const used = raw.metadata?.usage
      return used ? joined([events, understood(current?.usage.soFar(used) ?? [])]) : events
    },
    end() {
      const last = runEnd(status, failure)
      if (last === undefined) return []
      // What is open when an interaction breaks off was not finished: that is how it is closed.
      const isFinished = last.outcome === 'success' || last.outcome === 'awaiting-input'
      return isFinished ? [...end(current), last] : [last]
    },
  }
}

/** What does not fit a step is kept; what fits it and adds no event is held by it. */
function deltaOf(step: OpenStep, raw: RawEvents['step.delta']): readonly StreamEvent[] {
  const events = step.delta(raw.delta)
  return events === undefined ? unmapped(raw) : understood(events)
}
