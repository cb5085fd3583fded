import type { ChatEvent } from '../fold/shapes.ts'
import { fileText } from './files.ts'

/** What somebody has said in one message. */
export interface SpokenText {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/**
 * What persons and the agent have said, for frameworks that take nothing else: without thoughts, calls and what was taken
 * back. A file is a line with its name.
 */
export function toTexts(chatEvents: readonly ChatEvent[]): readonly SpokenText[] {
  return chatEvents.flatMap(({ role, state, segments }): readonly SpokenText[] => {
    if (state === 'retracted' || (role !== 'user' && role !== 'assistant')) return []
    const texts = segments.flatMap((segment) => {
      if (segment.type === 'text') return segment.text
      return segment.type === 'file' ? fileText(segment) : []
    })
    const text = texts.filter((each) => each !== '').join('\n\n')
    return text === '' ? [] : [{ role, text }]
  })
}
