import type { ExtractFrom } from './extract.ts'

interface Piece {
  readonly type?: string
  readonly text?: string
  readonly variant?: string
  readonly name?: string
  readonly input?: unknown
  readonly inputText?: string
  readonly state?: string
  readonly meta?: { readonly millrace?: { readonly open?: string; readonly close?: string } }
  readonly segments?: readonly Piece[]
  readonly chatEvents?: readonly Piece[]
}

/** A folded export says it all: its segments are walked in their order. A thought out of tags is text with its tags. */
export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  const walk = (pieces: readonly Piece[]) => {
    for (const { type, text: words = '', variant, name = '', input, inputText, meta, segments, chatEvents } of pieces) {
      if (type === 'text' && words !== '') text.push(words)
      if (type === 'reasoning' && variant === 'think-tag') {
        text.push(`${meta?.millrace?.open ?? ''}${words}${meta?.millrace?.close ?? ''}`)
      } else if (type === 'reasoning' && words !== '') reasoning.push(words)
      if (type === 'tool') tools.push({ name, input: inputText ?? input })
      walk(segments ?? chatEvents ?? [])
    }
  }
  walk(values as readonly Piece[])
  return { text, reasoning, tools }
}
