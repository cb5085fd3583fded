import type { FileState } from '@millrace/core/work'
import { type PointerEvent, useMemo, useState } from 'react'
import { usePositionStore } from '../../position/position-context.ts'
import { type Links, selectionOfCall, useHold } from '../link/use-links.ts'
import { topsOf, Windowed } from '../windowed.tsx'
import { useWork } from '../work-context.ts'
import { EditorRowView } from './editor-row.tsx'
import { type CodeView, type EditorRow, editorRowsOf } from './file-rows.ts'
import { LONGEST_LINE, languageOf } from './line-tokens.ts'

interface EditorProps {
  readonly file: FileState
  /** As a person reads it. */
  readonly path: string
  readonly view: CodeView
  readonly links: Links
}

const LINE = 20
const GAP = 26
const NONE: ReadonlySet<number> = new Set()

/** The lines of a file, or of its changes. */
export function Editor({ file, path, view, links }: EditorProps) {
  const store = usePositionStore()
  const work = useWork()
  const hold = useHold()
  const [opened, setOpened] = useState(NONE)
  const rows = useMemo(() => editorRowsOf(file, view, opened), [file, view, opened])
  const tops = useMemo(() => topsOf(rows.length, (row) => (rows[row]?.kind === 'gap' ? GAP : LINE)), [rows])
  const width = useMemo(() => widthOf(rows, view), [rows, view])
  const onOpen = useMemo(() => (from: number) => setOpened((before) => new Set([...before, from])), [])
  const { currentStep, hoveredStep } = links
  const row = currentStep === undefined ? -1 : rows.findIndex((each) => stepOfRow(each) === currentStep)
  const written = file.versions.findLast(({ step }) => step === currentStep)
  const onPointerOver = (event: PointerEvent) => {
    const step = (event.target as Element).closest('[data-step]')?.getAttribute('data-step')
    const version = file.versions.findLast((each) => String(each.step) === step)
    store.hover(version === undefined ? undefined : selectionOfCall(work, version.runId, version.callId))
  }
  return (
    <div
      className={`editor-body editor-${view}`}
      onPointerOver={onPointerOver}
      onPointerLeave={() => store.hover(undefined)}
    >
      <Windowed
        className="lines"
        label={`${path}, ${labels[view]}`}
        tops={tops}
        width={width}
        reveal={row === -1 ? undefined : { row, key: `${file.path} ${view} ${currentStep} ${written?.seq ?? ''}` }}
        onReaderScroll={hold}
      >
        {(first, end) =>
          rows
            .slice(first, end)
            .map((each, index) => (
              <EditorRowView
                key={first + index}
                row={each}
                path={path}
                language={languageOf(path)}
                currentStep={currentStep}
                hoveredStep={hoveredStep}
                onOpen={onOpen}
              />
            ))
        }
      </Windowed>
    </div>
  )
}

const labels = { code: 'text', diff: 'changes', split: 'changes, side by side' } as const

function stepOfRow(row: EditorRow): number | undefined {
  if (row.kind === 'line') return row.row.step
  return row.kind === 'pair' ? row.right?.step : undefined
}

/** The least width that shows every line: only some of them are drawn. */
function widthOf(rows: readonly EditorRow[], view: CodeView): string {
  const longest = rows.reduce((most, row) => {
    if (row.kind === 'gap') return most
    const texts = row.kind === 'line' ? [row.row.text] : [row.left?.text ?? '', row.right?.text ?? '']
    return texts.reduce((all, text) => Math.max(all, columnsOf(text)), most)
  }, 0)
  const columns = Math.min(longest, LONGEST_LINE) + 2
  return view === 'split' ? `calc(${2 * columns}ch + 160px)` : `calc(${columns}ch + 111px)`
}

const TAB = 4

function columnsOf(text: string): number {
  let tabs = 0
  for (let at = text.indexOf('\t'); at !== -1; at = text.indexOf('\t', at + 1)) tabs++
  return text.length + tabs * (TAB - 1)
}
