import type { EventOf, StreamEvent } from '@millrace/core/events'
import fc, { type Arbitrary } from 'fast-check'
import { anyOf, json } from '../any-event.ts'
import type { EventGroup } from '../compose.ts'
import { enums } from '../vocabulary.ts'
import { fields, text } from './values.ts'

type Variant = NonNullable<EventOf<'block-start'>['variant']>

/** The variants of a text; all others are of reasoning. */
const TEXT_VARIANTS: readonly Variant[] = ['commentary', 'refusal', 'plan', 'summary']

const start: Arbitrary<EventOf<'block-start'>> = fields(
  { kind: anyOf(enums['block-start'].kind) },
  { variant: anyOf(enums['block-start'].variant) },
).map(({ kind, variant }) => {
  const isFitting = variant !== undefined && (kind === 'reasoning' || TEXT_VARIANTS.includes(variant))
  return { type: 'block-start', blockId: '', kind, ...(isFitting && { variant }) }
})

const delta: Arbitrary<StreamEvent> = text.map((text) => ({ type: 'block-delta', blockId: '', text }))

const attached: Arbitrary<StreamEvent> = fields(
  { kind: anyOf(enums.source.kind) },
  {
    url: fc.constant('https://example.com/'),
    title: text,
    mediaType: fc.constantFrom('text/html', 'application/pdf'),
    snippet: text,
  },
).map((source) => ({ type: 'source', sourceId: '', ...source, blockId: '' }))

const answer = fields(
  { content: text },
  {
    title: text,
    sources: fc.array(fields({}, { url: fc.constant('https://example.com/'), title: text }), { maxLength: 2 }),
  },
)

const patchOf: { readonly [Kind in EventOf<'block-start'>['kind']]: Arbitrary<StreamEvent> } = {
  text: fields({}, { text, citations: fc.array(json, { maxLength: 2 }), answer }).map(patch),
  reasoning: fields({}, { text, signature: text, encrypted: text }).map(patch),
}

function patch(assigned: Partial<EventOf<'block-patch'>>): StreamEvent {
  return { ...assigned, type: 'block-patch', blockId: '' }
}

/** A patch of no field says nothing. */
const isPatch = (event: StreamEvent) => Object.keys(event).length > 2

/** A block: deltas, any number of patches between them and after its end, and perhaps a source that it names. */
export const block: Arbitrary<EventGroup> = start.chain((start) => {
  const patches = (maxLength: number) => fc.array(patchOf[start.kind].filter(isPatch), { maxLength })
  return fc
    .record({
      deltas: fc.array(delta, { maxLength: 3 }),
      patches: patches(3),
      more: fc.array(delta, { maxLength: 2 }),
      source: fc.option(attached, { nil: undefined, freq: 6 }),
      interrupted: fc.constantFrom(undefined, undefined, true),
      after: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: patches(2) }),
    })
    .map(({ deltas, patches, more, source, interrupted, after }) => [
      start,
      ...deltas,
      // A text that nothing was streamed before is no patch but a delta.
      ...(deltas.length === 0 ? patches.map(withoutText).filter(isPatch) : patches),
      ...more,
      ...(source === undefined ? [] : [source]),
      { type: 'block-end', blockId: '', ...(interrupted !== undefined && { interrupted }) },
      ...after,
    ])
})

function withoutText(event: StreamEvent): StreamEvent {
  const { text: _text, ...rest } = event as EventOf<'block-patch'>
  return rest
}
