import { createHandThink } from '../hand-think.ts'
import { piecesOf, seeded, words } from '../streams.ts'
import { loadPeer } from './packages.ts'
import type { Peer } from './peer.ts'
import type { Wired } from './protocols.ts'
import { streamOf } from './web-streams.ts'

/** The text of row 7. */
function megabyte(): string {
  const random = seeded(4)
  let text = ''
  while (text.length < 1_000_000) {
    text += `<think>${words(random, 400)}</think>${words(random, 800)}\n`
    text += `if (a < b) ${words(random, 40)} \`code\`\n`
  }
  return text
}

interface Found {
  thought: string
  said: string
}

function byHand(pieces: readonly string[]): Found {
  const found: Found = { thought: '', said: '' }
  const scanner = createHandThink((text, isThinking) => {
    if (isThinking) found.thought += text
    else found.said += text
  })
  for (const piece of pieces) scanner.push(piece)
  return found
}

interface Ai {
  extractReasoningMiddleware(options: { tagName: string; separator: string }): {
    wrapStream(options: { doStream(): Promise<{ stream: ReadableStream<Wired> }> }): Promise<{
      stream: ReadableStream<Wired>
    }>
  }
}

export const think: readonly Peer[] = [
  {
    name: 'ai extractReasoningMiddleware',
    trials: [
      {
        row: '7',
        what: 'ai extractReasoningMiddleware, 1 MB',
        async prepare() {
          const pieces = piecesOf(megabyte(), 5)
          const { extractReasoningMiddleware } = await loadPeer<Ai>('ai')
          const parts: readonly Wired[] = [
            { type: 'text-start', id: 't' },
            ...pieces.map((delta) => ({ type: 'text-delta', id: 't', delta })),
            { type: 'text-end', id: 't' },
          ]
          return {
            floor() {
              const events: unknown[] = []
              const scanner = createHandThink((text, isThinking) =>
                events.push({ type: isThinking ? 'think' : 'text', text }),
              )
              for (const piece of pieces) scanner.push(piece)
              return events
            },
            async peer() {
              const events: Wired[] = []
              const middleware = extractReasoningMiddleware({ tagName: 'think', separator: '' })
              const { stream } = await middleware.wrapStream({
                doStream: async () => ({ stream: streamOf(parts.length, (index) => parts[index] as Wired) }),
              })
              for await (const part of stream) events.push(part)
              return events
            },
            fault: (result) => faultOf(result as readonly Wired[], byHand(pieces)),
          }
        },
      },
    ],
  },
]

function faultOf(events: readonly Wired[], { thought, said }: Found): string | undefined {
  const textOf = (type: string) =>
    events.map((event) => (event.type === type && typeof event.delta === 'string' ? event.delta : '')).join('')
  const isExact = textOf('reasoning-delta') === thought && textOf('text-delta') === said
  return isExact ? undefined : 'its reasoning is not that of the tags'
}
