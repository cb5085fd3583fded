/** The content of a message that is being written: the whole string so far, or the tokens so far. */
export type GrowingContent = { readonly content: string } | { readonly tokens: readonly string[] }

/** The part of a message's content that was read. */
export interface ReadContent {
  readonly source: GrowingContent
  readonly tokenCount: number
  readonly length: number
}

export const nothingRead: ReadContent = { source: { tokens: [] }, tokenCount: 0, length: 0 }

/** The text by which a content has grown since it was read; undefined if it is another content. */
export function grownBy({ source, tokenCount, length }: ReadContent, now: GrowingContent): string | undefined {
  if (length === 0) return textOf(now)
  if ('content' in now) {
    const isSame = 'content' in source && now.content.slice(0, length) === source.content
    return isSame ? now.content.slice(length) : undefined
  }
  if ('content' in source || now.tokens.length < tokenCount) return undefined
  const isSame = now.tokens === source.tokens || startsWith(now.tokens, source.tokens, tokenCount)
  return isSame ? now.tokens.slice(tokenCount).join('') : undefined
}

export function readThrough(source: GrowingContent, length: number): ReadContent {
  return { source, tokenCount: 'tokens' in source ? source.tokens.length : 0, length }
}

export function textOf(content: GrowingContent): string {
  return 'content' in content ? content.content : content.tokens.join('')
}

function startsWith(tokens: readonly string[], before: readonly string[], count: number): boolean {
  for (let index = 0; index < count; index++) if (tokens[index] !== before[index]) return false
  return true
}
