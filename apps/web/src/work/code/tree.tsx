import type { Command, FileState } from '@millrace/core/work'
import { type KeyboardEvent, useState } from 'react'
import { Icon } from '../../icon.tsx'
import { usePositionStore } from '../../position/position-context.ts'
import { type Links, selectionOfCall } from '../link/use-links.ts'
import { useWork } from '../work-context.ts'
import { type FileTree, filesIn, type TreeFile } from './file-tree.ts'
import { isOfCall } from './subject.ts'

interface TreeProps {
  readonly tree: FileTree
  readonly cells: readonly Command[]
  /** Files that are written later than what is shown. */
  readonly later: readonly FileState[]
  /** The path of the shown file, or the call of the shown cell. */
  readonly shown: string | undefined
  readonly links: Links
}

/** What the agent changed, ran and read. */
export function Tree({ tree, cells, later, shown, links }: TreeProps) {
  const { changed, read, added, removed } = tree
  return (
    <nav className="tree" aria-label="Files" onKeyDown={moveFocus}>
      {changed.length > 0 && (
        <section>
          <h3>
            Changed
            <span className="tree-counts">
              <span className="mr-added">+{added}</span> <span className="mr-removed">−{removed}</span>
            </span>
          </h3>
          <Folders folders={changed} shown={shown} links={links} isOpenAtFirst />
        </section>
      )}
      {cells.length > 0 && (
        <section>
          <h3>
            Ran<span className="tree-counts">{cells.length}</span>
          </h3>
          {cells.map((cell, index) => (
            <CellLeaf key={`${cell.runId}-${cell.callId}`} cell={cell} number={index + 1} shown={shown} links={links} />
          ))}
        </section>
      )}
      {read.length > 0 && (
        <section>
          <h3>
            Read<span className="tree-counts">{filesIn(read).length}</span>
          </h3>
          <Folders folders={read} shown={shown} links={links} isOpenAtFirst={false} />
        </section>
      )}
      {later.length > 0 && <LaterFiles files={later} />}
    </nav>
  )
}

/** Not there yet: named, so that nobody looks for them in vain. */
function LaterFiles({ files }: { readonly files: readonly FileState[] }) {
  return (
    <section>
      <h3>
        Later<span className="tree-counts">{files.length}</span>
      </h3>
      {files.map(({ path, status }) => (
        <p key={path} className="leaf leaf-later" title={`${path}: ${letters[status][1]} later`}>
          <Icon name="file" />
          <span className="mr-cut">{path.slice(path.lastIndexOf('/') + 1)}</span>
          <span className="leaf-status" aria-hidden="true">
            {letters[status][0]}
          </span>
        </p>
      ))}
    </section>
  )
}

interface FoldersProps extends Pick<TreeProps, 'shown' | 'links'> {
  readonly folders: FileTree['changed']
  readonly isOpenAtFirst: boolean
}

function Folders({ folders, shown, links, isOpenAtFirst }: FoldersProps) {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const toggle = (path: string) =>
    setToggled((before) => new Set(before.has(path) ? [...before].filter((each) => each !== path) : [...before, path]))
  return folders.map(({ path, files }) => {
    const isOpen = path === '' || toggled.has(path) !== isOpenAtFirst
    return (
      <div key={path} className="tree-folder">
        {path !== '' && (
          <button type="button" className="leaf leaf-folder" aria-expanded={isOpen} onClick={() => toggle(path)}>
            <Icon name="right" />
            <span className="mr-cut">{path}</span>
          </button>
        )}
        {isOpen && files.map((each) => <FileLeaf key={each.file.path} file={each} shown={shown} links={links} />)}
      </div>
    )
  })
}

const letters: { readonly [Status in FileState['status']]: readonly [letter: string, words: string] } = {
  added: ['A', 'added'],
  written: ['A', 'written; nothing says whether it was there before'],
  modified: ['M', 'modified'],
  deleted: ['D', 'deleted'],
  moved: ['R', 'renamed'],
  read: ['', 'read'],
}

interface FileLeafProps extends Pick<TreeProps, 'shown' | 'links'> {
  readonly file: TreeFile
}

function FileLeaf({ file: { file, path, name }, shown, links }: FileLeafProps) {
  const store = usePositionStore()
  const work = useWork()
  const [letter, words] = letters[file.status]
  const isHovered = links.hoveredCall !== undefined && isOfCall(file, links.hoveredCall)
  const { runId, callId } = file.versions.at(-1) ?? file.last
  return (
    <button
      type="button"
      className={`leaf${path === name ? '' : ' leaf-inside'}${isHovered ? ' leaf-hovered' : ''}`}
      aria-current={shown === file.path ? 'true' : undefined}
      title={`${file.path}: ${words}`}
      onClick={() => store.openFile(file.path)}
      onPointerEnter={() => store.hover(selectionOfCall(work, runId, callId))}
      onPointerLeave={() => store.hover(undefined)}
    >
      <Icon name="file" />
      <span className="mr-cut">{name}</span>
      {letter !== '' && (
        <span className={`leaf-status leaf-${letter}`}>
          <span aria-hidden="true">{letter}</span>
          <span className="unseen">, {words}</span>
        </span>
      )}
    </button>
  )
}

interface CellLeafProps extends Pick<TreeProps, 'shown' | 'links'> {
  readonly cell: Command
  readonly number: number
}

function CellLeaf({ cell: { runId, callId }, number, shown, links }: CellLeafProps) {
  const store = usePositionStore()
  const work = useWork()
  const selection = selectionOfCall(work, runId, callId)
  return (
    <button
      type="button"
      className={`leaf leaf-cell${links.hoveredCall === callId ? ' leaf-hovered' : ''}`}
      aria-current={shown === callId ? 'true' : undefined}
      onClick={() => store.select(selection)}
      onPointerEnter={() => store.hover(selection)}
      onPointerLeave={() => store.hover(undefined)}
    >
      <Icon name="code" />
      <span className="mr-cut">cell {number} · python</span>
    </button>
  )
}

/** The arrows move the focus between the rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (step === undefined) return
  const leaves = [...event.currentTarget.querySelectorAll<HTMLElement>('.leaf')]
  const at = leaves.indexOf(document.activeElement as HTMLElement)
  leaves[at + step]?.focus()
  event.preventDefault()
}
