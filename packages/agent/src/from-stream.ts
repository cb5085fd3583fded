import type { Agent } from '@millrace/core/agent'
import { watchEnd } from './end-watch.ts'
import type { ExecutionContext } from './execution-context.ts'
import { agentOf, type Memory, memoryOf, type Named } from './named.ts'
import { recordText } from './record-text.ts'
import { valuesUntil } from './until-abort.ts'

/** What a framework streams: one value a record. */
export type Streamed = AsyncIterable<unknown>

export interface StreamAgent extends Named {
  /** The name of the parser that reads the values, such as `ai-sdk`. */
  readonly format: string
  /**
   * `ctx.signal` stops it; a stream that does not take the signal is closed. What it throws ends the run, unless its records have
   * said already that it failed: frameworks throw once more behind the record that says why.
   */
  stream(memory: Memory, ctx: ExecutionContext): Streamed | Promise<Streamed>
}

/** An agent of whatever streams a format of the registry already. */
export function fromStream(agent: StreamAgent): Agent {
  return agentOf(agent, agent.format, async function* (request, ctx) {
    const watch = watchEnd(agent.format, 'json-lines')
    const values = await agent.stream(memoryOf(request), ctx)
    try {
      for await (const value of valuesUntil(values, ctx.signal)) {
        const text = recordText(value)
        watch.feed(encoder.encode(`${text}\n`))
        yield text
      }
    } catch (error) {
      if (!watch.end().hasFailed) throw error
    }
  })
}

const encoder = new TextEncoder()
