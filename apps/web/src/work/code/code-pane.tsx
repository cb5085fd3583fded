import type { Command, FileState } from '@millrace/core/work'
import { type ReactNode, useMemo, useState } from 'react'
import { useCommands } from '../../keys/keys-context.tsx'
import { usePositionPart, usePositionStore } from '../../position/position-context.ts'
import { useLinks } from '../link/use-links.ts'
import { AuthorLine } from '../pane-foot.tsx'
import { ViewSwitch } from '../view-switch.tsx'
import { useWork } from '../work-context.ts'
import { CellView } from './cell-view.tsx'
import { Editor } from './editor.tsx'
import type { CodeView } from './file-rows.ts'
import { countsOfFile, filesIn, treeOf } from './file-tree.ts'
import { type Subject, subjectOf } from './subject.ts'
import { Tree } from './tree.tsx'
import '../../styles/code.css'
import '../../styles/lines.css'

const views: { readonly [View in CodeView]: string } = { code: 'Code', diff: 'Diff', split: 'Split' }

/** The files that the agent changed and read, and the cells that it ran. */
export function CodePane() {
  const { files, commands, later } = useWork()
  const store = usePositionStore()
  const links = useLinks()
  const file = usePositionPart((position) => position.file)
  const [chosen, setChosen] = useState<CodeView>()
  const tree = useMemo(() => treeOf(files), [files])
  const cells = useMemo(() => commands.filter(({ prompt, text }) => prompt === 'py' && text !== ''), [commands])
  const subject = subjectOf(tree, cells, { file, callId: links.currentCall })
  const usual = subject?.kind === 'file' && subject.file.versions.length > 0 ? 'diff' : 'code'
  const view = usual === 'code' ? 'code' : (chosen ?? usual)
  useCommands({ 'code-view': usual === 'code' ? undefined : () => setChosen(view === 'code' ? 'diff' : 'code') })
  if (subject === undefined) return <p className="pane-empty">No file was read or written yet.</p>
  return (
    <div className="code-pane">
      <Tree tree={tree} cells={cells} later={later?.files ?? []} shown={keyOf(subject)} links={links} />
      <section className="editor" aria-label={titleOf(subject)}>
        <header className="editor-head">
          <FilePicker
            files={[...filesIn(tree.changed), ...filesIn(tree.read)]}
            subject={subject}
            onOpen={store.openFile}
          />
          <span className="editor-path mr-cut" title={titleOf(subject)}>
            {titleOf(subject)}
          </span>
          {subject.kind === 'file' && <Counts file={subject.file} />}
          {usual === 'diff' && <ViewSwitch label="View of the file" views={views} value={view} onChoose={setChosen} />}
        </header>
        {subject.kind === 'cell' ? (
          <CellView cell={subject.cell} />
        ) : (
          <FileBody subject={subject} view={view} links={links} />
        )}
        <Author subject={subject} step={links.currentStep} />
      </section>
    </div>
  )
}

const keyOf = (subject: Subject) => (subject.kind === 'file' ? subject.file.path : subject.cell.callId)
const titleOf = (subject: Subject) => (subject.kind === 'file' ? subject.path : `cell ${subject.number} · python`)

interface FileBodyProps extends Pick<Parameters<typeof Editor>[0], 'view' | 'links'> {
  readonly subject: Extract<Subject, { kind: 'file' }>
}

function FileBody({ subject: { file, path }, view, links }: FileBodyProps): ReactNode {
  const note = noteOf(file, view)
  return note === undefined ? (
    <Editor key={file.path} file={file} path={path} view={view} links={links} />
  ) : (
    <p className="pane-empty">{note}</p>
  )
}

/** Why there is nothing to draw. */
function noteOf({ now, versions }: FileState, view: CodeView): string | undefined {
  if (now === 'absent' && view === 'code') return 'The file was deleted.'
  if (typeof now === 'object') return view === 'code' && now.text === '' ? 'The file is empty.' : undefined
  if (view === 'code')
    return versions.length === 0
      ? 'The agent read this file, but its stream does not hold the text.'
      : 'The whole text is not known: the stream holds only what was changed.'
  const isShown = versions.some(({ shows }) => shows !== 'nothing')
  return isShown ? undefined : 'The stream says that the file was changed, and not how.'
}

function Counts({ file }: { readonly file: FileState }) {
  const { added, removed } = countsOfFile(file)
  if (file.versions.length === 0) return undefined
  return (
    <span className="editor-counts">
      <span className="mr-added">+{added.toLocaleString('en')}</span>{' '}
      <span className="mr-removed">−{removed.toLocaleString('en')}</span>
    </span>
  )
}

interface FilePickerProps {
  readonly files: readonly { readonly file: FileState; readonly path: string }[]
  readonly subject: Subject
  readonly onOpen: (path: string) => void
}

/** The files in place of the tree, which has no room in narrow panes. */
function FilePicker({ files, subject, onOpen }: FilePickerProps) {
  return (
    <select
      className="editor-picker"
      aria-label="File"
      value={subject.kind === 'file' ? subject.file.path : ''}
      onChange={({ target }) => onOpen(target.value)}
    >
      {subject.kind === 'cell' && <option value="">{titleOf(subject)}</option>}
      {files.map(({ file, path }) => (
        <option key={file.path} value={file.path}>
          {path}
        </option>
      ))}
    </select>
  )
}

const verbs = {
  added: 'Written',
  written: 'Written',
  modified: 'Written',
  moved: 'Moved',
  deleted: 'Deleted',
  read: 'Read',
}

/** The author of the step that is shown, else the last one. */
function Author({ subject, step }: { readonly subject: Subject; readonly step: number | undefined }) {
  if (subject.kind === 'cell') return <AuthorLine verb="Run" by={authorOfCell(subject.cell)} />
  const { versions, last, status } = subject.file
  const version = versions.findLast((each) => each.step === step) ?? versions.at(-1)
  return <AuthorLine verb={verbs[status]} by={version ?? last} />
}

function authorOfCell({ runId, callId, step, agentName, segment }: Command) {
  const { seqs, name, endedAt } = segment
  return {
    ...{ runId, callId, step, seq: seqs[1], toolName: name },
    ...(agentName !== undefined && { agentName }),
    ...(endedAt !== undefined && { endedAt }),
  }
}
