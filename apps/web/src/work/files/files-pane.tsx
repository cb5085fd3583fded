import type { Artifact } from '@millrace/core/work'
import { bytesText, englishLabels, safeFileLink } from '@millrace/react'
import { useMemo, useState } from 'react'
import { Icon } from '../../icon.tsx'
import { usePositionPart, usePositionStore } from '../../position/position-context.ts'
import { useLinks } from '../link/use-links.ts'
import { AuthorLine } from '../pane-foot.tsx'
import { ViewSwitch } from '../view-switch.tsx'
import { useWork } from '../work-context.ts'
import { hasPreview, Preview, Source, VisitView } from './preview.tsx'
import { Shelf } from './shelf.tsx'
import { itemsOf, lookOf, madeBy, nameOf, type ShelfItem, shownItem, sizeOf, textOf, titleOf } from './shelf-items.ts'
import '../../styles/files.css'
import '../../styles/paper.css'

const views = { preview: 'Preview', source: 'Source' } as const

type View = keyof typeof views

/** What the agent made for a person, and the pages that it visited. */
export function FilesPane() {
  const { artifacts, visits } = useWork()
  const links = useLinks()
  const file = usePositionPart((position) => position.file)
  const isFollowing = usePositionPart((position) => position.isFollowing)
  const [chosen, setChosen] = useState<View>('preview')
  const items = useMemo(() => itemsOf(artifacts, visits), [artifacts, visits])
  const shown = shownItem(items, { file, callId: links.currentCall, isFollowing })
  if (shown === undefined) return <p className="pane-empty">No file was made or visited yet.</p>
  const artifact = shown.kind === 'artifact' ? shown.artifact : undefined
  const look = artifact === undefined ? 'none' : lookOf(artifact)
  const text = artifact === undefined ? undefined : textOf(artifact)
  const view = !hasPreview(look) ? 'source' : text === undefined ? 'preview' : chosen
  return (
    <div className="files-pane">
      <Shelf items={items} shown={shown} />
      <section className="file-view" aria-label={nameOf(shown)}>
        <header className="file-head">
          <ItemPicker items={items} shown={shown} />
          <span className="file-name mr-cut" title={titleOf(shown)}>
            {nameOf(shown)}
          </span>
          {artifact !== undefined && <Size artifact={artifact} />}
          {hasPreview(look) && text !== undefined && (
            <ViewSwitch label="View of the file" views={views} value={view} onChoose={setChosen} />
          )}
          {artifact !== undefined && <Download artifact={artifact} />}
        </header>
        <div className="file-body">
          {shown.kind === 'visit' ? (
            <VisitView visit={shown.visit} />
          ) : view === 'preview' ? (
            <Preview artifact={shown.artifact} look={look} />
          ) : text !== undefined ? (
            <Source text={text} name={shown.artifact.name} />
          ) : (
            <p className="pane-empty">Nothing shows a file of this type ({shown.artifact.mediaType}).</p>
          )}
        </div>
        <Author item={shown} />
      </section>
    </div>
  )
}

function Size({ artifact }: { readonly artifact: Artifact }) {
  const size = sizeOf(artifact)
  return size === undefined ? null : <span className="file-size">{bytesText(size, englishLabels)}</span>
}

/** The shelf where it has no room. */
function ItemPicker({ items, shown }: { readonly items: readonly ShelfItem[]; readonly shown: ShelfItem }) {
  const store = usePositionStore()
  return (
    <select
      className="file-picker"
      aria-label="File"
      value={shown.id}
      onChange={({ target }) => store.openFile(target.value)}
    >
      {items.map((item) => (
        <option key={`${item.kind} ${item.id}`} value={item.id}>
          {nameOf(item)}
        </option>
      ))}
    </select>
  )
}

/** Saves the file. Its address exists only for the moment of the click: a page at it would be one of this server. */
function Download({ artifact }: { readonly artifact: Artifact }) {
  const { basePath } = useWork()
  const { name, text, bytes, url } = artifact
  const address = safeFileLink(url)
  if (text === undefined && bytes === undefined && address === undefined) return null
  const onClick = () => {
    const link = document.createElement('a')
    const blob = text !== undefined ? new Blob([text]) : bytes !== undefined ? new Blob([bytesIn(bytes)]) : undefined
    link.href = blob === undefined ? `${address?.startsWith('/') ? basePath : ''}${address}` : URL.createObjectURL(blob)
    link.download = name
    link.rel = 'noreferrer noopener'
    if (blob === undefined) link.target = '_blank'
    link.click()
    if (blob !== undefined) URL.revokeObjectURL(link.href)
  }
  return (
    <button type="button" className="icon-button" aria-label={`Download ${name}`} title="Download" onClick={onClick}>
      <Icon name="import" />
    </button>
  )
}

const bytesIn = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

function Author({ item }: { readonly item: ShelfItem }) {
  const { runId, seqs, callId, step } = madeBy(item)
  const artifact = item.kind === 'artifact' ? item.artifact : undefined
  const by = {
    ...{ runId, callId: callId ?? '', seq: seqs[1] },
    ...(step !== undefined && { step }),
    ...(artifact?.toolName !== undefined && { toolName: artifact.toolName }),
    ...(artifact?.endedAt !== undefined && { endedAt: artifact.endedAt }),
  }
  return (
    <AuthorLine verb={item.kind === 'visit' ? 'Visited' : artifact?.text === undefined ? 'Sent' : 'Written'} by={by} />
  )
}
