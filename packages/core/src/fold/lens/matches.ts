import { type JsonLeaf, jsonLeaves, spanInText } from '../../data/json-strings.ts'

/** Where a text is marked: from one position up to, but not including, another. */
export type TextRange = readonly [from: number, to: number]

/** The same content in a record and in an event, as places of both JSON texts. */
export interface Match {
  readonly record: TextRange
  readonly event: TextRange
}

/** Fields that name things. They are marked only where nothing else of the event stands in the record. */
const NAMES = /^(?:type|kind|role|state|status|level|mode|op|scope|channel|runBy|reason|[a-zA-Z]*Id|id)$/

/** A shorter string matches only another one that is the same, not a part of one. */
const SHORTEST_PART = 4

/**
 * What an event has from its record: each string and number of the event that stands in the record too, as a whole or as a
 * part of a longer string, and each long string of the record that the event has joined with others. Both are JSON texts.
 */
export function matchesOf(recordText: string, eventText: string): readonly Match[] {
  const inRecord = jsonLeaves(recordText)
  const inEvent = jsonLeaves(eventText).filter(({ value }) => value !== '')
  const isContent = ({ key }: JsonLeaf) => !NAMES.test(key)
  const match = (leaf: JsonLeaf) => matchOf(recordText, inRecord, eventText, leaf)
  const content = inEvent.filter(isContent).flatMap((leaf) => match(leaf) ?? [])
  if (content.length > 0) return content
  return inEvent.filter((leaf) => !isContent(leaf) && leaf.key !== 'type').flatMap((leaf) => match(leaf) ?? [])
}

function matchOf(text: string, leaves: readonly JsonLeaf[], eventText: string, leaf: JsonLeaf): Match | undefined {
  const { value, kind, from, to } = leaf
  const equal = leaves.find((each) => each.kind === kind && each.value === value)
  if (equal !== undefined) return { record: [equal.from, equal.to], event: [from, to] }
  if (kind === 'number' || value.length < SHORTEST_PART) return undefined
  const strings = leaves.filter((each) => each.kind === 'string')
  const around = strings.find((each) => each.value.includes(value))
  if (around !== undefined) {
    const start = around.value.indexOf(value)
    return { record: spanInText(text, around, start, start + value.length), event: [from, to] }
  }
  const inside = longest(strings.filter((each) => each.value.length >= SHORTEST_PART && value.includes(each.value)))
  if (inside === undefined) return undefined
  const start = value.indexOf(inside.value)
  return { record: [inside.from, inside.to], event: spanInText(eventText, leaf, start, start + inside.value.length) }
}

function longest(leaves: readonly JsonLeaf[]): JsonLeaf | undefined {
  return leaves.reduce<JsonLeaf | undefined>(
    (best, each) => (best === undefined || each.value.length > best.value.length ? each : best),
    undefined,
  )
}
