import type { ChatEvent, Segment } from '@millrace/core/fold/shapes'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { EventView, type EventViewProps } from '../src/event-view.tsx'

/** The HTML of a chat event as a server draws it: no effect runs, no clock ticks. */
export function htmlOf(event: ChatEvent, options: Omit<EventViewProps, 'event'> = {}): string {
  return renderToStaticMarkup(createElement(EventView, { ...options, event }))
}

/** A chat event with these segments, done unless `fields` has another state. */
export function eventOf(segments: readonly Segment[], fields: Partial<ChatEvent> = {}): ChatEvent {
  const last = segments.length
  return {
    id: 'run/m1',
    runId: 'run',
    role: 'assistant',
    state: 'done',
    segments,
    startedAt: 1000,
    seqs: [1, last],
    ...fields,
  }
}

/** The text without the tags. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}
