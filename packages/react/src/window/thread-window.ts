import type { RefObject } from 'react'
import { flushSync } from 'react-dom'
import { createRowHeights } from './row-heights.ts'
import { type Row, rowOfEntry } from './rows.ts'
import { isCovered, PIECE_GAP, planOf, rangeAt, rowAt, TURN_GAP, type WindowPlan, wholePlan } from './window-plan.ts'

/** Threads of so many rows are drawn whole. */
const WHOLE_UP_TO = 100

/** The height of the screen until it is known. */
const USUAL_HEIGHT = 900

/** Where the reader is: a row, and how far its top is below that of the screen. */
interface Anchor {
  readonly id: string
  readonly offset: number
  /** Its index when it was last looked up. */
  readonly index: number
  /** The scroll position that it was read at. */
  readonly scrollTop: number
}

/** Which part of a thread is in the page. It keeps the reader's place whatever changes above it. */
export interface ThreadWindow {
  /** What to draw now. */
  plan(rows: readonly Row[]): WindowPlan
  /** MUST be called with the element of each row that is drawn, and with undefined when it is removed. */
  setElement(id: string, element: HTMLElement | undefined): void
  /** MUST be called after each change of the page. */
  drawn(thread: HTMLElement): void
  /** Calls back when other rows are to be drawn. */
  subscribe(redraw: () => void): () => void
  /** Begins to observe. Returns the function that ends it. MUST be called after the host's own listener of the scrolling. */
  connect(): () => void
  /** Draws the row of an entry, and brings it to the upper third of the screen. False if there is none. */
  reveal(runId: string, seq: number): boolean
  revealRow(index: number): boolean
  /** The rows of the last plan. */
  rows(): readonly Row[]
}

export interface WindowOptions {
  readonly scroller: RefObject<HTMLElement | null>
  /** Whether the end is kept in view. */
  readonly isFollowing: () => boolean
  /** Stops following the end. */
  readonly release: () => void
}

export function createThreadWindow({ scroller, isFollowing, release }: WindowOptions): ThreadWindow {
  const heights = createRowHeights()
  const elements = new Map<string, HTMLElement>()
  let rows: readonly Row[] = []
  let plan: WindowPlan = wholePlan(0)
  let anchor: Anchor | undefined
  let thread: HTMLElement | undefined
  let height = USUAL_HEIGHT
  let isPrinting = false
  const listeners = new Set<() => void>()
  let observer: ResizeObserver | undefined

  /** The top of the screen within the thread. */
  function topOf(offsets: Float64Array): number {
    const index = anchor === undefined || isFollowing() ? -1 : indexOfAnchor(anchor)
    if (index === -1 || anchor === undefined) return (offsets.at(-1) ?? 0) - height
    return (offsets[index] ?? 0) - anchor.offset
  }

  function indexOfAnchor({ id, index }: Anchor): number {
    if (rows[index]?.id === id) return index
    const found = rows.findIndex((row) => row.id === id)
    // Neighbours were joined: the reader stays where they were.
    return found === -1 ? Math.min(index, rows.length - 1) : found
  }

  /** The elements of the rows that are drawn and have a box, in order, with their tops. */
  function boxes(): { readonly index: number; readonly top: number; readonly bottom: number }[] {
    const found = []
    for (let index = plan.first; index <= plan.last; index++) {
      const element = elements.get(rows[index]?.id ?? '')
      if (element === undefined || element.offsetParent === null) continue
      const { top, bottom } = element.getBoundingClientRect()
      found.push({ index, top, bottom })
    }
    return found
  }

  function measure(): void {
    const found = boxes()
    for (const [nth, { index, top, bottom }] of found.entries()) {
      const row = rows[index]
      const next = found[nth + 1]
      if (row === undefined) continue
      heights.measured(row.id, (next?.top ?? bottomOf(row, bottom)) - top)
      for (let hidden = index + 1; hidden < (next?.index ?? 0); hidden++) heights.measured(rows[hidden]?.id ?? '', 0)
    }
  }

  /** Where the row after the last drawn one would begin. */
  function bottomOf({ id, turn, piece }: Row, bottom: number): number {
    if (piece !== turn.pieces.at(-1)) return bottom + PIECE_GAP
    const end = elements.get(id)?.closest('.mr-turn')?.getBoundingClientRect().bottom ?? bottom
    return end + TURN_GAP
  }

  /** Notes where the reader is. */
  function readAnchor(): void {
    const box = scroller.current
    if (box === null || thread === undefined) return
    const { scrollTop } = box
    const top = box.getBoundingClientRect().top
    const found = boxes()
    const at = found.find(({ bottom }) => bottom > top + 1)
    const isInside = at !== undefined && (at.index > plan.first || at.top <= top || plan.first === 0)
    const seen = isInside
      ? { index: at.index, offset: at.top - top }
      : estimated(thread.getBoundingClientRect().top - top)
    const id = rows[seen.index]?.id
    anchor = id === undefined ? undefined : { ...seen, id, scrollTop }
  }

  /** The reader has scrolled to where nothing is drawn. */
  function estimated(threadTop: number): { readonly index: number; readonly offset: number } {
    const offsets = heights.offsets(rows)
    const index = rowAt(offsets, -threadTop)
    return { index, offset: (offsets[index] ?? 0) + threadTop }
  }

  /** Scrolls so that the reader's row is where it was. */
  function keepPlace(): void {
    const box = scroller.current
    if (box === null || isFollowing()) return
    // Something else has scrolled meanwhile.
    if (anchor === undefined || Math.abs(box.scrollTop - anchor.scrollTop) > 1) {
      readAnchor()
      return
    }
    const element = elements.get(rows[indexOfAnchor(anchor)]?.id ?? '')
    if (element === undefined || element.offsetParent === null) return
    const moved = element.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.offset
    if (Math.abs(moved) < 1) return
    box.scrollTop += moved
    anchor = { ...anchor, scrollTop: box.scrollTop }
  }

  function isEnough(): boolean {
    if (plan.first === 0 && plan.last >= rows.length - 1) return true
    const offsets = heights.offsets(rows)
    return isCovered(plan, offsets, topOf(offsets), height)
  }

  function redraw(): void {
    for (const listener of [...listeners]) listener()
  }

  /** Draws at once: a frame without the rows on the screen would be blank. */
  const redrawNow = () => flushSync(redraw)

  /** The row that holds the focus stays in the page: its removal would lose the focus. */
  function focusedRow(): number | undefined {
    const active = typeof document === 'undefined' ? null : document.activeElement
    if (active === null || thread?.contains(active) !== true) return undefined
    const id = [...elements].find(([, element]) => element.contains(active))?.[0]
    const index = id === undefined ? -1 : rows.findIndex((row) => row.id === id)
    return index === -1 ? undefined : index
  }

  function onScroll(): void {
    readAnchor()
    if (!isEnough()) redrawNow()
  }

  function onResize(): void {
    height = scroller.current?.clientHeight || USUAL_HEIGHT
    measure()
    keepPlace()
    if (!isEnough()) redraw()
  }

  function print(isBegun: boolean): void {
    isPrinting = isBegun
    redrawNow()
  }

  function revealRow(index: number): boolean {
    const [row, box] = [rows[index], scroller.current]
    if (row === undefined || box === null) return false
    release()
    anchor = { id: row.id, index, offset: Math.round(height / 3), scrollTop: box.scrollTop }
    redrawNow()
    keepPlace()
    readAnchor()
    if (!isEnough()) redrawNow()
    return true
  }

  return {
    plan(nextRows) {
      rows = nextRows
      if (isPrinting || rows.length <= WHOLE_UP_TO) plan = wholePlan(rows.length)
      else {
        const offsets = heights.offsets(rows)
        const top = topOf(offsets)
        // The same rows stay in the page while they suffice.
        const isEnoughYet = plan.last < rows.length && isCovered(plan, offsets, top, height)
        const { first, last } = isEnoughYet ? plan : rangeAt(offsets, top, height)
        plan = planOf(offsets, first, last, focusedRow())
      }
      return plan
    },
    setElement(id, element) {
      const before = elements.get(id)
      if (before !== undefined) observer?.unobserve(before)
      if (element === undefined) elements.delete(id)
      else {
        elements.set(id, element)
        observer?.observe(element)
      }
    },
    drawn(drawnThread) {
      thread = drawnThread
      if (!isFollowing()) keepPlace()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connect() {
      const box = scroller.current
      if (box === null) return () => {}
      const [beginPrint, endPrint] = [() => print(true), () => print(false)]
      observer = new ResizeObserver(onResize)
      observer.observe(box)
      for (const element of elements.values()) observer.observe(element)
      box.addEventListener('scroll', onScroll, { passive: true })
      addEventListener('beforeprint', beginPrint)
      addEventListener('afterprint', endPrint)
      return () => {
        observer?.disconnect()
        observer = undefined
        box.removeEventListener('scroll', onScroll)
        removeEventListener('beforeprint', beginPrint)
        removeEventListener('afterprint', endPrint)
      }
    },
    reveal: (runId, seq) => revealRow(rowOfEntry(rows, runId, seq)),
    revealRow,
    rows: () => rows,
  }
}
