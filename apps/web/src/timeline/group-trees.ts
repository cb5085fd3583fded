import type { Span, SpanKind } from '@millrace/core/spans'
import { timeCovered } from './row-times.ts'
import { type Family, groupOf, nodeOfSpan, rootOf, type SpanNode } from './span-tree.ts'
import { glyphOf, toneOf } from './tones.ts'

const namesOfKinds: { readonly [Kind in Exclude<SpanKind, 'tool'>]: string } = {
  model: 'Model calls',
  thought: 'Thoughts',
  subagent: 'Subagents',
  approval: 'Questions',
  status: 'Preparation',
}

/** By what they are: each tool, the model calls, the subagents; what took longest comes first. */
export function kindTree(family: Family): SpanNode {
  const groups = new Map<string, Span[]>()
  for (const span of family.times.spans) {
    const name = span.kind === 'tool' ? span.name : namesOfKinds[span.kind]
    const key = `${span.kind} ${name}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [span])
    else group.push(span)
  }
  const rows = [...groups].map(([key, spans]) => {
    const [first] = spans as [Span]
    const done = { ...first, state: 'done' as const }
    const children = spans.map((span) => nodeOfSpan(family, span))
    const name = first.kind === 'tool' ? first.name : namesOfKinds[first.kind]
    const note = `${spans.length.toLocaleString('en')}`
    return groupOf({ id: key, name, note, glyph: glyphOf(done), tone: toneOf(done), children })
  })
  return rootOf(
    family,
    rows.sort((one, other) => timeCovered(other.spans) - timeCovered(one.spans)),
  )
}

/** By who did it: the main agent and each subagent, each with what it did in the order of time. */
export function agentTree(family: Family): SpanNode {
  const agents = new Map<string, Span[]>()
  const own = new Map<string, Span>()
  for (const span of family.times.spans) {
    if (span.kind === 'subagent' && span.agentId !== undefined) own.set(span.agentId, span)
    else {
      const group = agents.get(span.agentId ?? '')
      if (group === undefined) agents.set(span.agentId ?? '', [span])
      else group.push(span)
    }
  }
  for (const agentId of own.keys()) if (!agents.has(agentId)) agents.set(agentId, [])
  return rootOf(
    family,
    [...agents].map(([agentId, spans]) => {
      const children = spans.map((span) => nodeOfSpan(family, span))
      const subagent = own.get(agentId)
      if (subagent !== undefined) return nodeOfSpan(family, subagent, children)
      const name = agentId === '' ? 'Main agent' : agentId
      const note = `${spans.length.toLocaleString('en')} spans`
      return groupOf({
        id: `agent ${agentId}`,
        name,
        note,
        glyph: 'process',
        tone: 'model',
        children,
        isOpenAtFirst: true,
      })
    }),
  )
}
