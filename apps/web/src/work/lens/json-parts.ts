import type { TextRange } from '@millrace/core/lens'

/** A part of a JSON text: its colour, and whether it is marked. */
export interface JsonPart {
  readonly text: string
  readonly kind: 'plain' | 'key' | 'string' | 'number'
  readonly isMarked: boolean
}

const TOKEN = /"(?:[^"\\]|\\.)*"?(\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b/gs

/** A longer text is drawn without colours. */
const MOST_COLOURED = 20_000

/** A JSON text in its colours, divided where marks begin and end. */
export function jsonParts(text: string, marks: readonly TextRange[] = []): readonly JsonPart[] {
  const parts: JsonPart[] = []
  const sorted = [...marks].sort(([one], [other]) => one - other)
  const add = (from: number, to: number, kind: JsonPart['kind']) => addDivided(parts, text, [from, to], kind, sorted)
  if (text.length > MOST_COLOURED) {
    add(0, text.length, 'plain')
    return parts
  }
  let at = 0
  for (const { 0: token, 1: colon, index } of text.matchAll(TOKEN)) {
    const end = index + token.length - (colon?.length ?? 0)
    add(at, index, 'plain')
    add(index, end, kindOf(token, colon !== undefined))
    at = end
  }
  add(at, text.length, 'plain')
  return parts
}

function kindOf(token: string, isKey: boolean): JsonPart['kind'] {
  if (isKey) return 'key'
  return token.startsWith('"') ? 'string' : 'number'
}

function addDivided(
  parts: JsonPart[],
  text: string,
  [from, to]: TextRange,
  kind: JsonPart['kind'],
  marks: readonly TextRange[],
): void {
  let at = from
  for (const [begin, end] of marks) {
    if (end <= at || begin >= to) continue
    if (begin > at) parts.push({ text: text.slice(at, begin), kind, isMarked: false })
    at = Math.min(end, to)
    parts.push({ text: text.slice(Math.max(from, begin), at), kind, isMarked: true })
  }
  if (at < to) parts.push({ text: text.slice(at, to), kind, isMarked: false })
}

/** Adjoining marks, and those that overlap, as one. */
export function joinedMarks(marks: readonly TextRange[]): readonly TextRange[] {
  const joined: [number, number][] = []
  for (const [from, to] of [...marks].sort(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
