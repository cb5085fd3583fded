/** A string or a number of a JSON text: its value, and where it stands. */
export interface JsonLeaf {
  /** The value of a string, or the number as it is written. */
  readonly value: string
  readonly kind: 'string' | 'number'
  /** The field that holds it, or whose list does; empty at the top. */
  readonly key: string
  /** Where it begins and ends in the text, without quotes. */
  readonly from: number
  readonly to: number
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\]]/gs

/**
 * The strings and numbers of a JSON text, in order, without the names of fields. A text that is no JSON, or that is cut, has
 * those that can be recognised.
 */
export function jsonLeaves(text: string): readonly JsonLeaf[] {
  const leaves: JsonLeaf[] = []
  const holders: string[] = []
  let key = ''
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') holders.push(key)
    else if (token === '}' || token === ']') key = holders.pop() ?? ''
    else if (!token.startsWith('"')) leaves.push(leafOf(token, 'number', key, index, index + token.length))
    else if (isName(text, index + token.length)) key = unescaped(token.slice(1, -1))
    else {
      const to = index + token.length - (token.length > 1 && token.endsWith('"') ? 1 : 0)
      leaves.push(leafOf(unescaped(text.slice(index + 1, to)), 'string', key, index + 1, to))
    }
  }
  return leaves
}

const leafOf = (value: string, kind: JsonLeaf['kind'], key: string, from: number, to: number): JsonLeaf => ({
  value,
  kind,
  key,
  from,
  to,
})

const isName = (text: string, end: number) => /^\s*:/.test(text.slice(end, end + 9))

/** The value of what stands between two quotes. A part that is no JSON stays as it is. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** For a part of a string's value, where that part stands in the text. */
export function spanInText(
  text: string,
  { from, to }: JsonLeaf,
  start: number,
  end: number,
): readonly [number, number] {
  let at = from
  let begin = from
  for (let index = 0; at < to && index < end; index++) {
    if (index === start) begin = at
    at += text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
  }
  return [begin, Math.min(at, to)]
}
