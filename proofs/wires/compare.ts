import type { Entry } from '@millrace/core/entry'
import { type Feature, type Losses, lossesOf } from '@millrace/core/losses'
import { createFeatureCounter } from '@millrace/core/meaning/feature-counter'
import { getWire } from '@millrace/core/wire'
import { type Content, comparable, contentOf } from '@millrace/testkit/content'
import { same } from '@millrace/testkit/verdicts'
import { wireFacts } from './facts.ts'
import type { Sight, Watched } from './watch-all.ts'

/** The content that a viewer ends with, and whether it is right. */
export interface Finding extends Sight {
  readonly content: Content
  /** What its wire cannot say of this run. */
  readonly lost: readonly Feature[]
  /** The difference from the fold less that; undefined if there is none. */
  readonly problem: string | undefined
}

export interface Comparison {
  readonly findings: readonly Finding[]
  /** What all wires together can say of the run. */
  readonly shared: Content
  /** The viewers whose part of that differs, one line each. */
  readonly problems: readonly string[]
}

export async function compare({ entries, sights }: Watched): Promise<Comparison> {
  const findings = await Promise.all(sights.map((sight) => findingOf(entries, sight)))
  const losses = lossesOfAll(sights)
  const shared = contentOf(entries, losses)
  const problems = findings.flatMap(({ wire, content }) => {
    const sharedContent = withoutUnshared(content, contentOf(entries, getWire(wire).losses), shared)
    return same(comparable(sharedContent, shared), shared, `${wire}, of what all can say`) ?? []
  })
  return { findings, shared, problems }
}

async function findingOf(entries: readonly Entry[], sight: Sight): Promise<Finding> {
  const { losses } = getWire(sight.wire)
  const client = wireFacts[sight.wire]?.client
  if (typeof client !== 'function') throw new Error(`${sight.wire} has no client.`)
  const featureCounter = createFeatureCounter()
  for (const { event } of entries) featureCounter.note(event)
  const lost = lossesOf(losses, featureCounter.counts()).map(({ feature }) => feature)
  const expected = contentOf(entries, losses)
  const content = comparable(await client(sight.chunks), expected)
  return { ...sight, content, lost, problem: same(content, expected, sight.wire) }
}

const lossesOfAll = (sights: readonly Sight[]): Losses =>
  Object.assign({}, ...sights.map(({ wire }) => getWire(wire).losses))

/** The content of a wire without what another wire loses. */
export function withoutUnshared(content: Content, own: Content, shared: Content): Content {
  const textOf = (text: string) => text
  return {
    texts: less(content.texts, less(own.texts, shared.texts, textOf), textOf),
    reasonings: less(content.reasonings, less(own.reasonings, shared.reasonings, textOf), textOf),
    tools: less(content.tools, less(own.tools, shared.tools, toolName), toolName),
  }
}

const toolName = ({ name }: Content['tools'][number]) => name

/** The items without one for each of the others, in order. */
function less<Item>(items: readonly Item[], others: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  const keys = others.map(keyOf)
  return items.filter((item) => {
    const at = keys.indexOf(keyOf(item))
    if (at !== -1) keys.splice(at, 1)
    return at === -1
  })
}
