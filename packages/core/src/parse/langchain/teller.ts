import type { Role } from '../../event-fields.ts'
import type { StreamEvent } from '../../events.ts'
import type { JsonObject } from '../../json.ts'
import type { Calls } from './calls.ts'
import { tellMore, tellSoFar, tellWhole } from './content.ts'
import { detailEvents, metadataEvents, modelOf } from './details.ts'
import { createKnown } from './known.ts'
import type { LangMessage } from './message.ts'
import { asideEvents, retractEvents, toolEvents } from './others.ts'
import { type Piece, piecesOf } from './pieces.ts'
import { closeMessage, newTold, type Opening, openMessage, type Scope, type Told } from './told.ts'
import { addUsage, raiseUsage } from './usage.ts'

/** Where and beside what a message came. */
export interface Place {
  readonly scope: Scope
  readonly opening: Opening
  /** What runs the model: of two messages of one task, the first has ended when the second begins. */
  readonly task?: string | undefined
  /** Whether a task says one message only, whatever ids it gives to its pieces. */
  readonly isOneMessage?: boolean
  /** What the record says beside the message. */
  readonly metadata?: JsonObject | undefined
}

/** Tells each message once, however often and in whatever form a stream repeats it. */
export interface Teller {
  /** A piece of a message that is being streamed. */
  chunk(message: LangMessage, place: Place): StreamEvent[]
  /** The whole of a message so far. */
  soFar(message: LangMessage, place: Place): StreamEvent[]
  /** A message from beginning to end. */
  whole(message: LangMessage, place: Place): StreamEvent[]
  /** The message with this id, or a new one that is opened for it. */
  begin(id: string | undefined, role: Role, place: Place): { readonly told: Told; readonly events: StreamEvent[] }
  end(told: Told): StreamEvent[]
  /** The message that is being told, or was told under this id. */
  find(scope: Scope, id: string | undefined): Told | undefined
  /** Ends the messages of a scope that are open. */
  endAll(scope: Scope): StreamEvent[]
  /** Ends the messages that are open and have said all that they have to say. */
  endFinished(): StreamEvent[]
  /** Whether a message is open that has not said why it ended. */
  isInTheMiddle(): boolean
  /** Whether the main agent's last message called tools that gave no output. */
  isWaitingForTools(): boolean
}

/** An id that LangChain minted for a run, until the provider's own is known. */
const RUN_ID = /^(?:lc_)?run-/

/** How many messages may be under way at once: an endless stream must not grow. */
const MAX_OPEN = 256

/** Stands among the details of a message for those of its first record. */
const RECORD = ''

export function createTeller(calls: Calls): Teller {
  const known = createKnown()
  const open = new Set<Told>()
  let minted = 0
  let last: Told | undefined

  function add(scope: Scope, id: string | undefined, role: Role): Told {
    const messageId = id ?? `message-${++minted}`
    const told = newTold(messageId, scope, role)
    known.add(scope, messageId, told)
    return told
  }

  /** Opens a message, and ends those that it comes after. */
  function opened(told: Told, place: Place, message?: LangMessage): StreamEvent[] {
    if (told.isOpen) return []
    const [oldest] = open
    const before = [...open].filter(
      (other) => isOver(other, told, place.task) || (open.size === MAX_OPEN && other === oldest),
    )
    const events = before.flatMap(end)
    told.task = place.task
    open.add(told)
    if (told.role === 'assistant' && told.scope.agentId === undefined) last = told
    const model = (message && modelOf(message)) ?? place.opening.model
    const isFirst = !told.details.has(RECORD)
    told.details.add(RECORD)
    return [
      ...events,
      ...openMessage(told, { ...place.opening, model }),
      ...(isFirst && place.metadata !== undefined ? metadataEvents(told, place.metadata) : []),
    ]
  }

  function end(told: Told): StreamEvent[] {
    open.delete(told)
    return closeMessage(told)
  }

  /** The open message that a task says. */
  function ofTask({ scope, task }: Place): Told | undefined {
    for (const told of open) if (told.scope.key === scope.key && told.task === task) return told
    return undefined
  }

  /** The message that a chunk belongs to; one that is new to its task may only have changed its id. */
  function streamed(message: LangMessage, place: Place): Told {
    const { id, role } = message
    const { scope, isOneMessage } = place
    const same = (isOneMessage ? ofTask(place) : undefined) ?? known.find(scope, id)
    if (same !== undefined) return same
    const current = ofTask(place)
    const isRenamed = id === undefined || (RUN_ID.test(current?.messageId ?? '') && !RUN_ID.test(id))
    if (current === undefined || current.role !== role || !isRenamed) return add(scope, id, 'assistant')
    if (id !== undefined) known.add(scope, id, current)
    return current
  }

  /** A whole message under an id of its own that says what one just streamed said. */
  function renamed(message: LangMessage, scope: Scope, pieces: readonly Piece[]): Told | undefined {
    for (const told of open) {
      if (told.scope.key !== scope.key || told.isWhole || told.role !== message.role) continue
      const firstCall = message.toolCalls[0]?.id
      const isSameCall = firstCall !== undefined && told.calls[0]?.callId === firstCall
      const isSameText = firstCall === undefined && told.calls.length === 0 && textLength(pieces) === toldLength(told)
      if (isSameCall || (isSameText && toldLength(told) > 0)) return told
    }
    return undefined
  }

  /** What a message says now; it is opened for it, unless it was told and says nothing new. */
  function speak(told: Told, message: LangMessage, place: Place, tell: (pieces: readonly Piece[]) => StreamEvent[]) {
    const isNew = told.blocks.length === 0 && told.calls.length === 0
    const events = tell(piecesOf(message))
    const before = isNew || events.length > 0 ? opened(told, place, message) : []
    return [...before, ...events, ...detailEvents(told, message)]
  }

  return {
    chunk(message, place) {
      if (message.role !== 'assistant') return this.whole(message, place)
      const told = streamed(message, place)
      const events = speak(told, message, place, (pieces) => tellMore(calls, told, message, pieces))
      const usage = addUsage(told, message.usage)
      // Some models count their input first; what is counted after something was said is the whole.
      told.isFinished ||= usage.length > 0 && (told.blocks.length > 0 || told.calls.length > 0)
      return message.isLast ? [...events, ...usage, ...end(told)] : [...events, ...usage]
    },
    soFar(message, place) {
      if (message.role !== 'assistant') return this.whole(message, place)
      const told = known.find(place.scope, message.id) ?? add(place.scope, message.id, 'assistant')
      if (told.isWhole) return []
      const events = speak(told, message, place, (pieces) => tellSoFar(calls, told, message, pieces))
      return [...events, ...raiseUsage(told, message.usage)]
    },
    whole(message, place) {
      const { scope } = place
      if (message.role === 'tool') return toolEvents(calls, scope, message)
      if (message.role === 'remove') return retractEvents(known.find(scope, message.id), message)
      const pieces = piecesOf(message)
      const streaming = place.isOneMessage ? ofTask(place) : undefined
      const told = streaming ?? known.findRelated(scope, message) ?? renamed(message, scope, pieces)
      if (told?.isWhole) return []
      if (scope.agentId !== undefined && message.role !== 'assistant') {
        return asideEvents(add(scope, message.id, message.role), message)
      }
      const subject = told ?? add(scope, message.id, message.role)
      if (message.id !== undefined && told !== undefined) known.add(scope, message.id, told)
      if (message.id === undefined) known.addNameless(scope, message, subject)
      subject.isWhole = true
      const events = speak(subject, message, place, () => tellWhole(calls, subject, message, pieces))
      return [...events, ...raiseUsage(subject, message.usage), ...end(subject)]
    },
    begin(id, role, place) {
      const told = known.find(place.scope, id) ?? add(place.scope, id, role)
      return { told, events: opened(told, place) }
    },
    end,
    find: (scope, id) => known.find(scope, id),
    endAll: (scope) => [...open].filter((told) => told.scope.key === scope.key).flatMap(end),
    endFinished: () => [...open].filter(isComplete).flatMap(end),
    isWaitingForTools: () => last?.calls.some((call) => !call.isAnswered && call.runBy === 'agent') ?? false,
    isInTheMiddle: () => [...open].some((told) => told.role === 'assistant' && !isComplete(told)),
  }
}

/** Whether a message has ended by the time that another of its scope begins. */
function isOver(told: Told, next: Told, task: string | undefined): boolean {
  if (told.scope.key !== next.scope.key || told === next) return false
  return told.task === task || isComplete(told)
}

function isComplete(told: Told): boolean {
  return told.isFinished || told.reason !== undefined || told.calls.some((call) => call.isAnswered)
}

function textLength(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (piece.kind === 'text' ? piece.text.length : 0), 0)
}

function toldLength({ blocks }: Told): number {
  return blocks.reduce((sum, block) => sum + (block.kind === 'text' ? block.length : 0), 0)
}
