import type { BlockVariant, Meta } from '../../event-fields.ts'
import type { RawProse } from './raw.ts'

interface Untagged {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  readonly variant: BlockVariant | undefined
  readonly meta: Meta | undefined
}

/** A thought that stood in a text goes back into it, with its tags: they are found again. */
export function untagged({ type: kind, text, variant, meta }: RawProse): Untagged {
  const { before, open, close, after, ...rest } = meta?.millrace ?? {}
  if ((before ?? open ?? close ?? after) === undefined) return { kind, text, variant, meta }
  const { millrace: _tags, ...others } = meta ?? {}
  const left = Object.keys(rest).length === 0 ? others : { ...others, millrace: rest }
  return {
    kind: 'text',
    text: [before, open, text, close, after].join(''),
    variant: variant === 'think-tag' ? undefined : variant,
    meta: Object.keys(left).length === 0 ? undefined : left,
  }
}
