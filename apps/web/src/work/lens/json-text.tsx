import type { TextRange } from '@millrace/core/lens'
import { memo } from 'react'
import { jsonParts } from './json-parts.ts'

interface JsonTextProps {
  readonly text: string
  readonly marks?: readonly TextRange[]
}

/** JSON as inert text in its colours. */
export const JsonText = memo(function JsonText({ text, marks }: JsonTextProps) {
  return jsonParts(text, marks).map(({ text: part, kind, isMarked }, index) => {
    const coloured =
      kind === 'plain' ? (
        part
      ) : (
        <span key={index} className={`json-${kind}`}>
          {part}
        </span>
      )
    return isMarked ? <mark key={index}>{coloured}</mark> : coloured
  })
})
