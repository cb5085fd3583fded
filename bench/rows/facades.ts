import { EventBuilder as CompatBuilder } from '@millrace/core/compat/event-builder'
import { ThreadProcessor } from '@millrace/core/compat/thread-processor'
import type { ThreadEvent } from '@millrace/core/data/thread-event'
import { EventBuilder } from '@millrace/core/fold/event-builder'
import { createThreadProcessor } from '@millrace/core/fold/thread-processor'
import { createNormalizer } from '@millrace/core/normalize'
import { measure, tenTimes, type Work } from '../measure.ts'
import type { Figure, Row } from '../row.ts'

const SMALL = 400

/** A thread that is processed again after each event. */
function appendEvents(count: number): unknown {
  const processor = createThreadProcessor({ createNormalizer })
  const events: ThreadEvent[] = []
  for (let index = 0; index < count; index++) {
    const type = index % 2 === 0 ? 'USER_MESSAGE' : 'AGENT_MESSAGE'
    events.push({ id: `m${index}`, type, timestamp: index, data: `<think>${index}</think>Here it is.` })
    processor.processEvents(events)
  }
  return processor.processEvents(events)
}

/** The same with the names and types of the system that the processor comes from, and the whole timeline each time. */
function appendToTimeline(count: number): unknown {
  const processor = new ThreadProcessor()
  const events: ThreadEvent[] = []
  for (let index = 0; index < count; index++) {
    const type = index % 2 === 0 ? 'USER_MESSAGE' : 'AGENT_MESSAGE'
    events.push({ id: `m${index}`, type, timestamp: new Date(index), data: `<think>${index}</think>Here it is.` })
    processor.processThread(events)
  }
  return processor.processThread(events)
}

/** One Event with so many tool calls, shown after each change. */
function addCalls(Builder: typeof EventBuilder | typeof CompatBuilder, count: number): unknown {
  let shown: unknown
  const builder = new Builder({ placeholderEventId: 'event', onUpdate: (draft) => (shown = draft) })
  for (let index = 0; index < count; index++) {
    builder.startToolCall({ id: `call-${index}`, name: 'measure' })
    builder.completeTool({ id: `call-${index}`, output: {} })
  }
  return shown
}

/** So many Events of one request, none of which the stream gave an id. */
function addEvents(count: number): unknown {
  let shown: unknown
  const builder = new EventBuilder({ placeholderEventId: 'event', onFinalize: (draft) => (shown = draft) })
  for (let index = 0; index < count; index++) {
    builder.startAssistantEvent()
    builder.appendTextDelta('Here it is.')
    builder.finalizeCurrentEvent()
  }
  return shown
}

function growth(what: string, work: (count: number) => unknown): Figure {
  const works: { readonly small: Work; readonly large: Work } = {
    small: tenTimes(() => work(SMALL)),
    large: () => work(10 * SMALL),
  }
  const times = measure(works, 5)
  return { row: '1c', what, value: (10 * times.large) / times.small, bound: 60, isHard: true }
}

/**
 * Every snapshot is an array of its own: its pointers are copied each time, and the collector's threads count too. So ten
 * times the calls take more than ten times the work; a walk over what did not change would take a hundred times.
 */
export const facades: Row = {
  title: `façades of the fold: growth for ten times the calls, from ${SMALL.toLocaleString('en')}`,
  run: () => [
    growth('ThreadProcessor, processed after each event', appendEvents),
    growth('ThreadProcessor of `compat`, a timeline after each event', appendToTimeline),
    growth('EventBuilder, tool calls of one Event', (count) => addCalls(EventBuilder, count)),
    growth('EventBuilder of `compat`, tool calls of one Event', (count) => addCalls(CompatBuilder, count)),
    growth('EventBuilder, Events of one request', addEvents),
  ],
}
