import { present } from '../data/present.ts'
import { forgetOldest } from '../data/remember.ts'
import type { RunError } from '../event-fields.ts'
import type { StreamEvent } from '../events.ts'
import type { JsonObject } from '../json.ts'
import { createChangedFields, createUnanswered } from './gemini/google.ts'
import { errorOf, runEnd, statusLines, usageOf } from './gemini-interactions/outcomes.ts'
import type { AnyEvent, Interaction, RawEvents, RawUsage, Step } from './gemini-interactions/raw.ts'
import { isInteraction, recognize, typeOf } from './gemini-interactions/recognize.ts'
import { impliedSteps, type OpenStep, startStep, stepOf } from './gemini-interactions/steps.ts'
import { metadata } from './kit/keep.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import type { Out } from './kit/voice.ts'
import { type Parser, type ParserState, understood, unmapped } from './parser.ts'

/** Gemini's Interactions, streamed or whole. One stream may hold several: the turns of an agent loop. */
export const geminiInteractions: Parser = {
  version: 5,
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
type OpenInteraction = ReturnType<typeof newInteraction>

function newInteraction({ id, model }: Interaction, messageId: string, prefix: string) {
  return {
    /** Its own id, as soon as a record has it. */
    id,
    messageId,
    prefix,
    model,
    steps: new Map<number, OpenStep>(),
    /** How many steps have begun. Steps that are only in the final record follow them. */
    seen: 0,
    /** The model's message begins with its first own step, because steps of the user may come first. */
    state: 'new' as 'new' | 'begun' | 'ended',
    /** The last counts of the whole interaction, as text. */
    lastCounts: undefined as string | undefined,
    /** Usage that was read before the message begins. */
    heldUsage: [] as readonly StreamEvent[],
  }
}

/** The fields of an interaction that do not become metadata. */
const OWN_FIELDS = ['id', 'model', 'agent', 'usage', 'steps', 'outputs', 'error', 'status', 'object']

function create(): ParserState {
  const uniqueIds = createUniqueIds()
  const unanswered = createUnanswered()
  const changedFields = createChangedFields(OWN_FIELDS)
  let count = 0
  let current: OpenInteraction | undefined
  let status: string | undefined
  let failure: RunError | undefined

  /** Opens an interaction, after the end of the one before. */
  function open(out: Out, interaction: Interaction): OpenInteraction {
    const { id, model, agent } = interaction
    if (current !== undefined) end(out, current)
    count += 1
    const messageId = id ?? `interaction-${count}`
    if (count === 1) out.push({ type: 'run-start', ...present({ model, agent }) })
    status = undefined
    failure = undefined
    current = newInteraction(interaction, messageId, uniqueIds.claim(messageId))
    return current
  }

  /** The open interaction. Opens one for events without the beginning of an interaction. */
  function ensure(): OpenInteraction {
    return current === undefined || current.state === 'ended' ? open([], {}) : current
  }

  function begin(out: Out, target: OpenInteraction): void {
    if (target.state !== 'new') return
    target.state = 'begun'
    const { messageId, model, heldUsage } = target
    out.push({ type: 'message-start', messageId, role: 'assistant', ...present({ model }) })
    out.push({ type: 'step-start', kind: 'model' }, ...heldUsage)
  }

  function end(out: Out, target: OpenInteraction): void {
    if (target.state === 'ended') return
    begin(out, target)
    for (const step of target.steps.values()) step.stop(out)
    target.steps.clear()
    target.state = 'ended'
    out.push({ type: 'step-end', ...present({ reason: status }) })
    out.push({ type: 'message-end', messageId: target.messageId })
  }

  function start(out: Out, target: OpenInteraction, index: number, step: Step, record: unknown): void {
    const { messageId, steps } = target
    const started: Out = []
    const opened = startStep(started, step, { messageId, prefix: `${target.prefix}:${index}`, unanswered })
    steps.get(index)?.stop(out)
    if (step.type !== 'user_input') begin(out, target)
    target.seen = Math.max(target.seen, index + 1)
    out.push(...(opened === undefined ? unmapped(record) : started))
    if (opened !== undefined) steps.set(index, opened)
    forgetOldest(steps)
  }

  function stop(out: Out, { steps }: OpenInteraction, index: number): void {
    steps.get(index)?.stop(out)
    steps.delete(index)
  }

  /** Events have the counts so far; the end of a step may have those of the step alone. */
  function addUsage(
    out: Out,
    target: OpenInteraction,
    raw: RawUsage | null | undefined,
    mode: 'snapshot' | 'add',
  ): void {
    // A stream that has the sum repeats it. Adding a step to the sum would count the step twice.
    if (!raw || (mode === 'add' && target.lastCounts !== undefined)) return
    const events = usageOf(raw, mode)
    const counts = JSON.stringify(events)
    if (events.length === 0 || counts === target.lastCounts) return
    if (mode === 'snapshot') target.lastCounts = counts
    if (target.state === 'new') target.heldUsage = events
    else out.push(...events)
  }

  function addMetadata(out: Out, { id: interactionId, ...interaction }: Interaction): void {
    out.push(...metadata(changedFields({ interactionId, ...interaction })))
  }

  function readDelta(out: Out, raw: RawEvents['step.delta']): void {
    const { index, delta } = raw
    const implied = Object.hasOwn(impliedSteps, delta.type) ? impliedSteps[delta.type] : undefined
    if (!current?.steps.has(index) && implied !== undefined) start(out, ensure(), index, implied, raw)
    if (!current?.steps.get(index)?.delta(out, delta)) out.push(...unmapped(raw))
  }

  function readStepStop(out: Out, raw: RawEvents['step.stop']): void {
    if (typeof raw.index !== 'number') throw new TypeError('The end of a step has no index.')
    const target = current ?? ensure()
    stop(out, target, raw.index)
    addUsage(out, target, raw.usage, 'snapshot')
    addUsage(out, target, raw.step_usage, 'add')
  }

  function readCompleted(out: Out, { interaction }: RawEvents['interaction.completed']): void {
    const { id, steps, outputs } = interaction
    if (current?.state === 'ended' && id && id === current.id) return
    const isOther = id && current?.id && id !== current.id
    const target = isOther || current === undefined || current.state === 'ended' ? open(out, interaction) : current
    target.id ??= id
    // The first releases called steps outputs. Those that were streamed are not read again.
    for (const step of (steps ?? outputs?.map(stepOf) ?? []).slice(target.seen)) {
      const index = target.seen
      start(out, target, index, step, step)
      stop(out, target, index)
    }
    addUsage(out, target, interaction.usage, 'snapshot')
    status = interaction.status ?? 'completed'
    failure = interaction.error ? errorOf(interaction.error) : undefined
    addMetadata(out, interaction)
    end(out, target)
  }

  const handlers: { readonly [Name in keyof RawEvents]: (out: Out, raw: RawEvents[Name]) => void } = {
    'interaction.created'(out, { interaction }) {
      open(out, interaction)
      status = interaction.status ?? undefined
      addMetadata(out, interaction)
    },
    'interaction.status_update'(out, { status: newStatus, usage, continuation_token }) {
      if (typeof newStatus !== 'string') throw new TypeError('The update has no status.')
      const target = current ?? ensure()
      const line = statusLines.get(newStatus)
      status = newStatus
      if (line !== undefined) {
        begin(out, target)
        out.push(line)
      }
      out.push(...metadata({ continuation_token: continuation_token || undefined }))
      addUsage(out, target, usage, 'snapshot')
    },
    'step.start': (out, raw) => start(out, ensure(), raw.index, raw.step, raw),
    'content.start': (out, raw) => start(out, ensure(), raw.index, stepOf(raw.content), raw),
    'step.delta': readDelta,
    'step.stop': readStepStop,
    'interaction.completed': readCompleted,
    error(out, raw) {
      const { message, code } = raw.error ?? {}
      const error = errorOf(raw.error ?? {})
      // A second error follows from the first.
      failure ??= error
      status = 'failed'
      const isReadable = typeof (message ?? code) === 'string'
      if (isReadable) out.push({ type: 'run-end', outcome: 'error', reason: status, error })
      else out.push(...unmapped(raw))
    },
  }
  const table = new Map(Object.entries(handlers)) as ReadonlyMap<string, (out: Out, raw: never) => void>

  return {
    push(value) {
      const raw = value as AnyEvent & JsonObject
      const isWhole = isInteraction(raw)
      const handler = isWhole ? handlers['interaction.completed'] : table.get(typeOf(raw.event_type ?? ''))
      if (handler === undefined) return unmapped(value)
      const out: Out = []
      handler(out, (isWhole ? { interaction: raw } : raw) as never)
      if (!isWhole && current !== undefined) addUsage(out, current, raw.metadata?.usage, 'snapshot')
      return understood(out)
    },
    end() {
      const last = runEnd(status, failure)
      if (last === undefined) return []
      const out: Out = []
      // If the interaction did not finish, what is open is left to be closed as interrupted.
      const isFinished = last.outcome === 'success' || last.outcome === 'awaiting-input'
      if (isFinished && current !== undefined) end(out, current)
      return [...out, last]
    },
  }
}
