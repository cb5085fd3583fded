import type { Command } from '@millrace/core/work'
import { CopyButton } from '@millrace/react'
import { useMemo, useRef, useState } from 'react'
import { usePositionPart } from '../../position/position-context.ts'
import { durationText } from '../../words/numbers.ts'
import { useHold, useLinks } from '../link/use-links.ts'
import { topsOf, Windowed } from '../windowed.tsx'
import { useWork } from '../work-context.ts'
import { heightOfCommand } from './block-height.ts'
import { CommandBlock } from './command-block.tsx'
import { terminalText } from './terminal-text.ts'
import { useHeights } from './use-heights.ts'
import '../../styles/terminal.css'

/** Every command of the agent, one block each, in the order in which they began. */
export function TerminalPane() {
  const { commands, later } = useWork()
  const links = useLinks()
  const hold = useHold()
  const isFollowing = usePositionPart((position) => position.isFollowing)
  const box = useRef<HTMLDivElement>(null)
  const [columns, setColumns] = useState(USUAL_COLUMNS)
  const { heights, measure } = useHeights()
  const tops = useMemo(
    () =>
      topsOf(commands.length, (row) => {
        const command = commands[row] as Command
        return heights.get(keyOf(command)) ?? heightOfCommand(command, columns)
      }),
    [commands, heights, columns],
  )
  if (commands.length === 0)
    return (
      <div className="pane-empty">
        No command was run yet.
        <Later count={later?.commands ?? 0} />
      </div>
    )
  const selected = commands.findIndex(({ callId }) => callId === links.currentCall)
  const end = tops.at(-1) ?? 0
  const reveal = isFollowing
    ? { row: commands.length - 1, key: `end ${end}`, align: 'end' as const }
    : selected === -1
      ? undefined
      : { row: selected, key: keyOf(commands[selected] as Command) }
  const onWidth = (width: number) => setColumns(Math.max(20, Math.floor((width - OUTPUT_SIDES) / CHARACTER)))
  return (
    <div className="terminal-pane" ref={box}>
      <Windowed
        className="terminal"
        label="Commands"
        tops={tops}
        reveal={reveal}
        onReaderScroll={hold}
        onWidth={onWidth}
      >
        {(first, last) =>
          commands
            .slice(first, last)
            .map((command) => (
              <CommandBlock
                key={keyOf(command)}
                command={command}
                isLinked={command.callId === links.selectedCall}
                isHovered={command.callId === links.hoveredCall}
                onHeight={measure(keyOf(command))}
              />
            ))
        }
      </Windowed>
      <Later count={later?.commands ?? 0} />
      <TerminalFoot commands={commands} />
    </div>
  )
}

/** Where the past ends in the terminal. */
function Later({ count }: { readonly count: number }) {
  if (count === 0) return undefined
  return (
    <p className="horizon terminal-horizon">
      {count.toLocaleString('en')} {count === 1 ? 'command' : 'commands'} later
    </p>
  )
}

const USUAL_COLUMNS = 90
/** The width of a character, and of the space at both sides of the output, in pixels. */
const CHARACTER = 7.2
const OUTPUT_SIDES = 52

const keyOf = ({ runId, callId }: Command) => `${runId} ${callId}`

function TerminalFoot({ commands }: { readonly commands: readonly Command[] }) {
  const failed = commands.filter(({ state }) => state === 'failed').length
  const time = commands.reduce((sum, { segment: { startedAt, endedAt } }) => {
    return sum + (endedAt === undefined ? 0 : Math.max(0, endedAt - startedAt))
  }, 0)
  return (
    <footer className="pane-foot terminal-foot">
      <span>
        {commands.length.toLocaleString('en')} {commands.length === 1 ? 'command' : 'commands'}
      </span>
      {failed > 0 && <span className="terminal-failed">{failed} failed</span>}
      {time > 0 && <span>{durationText(time)} of tool time</span>}
      <CopyButton text={terminalText(commands)} label="Copy all" />
    </footer>
  )
}
