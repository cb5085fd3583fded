import type { StreamEvent } from '@millrace/core/events'
import { modelUsage } from './usage.ts'

type Shape = { readonly [field: string]: unknown }

/** The steps of the main agent that began in a message of the assistant, or before it and after the last one. */
export function modelSteps(events: readonly StreamEvent[], messageId: string): readonly Shape[] | undefined {
  const main = events.filter(({ agentId }) => agentId === undefined)
  const steps = main.flatMap((start, at) => {
    if (start.type !== 'step-start' || holderOf(main, at) !== messageId) return []
    const { kind, number, name } = start
    return [
      { kind, number, name, usage: modelUsage(ofStep(main, at).filter((event) => isInside(main, messageId, event))) },
    ]
  })
  return steps.length === 0 ? undefined : steps
}

/** Whether an event stands before the end of a message. */
const isInside = (main: readonly StreamEvent[], messageId: string, event: StreamEvent) =>
  main.indexOf(event) < main.findIndex((other) => other.type === 'message-end' && other.messageId === messageId)

/** The open message in which a step begins; without one, the next that begins before the step ends. */
function holderOf(main: readonly StreamEvent[], at: number): string | undefined {
  const before = main.slice(0, at)
  const open = before.findLast(
    (event) =>
      event.type === 'message-start' &&
      event.role === 'assistant' &&
      !before.some((other) => other.type === 'message-end' && other.messageId === event.messageId),
  )
  const after = main.slice(at + 1)
  const end = after.findIndex(({ type }) => type === 'step-end' || type === 'step-start')
  const next = after
    .slice(0, end === -1 ? undefined : end)
    .find((event) => event.type === 'message-start' && event.role === 'assistant')
  const holder = open ?? next
  return holder?.type === 'message-start' ? holder.messageId : undefined
}

/** The usage of a step and the messages that begin in it, up to the next step, or the next message after its end. */
function ofStep(main: readonly StreamEvent[], at: number): readonly StreamEvent[] {
  const after = main.slice(at + 1)
  const next = after.findIndex(({ type }) => type === 'step-start')
  const until = next === -1 ? after : after.slice(0, next)
  const end = until.findIndex(({ type }) => type === 'step-end')
  const other = until.findIndex(
    (event, index) => end !== -1 && index > end && event.type === 'message-start' && event.role === 'assistant',
  )
  return (other === -1 ? until : until.slice(0, other)).filter(
    (event) =>
      (event.type === 'usage' && event.scope === 'step') ||
      (event.type === 'message-start' && event.role === 'assistant'),
  )
}
