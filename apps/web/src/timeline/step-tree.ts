import type { Span } from '@millrace/core/spans'
import { type Family, groupOf, nodeOfSpan, rootOf, type SpanNode } from './span-tree.ts'
import { wordsOfTools } from './span-words.ts'

/** So many calls that follow each other are one row. */
const MANY_CALLS = 4

/** In the order of time: each model call with its thoughts and the calls that it asked for, each subagent with what it did. */
export function stepTree(family: Family): SpanNode {
  const outermost = (family.inside.get('') ?? []).filter(({ asked }) => asked === undefined)
  return rootOf(
    family,
    outermost.map((span) => nodeWithin(family, span)),
  )
}

function nodeWithin(family: Family, span: Span): SpanNode {
  if (span.kind === 'subagent') return nodeOfSpan(family, span, insideSubagent(family, span))
  const inside = (family.inside.get(span.id) ?? []).map((each) => nodeWithin(family, each))
  const asked = (family.asked.get(span.id) ?? []).map((each) => nodeWithin(family, each))
  return nodeOfSpan(family, span, [...inside, ...gathered(asked)])
}

/** The model calls of a subagent are one row; adjacent calls of one tool are, too. */
function insideSubagent(family: Family, { id }: Span): readonly SpanNode[] {
  const spans = family.inside.get(id) ?? []
  const models = spans.filter(({ kind }) => kind === 'model')
  const others = spans.filter(({ kind }) => kind !== 'model').map((span) => nodeWithin(family, span))
  const nodes = models.map((span) => nodeOfSpan(family, span, thoughtsOf(family, span)))
  const [first] = nodes
  if (first === undefined) return sameTools(others)
  const { glyph, tone } = first
  const name = `${nodes.length} model calls`
  const calls =
    nodes.length === 1 ? first : groupOf({ id: `${id} models`, name, note: '', glyph, tone, children: nodes })
  return [calls, ...sameTools(others)]
}

const thoughtsOf = (family: Family, { id }: Span) =>
  (family.inside.get(id) ?? []).map((thought) => nodeOfSpan(family, thought))

/** Many calls of one model call are one row. A subagent stays a row of its own. */
function gathered(nodes: readonly SpanNode[]): readonly SpanNode[] {
  return inStretches(nodes, (one, other) => isTool(one) && isTool(other)).flatMap((stretch) => {
    const [first] = stretch
    if (first === undefined || stretch.length < MANY_CALLS || !isTool(first)) return stretch
    const name = `${stretch.length} tools`
    const note = wordsOfTools(stretch)
    return [
      groupOf({
        id: `${first.id} and ${stretch.length}`,
        name,
        note,
        glyph: 'layers',
        tone: 'tool',
        children: stretch,
      }),
    ]
  })
}

function sameTools(nodes: readonly SpanNode[]): readonly SpanNode[] {
  return inStretches(nodes, (one, other) => isTool(one) && one.name === other.name).flatMap((stretch) => {
    const [first] = stretch
    if (first === undefined || stretch.length === 1) return stretch
    const { id, name, glyph, tone } = first
    return [
      groupOf({ id: `${id} and same`, name: `${name} ×${stretch.length}`, note: '', glyph, tone, children: stretch }),
    ]
  })
}

const isTool = ({ span }: SpanNode) => span?.kind === 'tool'

/** Adjacent nodes that belong together. */
function inStretches(
  nodes: readonly SpanNode[],
  belong: (one: SpanNode, other: SpanNode) => boolean,
): readonly (readonly SpanNode[])[] {
  const stretches: SpanNode[][] = []
  for (const node of nodes) {
    const last = stretches.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && belong(before, node)) last.push(node)
    else stretches.push([node])
  }
  return stretches
}
