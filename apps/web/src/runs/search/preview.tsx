import type { FoundText, ThreadDetail } from '@millrace/core/client'
import type { ChatEvent } from '@millrace/core/fold'
import { englishLabels, ThreadView, titleOf } from '@millrace/react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useApp } from '../../app-context.ts'
import { useFoundMarks } from '../../found-marks.tsx'
import { troubleText } from '../../trouble.ts'
import { wordsOf } from './hits.ts'

/** Arrows run through hits faster than threads are read. */
const REST_MS = 120

/** The pieces before and after the one that was found. */
const BESIDE = 1

/** The piece that was found, drawn as in its thread, with its neighbours. */
export function Preview({ hit, onOpen }: { readonly hit: FoundText; readonly onOpen: () => void }) {
  const { basePath } = useApp()
  const { detail, trouble } = useDetail(hit)
  const { threadId, runId, seq } = hit
  const events = useMemo(
    () => (detail === undefined ? [] : piecesAround(detail.chatEvents, runId, seq)),
    [detail, runId, seq],
  )
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (box.current !== null && events.length > 0) return showPiece(box.current, seq)
  }, [events, seq])
  const words = useMemo(() => wordsOf(hit), [hit])
  useFoundMarks(box, words)
  return (
    <aside className="preview" aria-label="Preview">
      <header>
        <h2 className="mr-cut">{titleOf(hit.title, undefined, englishLabels)}</h2>
        <button type="button" className="mr-button button" onClick={onOpen}>
          Open <kbd>↵</kbd>
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <div className="preview-body" ref={box} tabIndex={0}>
        {trouble !== undefined && <p className="runs-note">The preview could not be read. {trouble}</p>}
        <ThreadView key={`${threadId} ${runId} ${seq}`} events={events} isLoaded={false} basePath={basePath} />
      </div>
    </aside>
  )
}

/** A few threads are kept: arrows go back and forth. */
const KEPT = 4
const details = new Map<string, Promise<ThreadDetail>>()

function useDetail({ threadId, runId }: FoundText) {
  const { api } = useApp()
  const [state, setState] = useState<{ readonly detail?: ThreadDetail; readonly trouble?: string }>({})
  useEffect(() => {
    let isLeft = false
    const timer = setTimeout(() => {
      const key = `${threadId} ${runId}`
      const detail = details.get(key) ?? detailWith(runId, (before) => api.thread(threadId, { limit: 20, ...before }))
      details.set(key, detail)
      for (const oldest of [...details.keys()].slice(0, -KEPT)) details.delete(oldest)
      detail.then(
        (read) => !isLeft && setState({ detail: read }),
        (error: unknown) => {
          details.delete(key)
          if (!isLeft) setState({ trouble: troubleText(error) })
        },
      )
    }, REST_MS)
    return () => {
      isLeft = true
      clearTimeout(timer)
    }
  }, [api, threadId, runId])
  return state
}

/** The page of the thread that holds the run: the newest pages are read first. */
async function detailWith(
  runId: string,
  read: (before: { readonly before?: string }) => Promise<ThreadDetail>,
): Promise<ThreadDetail> {
  let detail = await read({})
  while (!detail.runs.some(({ id }) => id === runId) && detail.next !== undefined)
    detail = await read({ before: detail.next })
  return detail
}

/** The message with the entry, cut to the piece that holds it and its neighbours. */
function piecesAround(events: readonly ChatEvent[], runId: string, seq: number): readonly ChatEvent[] {
  const event = events.findLast((each) => each.runId === runId && each.seqs[0] <= seq)
  if (event === undefined) return []
  const index = event.segments.findLastIndex(({ seqs }) => seqs[0] <= seq)
  const segments = event.segments.slice(Math.max(0, index - BESIDE), index + BESIDE + 1)
  const { usage: _usage, steps: _steps, ...rest } = event
  return [{ ...rest, segments }]
}

/** Cards are not nested deeper than this. */
const DEEPEST = 4

/** Opens the cards around the piece, one level a frame, and outlines it. Returns how to stop. */
function showPiece(box: HTMLElement, seq: number): () => void {
  let frame = 0
  const open = (depth: number) => {
    const pieces = [...box.querySelectorAll<HTMLElement>('[data-seqs]')].filter((piece) => holds(piece, seq))
    const closed = pieces.flatMap((piece) => [...piece.querySelectorAll<HTMLElement>(CLOSED)])
    for (const button of closed) button.click()
    if (closed.length > 0 && depth < DEEPEST) frame = requestAnimationFrame(() => open(depth + 1))
    else {
      pieces.at(-1)?.classList.add('preview-hit')
      pieces.at(-1)?.scrollIntoView({ block: 'nearest' })
    }
  }
  open(0)
  return () => cancelAnimationFrame(frame)
}

const CLOSED = ':scope > .mr-card > button[aria-expanded="false"]'

function holds(piece: HTMLElement, seq: number): boolean {
  const [first = Number.NaN, last = Number.NaN] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
  return first <= seq && seq <= last
}
