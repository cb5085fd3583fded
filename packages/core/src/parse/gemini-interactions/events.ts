import type { Content, Step } from './raw.ts'

const SPOKEN: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'video', 'document'])

/** The first releases had no steps: each piece of content stood alone. */
export function stepOf(content: Content): Step {
  return SPOKEN.has(content.type) ? { type: 'model_output', content: [content] } : (content as Step)
}

/** A whole interaction, which was not streamed. */
export function isInteraction(value: { readonly [field: string]: unknown }): boolean {
  return value.object === 'interaction' && typeof value.status === 'string' && value.event_type === undefined
}
