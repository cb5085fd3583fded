import type { Entry } from '@millrace/core/entry'
import { fold } from '@millrace/core/fold'
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
    const comparedContent = 'other-roles' in losses ? withoutOthers(content, entries) : content
    return same(comparable(comparedContent, shared), shared, `${wire}, of what all can say`) ?? []
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

/** Some wires carry messages of other roles; if one does not, those messages are not compared. */
function withoutOthers(content: Content, entries: readonly Entry[]): Content {
  const theirs = fold(entries)
    .chatEvents.filter(({ role }) => role !== 'assistant')
    .flatMap(({ segments }) => segments.flatMap((segment) => (segment.type === 'text' ? [segment.text] : [])))
  const texts = [...content.texts]
  for (const text of theirs) if (texts.includes(text)) texts.splice(texts.indexOf(text), 1)
  return { ...content, texts }
}
