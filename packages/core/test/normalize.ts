import type { StreamEvent } from '../src/events.ts'
import type { CreatePass } from '../src/normalize/pass.ts'

/** The output of a pass for events, including its end. */
export function runPass(create: CreatePass, events: readonly StreamEvent[]): StreamEvent[] {
  const out: StreamEvent[] = []
  const pass = create((event) => {
    out.push(event)
  })
  for (const event of events) pass.push(event)
  pass.end()
  return out
}
