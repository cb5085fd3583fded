import type { StreamEvent } from '../../events.ts'
import { type Counts, countsIn } from '../gemini/counts.ts'
import { keep } from '../gemini/meta.ts'
import type { RawUsage } from './raw.ts'

/** What an interaction has used: events tell it so far, and the end of a step may tell what the step alone has used. */
export interface Usage {
  soFar(raw: RawUsage | null | undefined): StreamEvent[]
  ofStep(raw: RawUsage | null | undefined): StreamEvent[]
  /** The message begins: what was told before it counts for it. */
  release(): StreamEvent[]
}

export function createUsage(): Usage {
  let told: string | undefined
  let held: StreamEvent | undefined
  let isReleased = false

  function tell(event: StreamEvent): StreamEvent[] {
    if (isReleased) return [event]
    held = event
    return []
  }

  return {
    release() {
      isReleased = true
      return held === undefined ? [] : [held]
    },
    soFar(raw) {
      if (raw === null || raw === undefined) return []
      const { counts, rest } = countsOf(raw)
      const known = JSON.stringify(counts)
      if (known === told || Object.keys(counts).length === 0) return []
      told = known
      return tell({ type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...keep(rest) })
    },
    ofStep(raw) {
      // Whoever tells the sum tells it again: to add a step to it would count that twice.
      if (raw === null || raw === undefined || told !== undefined) return []
      const { counts, rest } = countsOf(raw)
      return tell({ type: 'usage', scope: 'step', mode: 'add', ...counts, ...keep(rest) })
    },
  }
}

function countsOf(raw: RawUsage): { counts: Counts; rest: { readonly [field: string]: unknown } } {
  const {
    total_input_tokens: prompt,
    total_tool_use_tokens: tools,
    total_output_tokens: answer,
    total_thought_tokens: thoughts,
    total_cached_tokens: cached,
    ...rest
  } = raw
  return { counts: countsIn({ prompt, tools, answer, thoughts, cached }), rest }
}
