import type { StreamEvent } from '../../events.ts'
import { type Counts, countsIn } from './counts.ts'
import { keep } from './meta.ts'
import type { RawUsage } from './raw.ts'

/** The usage of one response, which every chunk may tell as it stands. */
export interface Usage {
  read(raw: RawUsage): StreamEvent[]
  /** Another message of the same response begins: what was told so far stays with the one before. */
  nextMessage(): void
}

export function createUsage(): Usage {
  let told: Counts = {}
  let before: Counts = {}
  return {
    read(raw) {
      const { counts, rest } = countsOf(raw)
      if (isSame({ ...told, ...counts }, told)) return []
      told = { ...told, ...counts }
      return [{ type: 'usage', scope: 'step', mode: 'snapshot', ...less(told, before), ...keep(rest) }]
    },
    nextMessage() {
      before = told
    },
  }
}

function countsOf(raw: RawUsage): { counts: Counts; rest: { readonly [field: string]: unknown } } {
  const {
    promptTokenCount: prompt,
    toolUsePromptTokenCount: tools,
    candidatesTokenCount: answer,
    thoughtsTokenCount: thoughts,
    cachedContentTokenCount: cached,
    ...rest
  } = raw
  const counts = countsIn({ prompt, tools, answer, thoughts, cached })
  return { counts, rest: { ...rest, toolUsePromptTokenCount: tools } }
}

function less(counts: Counts, before: Counts): Counts {
  const rest: { -readonly [Field in keyof Counts]: number } = {}
  for (const field of Object.keys(counts) as (keyof Counts)[]) rest[field] = (counts[field] ?? 0) - (before[field] ?? 0)
  return rest
}

function isSame(counts: Counts, others: Counts): boolean {
  return (Object.keys(counts) as (keyof Counts)[]).every((field) => counts[field] === others[field])
}
