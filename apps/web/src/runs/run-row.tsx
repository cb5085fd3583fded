import type { ListedThread } from '@millrace/core/client'
import { englishLabels, momentText, StateGlyph, summaryOf, titleOf } from '@millrace/react'
import type { ReactNode } from 'react'
import { useApp } from '../app-context.ts'
import { GridPart } from '../grid-part.tsx'
import { Icon } from '../icon.tsx'
import { Menu } from '../menu.tsx'
import { Link } from '../navigation.tsx'
import { costText, countText, durationText } from '../words/numbers.ts'
import { durationOf, factOf } from './run-rows.ts'

interface RunRowProps {
  readonly thread: ListedThread
  readonly top: number
  readonly rowIndex: number
  readonly now: number
  /** The longest duration that is shown: what a full bar is. */
  readonly longest: number
  readonly isActive: boolean
  readonly isSelected: boolean
  readonly onFocus: (threadId: string) => void
  readonly onSelect: (isRange: boolean) => void
  readonly onExport: (threads: readonly ListedThread[]) => void
  readonly onRename: (thread: ListedThread) => void
  readonly onDelete: (threads: readonly ListedThread[]) => void
}

export function RunRow(props: RunRowProps) {
  const { thread, top, rowIndex, now, longest, isActive, isSelected, onFocus, onSelect } = props
  const { agents = [] } = useApp()
  const { state, title, source } = summaryOf(thread)
  const { steps, tools, errors, usage } = thread.lastRun?.digest ?? {}
  const name = titleOf(title, source.format, englishLabels)
  const duration = durationOf(thread, now)
  const tokens = usage === undefined ? undefined : (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
  const updatedAt = thread.updatedAt ?? 0
  const tabIndex = isActive ? 0 : -1
  return (
    <GridPart
      role="row"
      className="run-line run-row"
      aria-rowindex={rowIndex}
      aria-selected={isSelected}
      tabIndex={tabIndex}
      style={{ top }}
      onFocus={() => onFocus(thread.id)}
    >
      <Cell className="run-check">
        <input
          type="checkbox"
          aria-label={`Select ${name}`}
          tabIndex={tabIndex}
          checked={isSelected}
          onChange={({ nativeEvent }) => onSelect((nativeEvent as PointerEvent).shiftKey === true)}
        />
      </Cell>
      <Cell className="run-name">
        <StateGlyph state={state} />
        <Link to={{ name: 'thread', threadId: thread.id }} className="mr-cut" tabIndex={tabIndex}>
          {name}
        </Link>
        <span className="run-fact mr-cut">
          <span className="mr-unseen">{englishLabels.threadStatus[state]}. </span>
          {factOf(thread, agents)}
        </span>
      </Cell>
      <Cell>{steps ?? NOTHING}</Cell>
      <Cell>{tools ?? NOTHING}</Cell>
      <Cell className={errors !== undefined && errors > 0 ? 'run-errors' : 'run-quiet'}>{errors ?? NOTHING}</Cell>
      <Cell className="run-duration">
        {duration === undefined ? NOTHING : durationText(duration)}
        {duration !== undefined && <span className="run-bar" style={{ '--part': duration / longest } as object} />}
      </Cell>
      <Cell>{tokens === undefined ? NOTHING : countText(tokens)}</Cell>
      <Cell className="run-cost">{usage?.costUsd === undefined ? NOTHING : costText(usage.costUsd)}</Cell>
      <Cell className="run-when">
        <time dateTime={new Date(updatedAt).toISOString()}>{momentText(updatedAt, now, englishLabels)}</time>
        <RowMenu {...props} name={name} tabIndex={tabIndex} />
      </Cell>
    </GridPart>
  )
}

const NOTHING = <span className="run-quiet">–</span>

const Cell = (props: { readonly className?: string; readonly children: ReactNode }) => (
  <GridPart role="gridcell" {...props} />
)

interface RowMenuProps extends RunRowProps {
  readonly name: string
  readonly tabIndex: number
}

function RowMenu({ thread, name, tabIndex, isSelected, onSelect, onExport, onRename, onDelete }: RowMenuProps) {
  const { router } = useApp()
  const copyLink = () => {
    const address = new URL(router.hrefOf({ name: 'thread', threadId: thread.id }), location.href).href
    // Without a clipboard nothing is copied: the title is a link, too.
    void navigator.clipboard?.writeText(address).catch(() => undefined)
  }
  const items = [
    { label: isSelected ? 'Unselect' : 'Select', icon: 'check' as const, onChoose: () => onSelect(false) },
    { label: 'Rename', icon: 'pencil' as const, onChoose: () => onRename(thread) },
    { label: 'Copy link', icon: 'link' as const, onChoose: copyLink },
    { label: 'Export as chat events', icon: 'export' as const, onChoose: () => onExport([thread]) },
    { label: 'Delete', icon: 'trash' as const, isDangerous: true, onChoose: () => onDelete([thread]) },
  ]
  return (
    <Menu label={`Actions for ${name}`} className="icon-button run-menu" items={items} tabIndex={tabIndex}>
      <Icon name="dots" />
    </Menu>
  )
}
