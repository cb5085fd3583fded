import { present } from '../data/present.ts'
import type { RunError } from '../event-fields.ts'
import type { JsonObject } from '../json.ts'
import { createChangedFields, createUnanswered } from './gemini/google.ts'
import { errorOf, openInteraction, runEnd, statusLines } from './gemini-interactions/interaction.ts'
import {
  type Interaction,
  isInteraction,
  type RawEvents,
  type RawUsage,
  recognize,
  typeOf,
} from './gemini-interactions/raw.ts'
import { impliedSteps, stepOf } from './gemini-interactions/steps.ts'
import { objectIn } from './kit/fields.ts'
import { keepRaw, metadata } from './kit/keep.ts'
import { readRow } from './kit/rows.ts'
import { createUniqueIds } from './kit/unique-ids.ts'
import type { Out } from './kit/voice.ts'
import { joined, type Parser, type ParserState, understood } from './parser.ts'

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

/** The fields of an interaction that do not become metadata. */
const OWN_FIELDS = ['id', 'model', 'agent', 'usage', 'steps', 'outputs', 'error', 'status', 'object']

function create(): ParserState {
  const uniqueIds = createUniqueIds()
  const unanswered = createUnanswered()
  const changedFields = createChangedFields(OWN_FIELDS)
  let count = 0
  let current = openInteraction({}, '', '', unanswered)
  let status: string | undefined
  let failure: RunError | undefined

  /** Opens an interaction, after the end of the one before. */
  function open(out: Out, interaction: Interaction): typeof current {
    const { id, model, agent } = interaction
    if (count > 0) current.end(out, status)
    count += 1
    const messageId = id ?? `interaction-${count}`
    if (count === 1) out.push({ type: 'run-start', ...present({ model, agent }) })
    status = undefined
    failure = undefined
    current = openInteraction(interaction, messageId, uniqueIds.claim(messageId), unanswered)
    return current
  }

  /** The open interaction. Opens one for events without the beginning of an interaction. */
  const ensure = () => (count === 0 || current.isEnded() ? open([], {}) : current)
  /** The last interaction, open or not. */
  const last = () => (count === 0 ? ensure() : current)

  function addMetadata(out: Out, { id: interactionId, ...interaction }: Interaction): void {
    out.push(...metadata(changedFields({ interactionId, ...interaction })))
  }

  function readDelta(out: Out, raw: RawEvents['step.delta']): void {
    const { index, delta } = raw
    const implied = Object.hasOwn(impliedSteps, delta.type) ? impliedSteps[delta.type] : undefined
    if (!current.steps.has(index) && implied !== undefined) ensure().start(out, index, implied, raw)
    if (!current.steps.get(index)?.delta(out, delta)) keepRaw(out, raw)
  }

  function readCompleted(out: Out, { interaction }: RawEvents['interaction.completed']): void {
    const { id, steps, outputs, usage, error } = interaction
    const isSame = !id || !current.id || id === current.id
    if (current.isEnded() && id && id === current.id) return
    const target = count === 0 || current.isEnded() || !isSame ? open(out, interaction) : current
    target.id ??= id
    // The first releases called steps outputs.
    target.readRest(out, steps ?? outputs?.map(stepOf) ?? [])
    target.addUsage(out, usage, 'snapshot')
    status = interaction.status ?? 'completed'
    failure = error ? errorOf(error) : undefined
    addMetadata(out, interaction)
    target.end(out, status)
  }

  const rows: { readonly [Name in keyof RawEvents]: (out: Out, raw: RawEvents[Name]) => void } = {
    'interaction.created'(out, { interaction }) {
      open(out, interaction)
      status = interaction.status ?? undefined
      addMetadata(out, interaction)
    },
    'interaction.status_update'(out, { status: newStatus, usage, continuation_token }) {
      if (typeof newStatus !== 'string') throw new TypeError('The update has no status.')
      const target = last()
      const line = statusLines.get(newStatus)
      status = newStatus
      if (line !== undefined) {
        target.begin(out)
        out.push(line)
      }
      out.push(...metadata({ continuation_token: continuation_token || undefined }))
      target.addUsage(out, usage, 'snapshot')
    },
    'step.start': (out, raw) => ensure().start(out, raw.index, raw.step, raw),
    'content.start': (out, raw) => ensure().start(out, raw.index, stepOf(raw.content), raw),
    'step.delta': readDelta,
    'step.stop'(out, { index, usage, step_usage }) {
      if (typeof index !== 'number') throw new TypeError('The end of a step has no index.')
      const target = last()
      target.stop(out, index)
      target.addUsage(out, usage, 'snapshot')
      target.addUsage(out, step_usage, 'add')
    },
    'interaction.completed': readCompleted,
    error(out, raw) {
      const { message, code } = raw.error ?? {}
      const error = errorOf(raw.error ?? {})
      // A second error follows from the first.
      failure ??= error
      status = 'failed'
      const isReadable = typeof (message ?? code) === 'string'
      if (isReadable) out.push({ type: 'run-end', outcome: 'error', reason: status, error })
      else keepRaw(out, raw)
    },
  }

  return {
    push(value) {
      const raw = value as JsonObject
      if (isInteraction(raw)) return readRow(rows, 'interaction.completed', { interaction: raw })
      const events = readRow(rows, typeOf(raw), raw)
      // Any event may have the usage so far.
      const { usage } = objectIn(raw.metadata)
      if (usage === undefined) return events
      const counted: Out = []
      current.addUsage(counted, usage as RawUsage, 'snapshot')
      return joined([events, understood(counted)])
    },
    end() {
      const runEnded = runEnd(status, failure)
      if (runEnded === undefined) return []
      const out: Out = []
      // If the interaction did not finish, what is open is left to be closed as interrupted.
      const isFinished = runEnded.outcome === 'success' || runEnded.outcome === 'awaiting-input'
      if (isFinished) current.end(out, status)
      return [...out, runEnded]
    },
  }
}
