import { bytesText, englishLabels } from '@millrace/react'
import { Icon } from '../../icon.tsx'
import { usePositionStore } from '../../position/position-context.ts'
import { countText } from '../../words/numbers.ts'
import { selectionOfCall } from '../link/use-links.ts'
import { useWork } from '../work-context.ts'
import { glyphOf, imageUrl, madeBy, nameOf, type ShelfItem, sizeOf, titleOf } from './shelf-items.ts'

interface ShelfProps {
  readonly items: readonly ShelfItem[]
  readonly shown: ShelfItem
}

/** What there is: what the agent made, and the pages that it visited. */
export function Shelf({ items, shown }: ShelfProps) {
  const groups = [
    ['Artifacts', items.filter(({ kind }) => kind === 'artifact')],
    ['Visited', items.filter(({ kind }) => kind === 'visit')],
  ] as const
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused
    <nav className="shelf" aria-label="Files" tabIndex={0}>
      {groups.map(
        ([title, group]) =>
          group.length > 0 && (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              {group.map((item) => (
                <ShelfButton key={`${item.kind} ${item.id}`} item={item} isShown={item.id === shown.id} />
              ))}
            </section>
          ),
      )}
    </nav>
  )
}

function ShelfButton({ item, isShown }: { readonly item: ShelfItem; readonly isShown: boolean }) {
  const work = useWork()
  const store = usePositionStore()
  const { runId, callId, seqs } = madeBy(item)
  const made = callId === undefined ? undefined : selectionOfCall(work, runId, callId)
  const selection = made ?? { runId, seqs }
  const image = item.kind === 'artifact' ? imageUrl(item.artifact) : undefined
  return (
    <button
      type="button"
      className="shelf-item"
      aria-current={isShown ? 'true' : undefined}
      title={titleOf(item)}
      onClick={() => {
        store.select(selection)
        store.openFile(item.id)
      }}
      onPointerEnter={() => store.hover(selection)}
      onPointerLeave={() => store.hover(undefined)}
    >
      <span className={image === undefined ? 'shelf-thumb' : 'shelf-thumb is-image'}>
        {image === undefined ? <Icon name={glyphOf(item)} /> : <img src={image} alt="" loading="lazy" />}
      </span>
      <b className="mr-cut">{nameOf(item)}</b>
      <span className="mr-cut">{factsOf(item)}</span>
    </button>
  )
}

/** `step 1 · 14 KB · html`. */
function factsOf(item: ShelfItem): string {
  const { step } = madeBy(item)
  const facts = [step !== undefined && `step ${step}`]
  if (item.kind === 'visit') {
    const { characters } = item.visit
    return [...facts, characters === undefined ? 'not read' : `${countText(characters)} characters`]
      .filter(Boolean)
      .join(' · ')
  }
  const size = sizeOf(item.artifact)
  const type = item.artifact.mediaType
    .split(/[/;]/)[1]
    ?.replace(/^(?:x-|svg\+xml)/, (name) => (name === 'x-' ? '' : 'svg'))
  return [...facts, size !== undefined && bytesText(size, englishLabels), type].filter(Boolean).join(' · ')
}
