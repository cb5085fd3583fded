import type { Entry, Role, StreamEvent } from '@millrace/core/events'
import type { Json } from '@millrace/core/json'
import { type PublicRun, segmentsOf } from './public-run.ts'

/** The texts of one kind that have a character, in order. */
export function textsOf(run: PublicRun, kind: 'text' | 'reasoning'): readonly string[] {
  return segmentsOf(run, kind).flatMap(({ text }) => (text === '' ? [] : [text]))
}

/** The citations of each text as they were when it ended, and those of texts and thoughts that came later. */
export function citationsIn({ entries, parts }: PublicRun): {
  readonly whole: readonly (readonly Json[])[]
  readonly late: readonly (readonly Json[])[]
} {
  const isProse = (type: string) => type === 'text' || type === 'reasoning'
  const shown = new Set(parts.flatMap(({ segment }) => (isProse(segment.type) && 'id' in segment ? [segment.id] : [])))
  const open = new Map<string, readonly Json[] | undefined>()
  const ended: string[] = []
  const late: (readonly Json[])[] = []
  for (const { event } of entries) {
    if (event.type === 'block-start' && event.kind === 'text' && shown.has(event.blockId))
      open.set(event.blockId, undefined)
    if (event.type === 'block-end') ended.push(event.blockId)
    if (event.type !== 'block-patch' || event.citations === undefined || !shown.has(event.blockId)) continue
    if (ended.includes(event.blockId)) late.push(event.citations)
    else if (open.has(event.blockId)) open.set(event.blockId, event.citations)
  }
  return { whole: [...open.values()].flatMap((list) => (list === undefined ? [] : [list])), late }
}

/** Some fields of an object. */
export function pick<Value extends object, Field extends keyof Value>(
  value: Value,
  ...fields: readonly Field[]
): Pick<Value, Field> {
  return Object.fromEntries(fields.map((field) => [field, value[field]])) as Pick<Value, Field>
}

/** The questions that are open behind each entry behind which the run waits. */
export function pausesIn(entries: readonly Entry[]): readonly (readonly string[])[] {
  return pausesAt(entries).map(({ questions }) => questions)
}

/** The same, each with the entry that it follows. */
export function pausesAt(entries: readonly Entry[]): readonly Pause[] {
  return questionsAfter(entries).flatMap((questions, index) => {
    const seq = entries[index]?.seq
    return questions === undefined || seq === undefined ? [] : [{ seq, questions }]
  })
}

/** By entry, the questions that the run waits for: they are open, and nothing is half said. Undefined if it goes on. */
export function questionsAfter(entries: readonly Entry[]): readonly (readonly string[] | undefined)[] {
  const open = new Set<string>()
  const questions = new Set<string>()
  const roles = createRoles()
  return entries.map(({ event }) => {
    roles.note(event)
    if (event.type === 'block-start' && roles.isDrawn(event)) open.add(`block ${event.blockId}`)
    if (event.type === 'block-end') open.delete(`block ${event.blockId}`)
    if (event.type === 'tool-start' && roles.isDrawn(event)) open.add(`call ${event.callId}`)
    if (event.type === 'tool-input') open.delete(`call ${event.callId}`)
    if (event.type === 'approval' && event.state === 'requested') questions.add(event.approvalId)
    else if (event.type === 'approval') questions.delete(event.approvalId)
    const isWaiting = event.type !== 'run-end' && open.size === 0 && questions.size > 0
    return isWaiting ? [...questions] : undefined
  })
}

interface Pause {
  readonly seq: number
  readonly questions: readonly string[]
}

/** The roles of the main agent's messages: a client has those of others already. */
function createRoles() {
  const roles = new Map<string, Role>()
  let current: string | undefined
  return {
    note(event: StreamEvent): void {
      if (event.agentId !== undefined) return
      if (event.type === 'message-start') {
        roles.set(event.messageId, event.role)
        current = event.messageId
      }
      if (event.type === 'message-end' && event.messageId === current) current = undefined
    },
    isDrawn({ agentId, messageId = current }: StreamEvent): boolean {
      if (agentId !== undefined || messageId === undefined) return true
      return (roles.get(messageId) ?? 'assistant') === 'assistant'
    },
  }
}

/** The events that belong to the main agent's own messages, and those of subagents if they are asked for. */
export function assistantEvents(entries: readonly Entry[], agents: 'main' | 'all' = 'main'): readonly StreamEvent[] {
  const roles = createRoles()
  const owners = new Map<string, boolean>()
  return entries.flatMap(({ event }) => {
    roles.note(event)
    const isOwn = roles.isDrawn(event) && (agents === 'all' || event.agentId === undefined)
    const owner = ownerOf(event)
    if (event.type === 'block-start' || event.type === 'tool-start') owners.set(owner ?? '', isOwn)
    return (owner === undefined ? isOwn : (owners.get(owner) ?? isOwn)) ? [event] : []
  })
}

/** The block or call whose start decides whose event it is. */
function ownerOf(event: StreamEvent): string | undefined {
  if (event.type.startsWith('block-')) return `block ${(event as { readonly blockId: string }).blockId}`
  return event.type.startsWith('tool-') ? `call ${(event as { readonly callId: string }).callId}` : undefined
}
