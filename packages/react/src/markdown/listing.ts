export interface Listing {
  readonly code: string
  /** The first word behind the fence. */
  readonly info: string
}

const FENCED = /^(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?![ \t])([^\s`]*)(?:[^\S\n][^\n`]*)?(?:\n|$)/

/** A block that is one fence at the margin and nothing else; anything less plain is left to the parser. */
export function listingOf(block: string): Listing | undefined {
  const open = FENCED.exec(block)
  if (open === null) return undefined
  const [head, fence = '', info = ''] = open
  const rest = block.slice(head.length)
  const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`, 'm').exec(rest)
  if (close === null) return { code: rest.replace(/\n$/, ''), info }
  const isAlone = rest.slice(close.index + close[0].length).trim() === ''
  return isAlone ? { code: rest.slice(0, close.index).replace(/\n$/, ''), info } : undefined
}
