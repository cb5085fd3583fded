import { writeRecords } from '@millrace/core/lens'
import { useMemo, useSyncExternalStore } from 'react'
import { useApp } from '../../app-context.ts'
import { useCommands } from '../../keys/keys-context.tsx'
import { routeOfPosition } from '../../position/position-address.ts'
import { usePositionPart, usePositionStore } from '../../position/position-context.ts'
import type { Selection } from '../../position/position-store.ts'
import { selectionOf } from '../../position/selected-segment.ts'
import { saveText } from '../../save-text.ts'
import { useWork } from '../work-context.ts'
import { useArrivalsOf } from './arrivals.ts'
import { type LensSubject, lensSubject, pieceBeside, piecesIn, rawBeside, turnOf } from './lens-subject.ts'
import { LensView } from './lens-view.tsx'
import { createRecordPages } from './record-pages.ts'
import { useRunEntries } from './use-run-entries.ts'
import '../../styles/lens.css'
import '../../styles/lens-trace.css'
import '../../styles/lens-adapt.css'
import '../../styles/lens-wires.css'
import '../../styles/lens-foot.css'

/** Where a piece came from, and what every wire sends of it. */
export function LensPane() {
  const work = useWork()
  const selection = usePositionPart((position) => position.selection)
  const isFollowing = usePositionPart((position) => position.isFollowing)
  const subject = lensSubject(work.chatEvents, { isFollowing, ...(selection !== undefined && { selection }) })
  if (subject === undefined)
    return <p className="pane-empty">Choose a piece of the chat to see the records that it came from.</p>
  return <OfRun key={subject.runId} subject={subject} />
}

function OfRun({ subject }: { readonly subject: LensSubject }) {
  const { api, basePath, router } = useApp()
  const work = useWork()
  const store = usePositionStore()
  const { runId, piece, chat } = subject
  const { entries: all, links, length, hasFailed } = useRunEntries(basePath, runId)
  const moment = usePositionPart(({ at }) => (at?.runId === runId ? at.seq : undefined))
  // What is later than the moment is not drawn.
  const entries = useMemo(() => (moment === undefined ? all : all.slice(0, moment)), [all, moment])
  const records = useMemo(() => createRecordPages(api, runId), [api, runId])
  useSyncExternalStore(records.subscribe, records.version, records.version)
  const arrivalOf = useArrivalsOf(runId)
  const run = work.runs.find(({ id }) => id === runId)
  const beside = (step: 1 | -1): (() => void) | undefined => {
    if (piece === undefined) {
      const raw = rawBeside(entries, subject.entry ?? 0, step)
      return raw === undefined ? undefined : () => store.select({ runId, seqs: [raw, raw], entry: raw })
    }
    const next = pieceBeside(work.chatEvents, subject, step)
    return next && (() => store.select(selectionOf(next.runId, next.piece)))
  }
  const [previous, next] = [beside(-1), beside(1)]
  useCommands({ 'previous-step': previous ?? (() => true), 'next-step': next ?? (() => true) })
  if (hasFailed) return <p className="pane-empty">The records of this run could not be read.</p>
  const needed = piece?.seqs[1] ?? subject.entry ?? 0
  if (run === undefined || length < Math.min(needed, run.seq))
    return <p className="pane-empty">{`Reading the log… ${length.toLocaleString('en')} entries`}</p>
  const selected = (entry: number | undefined): Selection => ({
    ...(piece === undefined ? { runId, seqs: [entry ?? 0, entry ?? 0] as const } : selectionOf(runId, piece)),
    ...(entry !== undefined && { entry }),
  })
  const step = work.steps.findLast(
    (each) =>
      each.runId === runId && piece !== undefined && each.seqs[0] <= piece.seqs[0] && piece.seqs[0] <= each.seqs[1],
  )
  return (
    <LensView
      subject={subject}
      entries={entries}
      links={links}
      records={records}
      run={run}
      turn={chat && turnOf(work.chatEvents, chat)}
      step={step?.number}
      arrivalOf={arrivalOf}
      onEntry={(seq) => store.select(selected(seq))}
      onHover={(seq) => store.hover(pieceAtEntry(work.chatEvents, runId, seq === undefined ? [] : links.piecesOf(seq)))}
      onReaderScroll={() => {
        if (store.snapshot().isFollowing) store.select(selected(undefined))
      }}
      onPrevious={previous}
      onNext={next}
      onCopyLink={async (entry) => {
        const position = { ...store.snapshot(), pane: 'lens' as const, selection: selected(entry) }
        const last = work.runs.at(-1)?.id
        const address = router.hrefOf(routeOfPosition(run.threadId, position, last))
        await navigator.clipboard.writeText(new URL(address, location.href).href)
      }}
      onSave={async (numbers) => {
        const { text, extension } = writeRecords(run.framing, await records.all(numbers))
        const [first = 0, end = first] = [numbers[0], numbers.at(-1)]
        saveText(`${run.format ?? 'records'}-${runId}-${first + 1}-${end + 1}.${extension}`, text)
      }}
    />
  )
}

/** The selection of the piece that begins with one of these entries. */
function pieceAtEntry(
  chatEvents: Parameters<typeof lensSubject>[0],
  runId: string,
  firsts: readonly number[],
): Selection | undefined {
  const ofRun = chatEvents.filter((each) => each.runId === runId).flatMap(({ segments }) => piecesIn(segments))
  const piece = ofRun.find(({ seqs }) => firsts.includes(seqs[0]))
  return piece === undefined ? undefined : selectionOf(runId, piece)
}
