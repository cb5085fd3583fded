import type { StreamEvent } from '@millrace/core/events'
import { thinkTags } from '@millrace/core/normalize/think-tags'
import { createHandThink } from '../hand-think.ts'
import { measure } from '../measure.ts'
import type { Row } from '../row.ts'
import { piecesOf, seeded, words } from '../streams.ts'

function megabyte(): string {
  const random = seeded(4)
  let text = ''
  while (text.length < 1_000_000) {
    text += `<think>${words(random, 400)}</think>${words(random, 800)}\n`
    text += `if (a < b) ${words(random, 40)} \`code\`\n`
  }
  return text
}

export const think: Row = {
  title: 'think tags out of 1 MB in 5-character deltas',
  run() {
    const pieces = piecesOf(megabyte(), 5)
    const times = measure(
      {
        floor() {
          const events: unknown[] = []
          const scanner = createHandThink((text, isThinking) =>
            events.push({ type: isThinking ? 'think' : 'text', text }),
          )
          for (const piece of pieces) scanner.push(piece)
          return events
        },
        ours() {
          const events: StreamEvent[] = []
          const pass = thinkTags((event) => events.push(event))
          pass.push({ type: 'block-start', blockId: 'b', kind: 'text' })
          for (const text of pieces) pass.push({ type: 'block-delta', blockId: 'b', text })
          pass.push({ type: 'block-end', blockId: 'b' })
          pass.end()
          return events
        },
      },
      11,
    )
    return [{ row: '7', what: 'exact, with attributes and code', value: times.ours / times.floor, bound: 2 }]
  },
}
