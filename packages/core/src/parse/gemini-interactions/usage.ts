import type { StreamEvent } from '../../events.ts'
import { keep } from '../gemini/meta.ts'
import { type Counts, countsIn } from '../gemini/usage.ts'
import type { RawUsage } from './raw.ts'

/** The usage of an interaction. Events have the counts so far, and the end of a step may have those of the step. */
export interface Usage {
  soFar(raw: RawUsage | null | undefined): StreamEvent[]
  ofStep(raw: RawUsage | null | undefined): StreamEvent[]
  /** The message begins. Usage that was read before belongs to it. */
  release(): StreamEvent[]
}

export function createUsage(): Usage {
  let lastCounts: string | undefined
  let held: StreamEvent | undefined
  let isReleased = false

  function emit(event: StreamEvent): StreamEvent[] {
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
      const { counts, otherFields } = countsOf(raw)
      const countsText = JSON.stringify(counts)
      if (countsText === lastCounts || Object.keys(counts).length === 0) return []
      lastCounts = countsText
      return emit({ type: 'usage', scope: 'step', mode: 'snapshot', ...counts, ...keep(otherFields) })
    },
    ofStep(raw) {
      // A stream that has the sum repeats it. Adding a step to the sum would count the step twice.
      if (raw === null || raw === undefined || lastCounts !== undefined) return []
      const { counts, otherFields } = countsOf(raw)
      return emit({ type: 'usage', scope: 'step', mode: 'add', ...counts, ...keep(otherFields) })
    },
  }
}

function countsOf(raw: RawUsage): { counts: Counts; otherFields: { readonly [field: string]: unknown } } {
  const {
    total_input_tokens: prompt,
    total_tool_use_tokens: tools,
    total_output_tokens: answer,
    total_thought_tokens: thoughts,
    total_cached_tokens: cached,
    ...otherFields
  } = raw
  return { counts: countsIn({ prompt, tools, answer, thoughts, cached }), otherFields }
}
