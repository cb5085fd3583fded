import { type Command, linesOf } from '@millrace/core/work'
import { useMemo } from 'react'
import { useHold } from '../link/use-links.ts'
import { topsOf, Windowed } from '../windowed.tsx'
import { EditorRowView } from './editor-row.tsx'

const LINE = 20
const ignore = () => undefined

/** The code of a cell. What it wrote is in the terminal. */
export function CellView({ cell }: { readonly cell: Command }) {
  const hold = useHold()
  const lines = useMemo(() => linesOf(cell.text), [cell.text])
  const tops = useMemo(() => topsOf(lines.length, () => LINE), [lines])
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0)
  return (
    <div className="editor-body editor-code">
      <Windowed
        className="lines"
        label="Code of the cell"
        tops={tops}
        width={`calc(${longest + 2}ch + 111px)`}
        onReaderScroll={hold}
      >
        {(first, end) =>
          lines
            .slice(first, end)
            .map((text, index) => (
              <EditorRowView
                key={first + index}
                row={{ kind: 'line', row: { sign: ' ', text, after: first + index + 1 }, startsBlock: false }}
                path=""
                language="py"
                currentStep={undefined}
                hoveredStep={undefined}
                onOpen={ignore}
              />
            ))
        }
      </Windowed>
    </div>
  )
}
