import type { ExtractFrom } from './extract.ts'

interface RawNode {
  readonly type?: string
  readonly text?: string
  readonly variant?: string
  readonly name?: string
  readonly input?: unknown
  readonly inputText?: string
  readonly state?: string
  readonly meta?: { readonly millrace?: { readonly open?: string; readonly close?: string } }
  readonly segments?: readonly RawNode[]
  readonly chatEvents?: readonly RawNode[]
}

/** A folded export is whole, so its segments are read in their order. A thought from tags is text with its tags. */
export const extract: ExtractFrom = (values) => {
  const text: string[] = []
  const reasoning: string[] = []
  const tools: { name: string; input: unknown }[] = []
  const walk = (nodes: readonly RawNode[]) => {
    for (const { type, text: prose = '', variant, name = '', input, inputText, meta, segments, chatEvents } of nodes) {
      if (type === 'text' && prose !== '') text.push(prose)
      if (type === 'reasoning' && variant === 'think-tag') {
        text.push(`${meta?.millrace?.open ?? ''}${prose}${meta?.millrace?.close ?? ''}`)
      } else if (type === 'reasoning' && prose !== '') reasoning.push(prose)
      if (type === 'tool') tools.push({ name, input: inputText ?? input })
      walk(segments ?? chatEvents ?? [])
    }
  }
  walk(values as readonly RawNode[])
  return { text, reasoning, tools }
}
