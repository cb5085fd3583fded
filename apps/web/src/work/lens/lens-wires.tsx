import type { RunInfo } from '@millrace/core/client'
import type { Entry } from '@millrace/core/events'
import type { SentChunk } from '@millrace/core/lens'
import { bytesText, DisclosureCard, englishLabels, formatTitle } from '@millrace/react'
import { useState } from 'react'
import { Icon } from '../../icon.tsx'
import { featureTitle, lossesText, type WireFacts } from '../../wires/wire-facts.ts'
import { seqText } from '../../words/numbers.ts'
import { JsonText } from './json-text.tsx'
import { type SentPiece, useSentPieces } from './piece-wires.ts'

interface LensWiresProps {
  readonly wires: readonly WireFacts[]
  readonly entries: readonly Entry[]
  readonly own: readonly number[]
  readonly run: RunInfo
}

/** What each wire sends of the piece, chunk by chunk, and what it has no field for. */
export function LensWires({ wires, entries, own, run }: LensWiresProps) {
  const [toggled, setToggled] = useState<{ readonly [wire: string]: boolean }>({})
  const sent = useSentPieces(
    wires.map(({ wire }) => wire),
    entries,
    own,
    run,
  )
  const openAtFirst = wires.find(({ losses }) => losses.length > 0)?.wire
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <ul className="lens-wires" tabIndex={0} aria-label="Wires">
      {wires.map((facts) => {
        const { wire } = facts
        const isOpen = toggled[wire] ?? wire === openAtFirst
        const disclosure = {
          isOpen,
          isToggled: wire in toggled,
          toggle: () => setToggled({ ...toggled, [wire]: !isOpen }),
        }
        return (
          <li key={wire}>
            <SentCard facts={facts} sent={sent.get(wire)} disclosure={disclosure} />
          </li>
        )
      })}
    </ul>
  )
}

interface SentCardProps {
  readonly facts: WireFacts
  readonly sent: SentPiece | undefined
  readonly disclosure: Parameters<typeof DisclosureCard>[0]['disclosure']
}

function SentCard({ facts: { wire, losses }, sent, disclosure }: SentCardProps) {
  const isWhole = losses.length === 0
  const count = sent?.chunks.length ?? 0
  return (
    <DisclosureCard
      className={`wire${isWhole ? ' wire-whole' : ''}`}
      disclosure={disclosure}
      icon={<Icon name={isWhole ? 'check' : 'leak'} className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{formatTitle(wire)}</span>
          <span className="mr-quiet mr-cut">{isWhole ? 'carries all' : `all but ${lossesText(losses)}`}</span>
        </>
      }
      end={
        sent === undefined ? (
          <span className="sent-count">…</span>
        ) : (
          <>
            <span className="sent-count">
              {count.toLocaleString('en')} {count === 1 ? 'chunk' : 'chunks'}
            </span>
            <span className="sent-bytes">{bytesText(sent.bytes, englishLabels)}</span>
          </>
        )
      }
    >
      <div className="sent">
        {sent !== undefined && <Chunks chunks={sent.chunks} />}
        {losses.map(({ feature, count: times, reason }) => (
          <p className="sent-loss" key={feature}>
            <Icon name="leak" />
            <span>
              <b>{featureTitle(feature)}</b>
              {times > 1 && ` ${times.toLocaleString('en')}×`}: no field here. {reason}
            </span>
          </p>
        ))}
      </div>
    </DisclosureCard>
  )
}

/** Of many chunks the first and the last are shown at first. */
const FIRST = 4
const LAST = 3
const STEP = 200

function Chunks({ chunks }: { readonly chunks: readonly SentChunk[] }) {
  const [shown, setShown] = useState(FIRST)
  if (chunks.length === 0) return <p className="sent-none">This wire sends nothing of it.</p>
  const hidden = Math.max(0, chunks.length - shown - LAST)
  const drawn = hidden < 2 ? chunks : [...chunks.slice(0, shown), ...chunks.slice(-LAST)]
  return (
    <ol className="chunks">
      {drawn.map(({ seq, chunk, isLater }, index) => (
        <li key={index} title={isLater ? 'Sent later, with something else' : undefined}>
          {hidden >= 2 && index === shown && (
            <button type="button" className="text-link chunks-more" onClick={() => setShown(shown + STEP)}>
              {hidden.toLocaleString('en')} more chunks
            </button>
          )}
          <code className={isLater ? 'chunk-seq chunk-later' : 'chunk-seq'}>{seqText(seq)}</code>
          <Chunk text={JSON.stringify(chunk)} />
        </li>
      ))}
    </ol>
  )
}

const LONGEST_CHUNK = 20_000

/** One line; a click opens it whole. */
function Chunk({ text }: { readonly text: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = text.slice(0, isOpen ? LONGEST_CHUNK : 400)
  return (
    <button
      type="button"
      className={`chunk${isOpen ? ' chunk-open' : ''}`}
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <code>
        <JsonText text={shown} />
        {isOpen && text.length > shown.length && ` … ${(text.length - shown.length).toLocaleString('en')} more`}
      </code>
    </button>
  )
}
