import type { Segment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { CopyButton } from '@millrace/react'
import { useMemo, useState } from 'react'
import { Icon } from '../../icon.tsx'
import { topsOf, Windowed } from '../windowed.tsx'
import { jsonRows } from './json-rows.ts'
import { JsonText } from './json-text.tsx'

const ROW = 20

/** The segment as the fold has made it: what every view draws from. */
export function SegmentJson({ piece }: { readonly piece: Segment }) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => jsonRows(piece as unknown as Json, toggled), [piece, toggled])
  const tops = useMemo(() => topsOf(rows.length, () => ROW), [rows])
  const toggle = (path: string) => {
    const next = new Set(toggled)
    if (!next.delete(path)) next.add(path)
    setToggled(next)
  }
  const widest = rows.reduce(
    (most, { depth, name = '', text }) => Math.max(most, depth * 2 + name.length + text.length),
    0,
  )
  return (
    <div className="segment-json">
      <Windowed className="json-rows" label="The segment" tops={tops} width={`${Math.min(widest, 2_200) + 8}ch`}>
        {(first, end) =>
          rows.slice(first, end).map(({ path, depth, name, text, fold }) => (
            <div key={path} className="json-row" style={{ paddingLeft: `${depth * 2 + 4}ch` }}>
              {fold !== undefined && (
                <button
                  type="button"
                  className="json-fold"
                  aria-expanded={fold === 'open'}
                  aria-label={name ?? 'segment'}
                  onClick={() => toggle(path)}
                >
                  <Icon name={fold === 'open' ? 'chevron' : 'right'} />
                </button>
              )}
              {name !== undefined && <span className="json-key">{name}: </span>}
              {fold === 'closed' ? <span className="json-closed">{text}</span> : <JsonText text={text} />}
            </div>
          ))
        }
      </Windowed>
      <CopyButton text={JSON.stringify(piece, undefined, 2)} label="Copy the segment" />
    </div>
  )
}
