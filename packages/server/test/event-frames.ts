import { reading } from './frames.ts'

/** For tests: one named server-sent event. */
export interface NamedEvent {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it reads
  readonly data: any
}

export const namedEventsIn = (text: string): readonly NamedEvent[] =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, name = '', data = '']) => ({
    name,
    data: JSON.parse(data),
  }))

/** Reads a stream of named events while it arrives. */
export function readingEvents(response: Response) {
  const stream = reading(response)
  return {
    ...stream,
    events: () => namedEventsIn(stream.text()),
    /** Reads until an event of this name fits. Resolves with it. */
    // biome-ignore lint/suspicious/noExplicitAny: each test knows what it reads
    async untilEvent(name: string, fits: (data: any) => boolean = () => true) {
      for (;;) {
        const found = namedEventsIn(stream.text()).find((event) => event.name === name && fits(event.data))
        if (found !== undefined) return found.data
        await stream.more()
      }
    },
  }
}
