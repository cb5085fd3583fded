import type { ThreadInfo } from '@millrace/core/client'
import { englishLabels, isComposing, Modal, titleOf, useStore } from '@millrace/react'
import { Fragment, type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { KeyCaps } from '../keys/key-caps.tsx'
import { useKeys } from '../keys/keys-context.tsx'
import {
  entriesOfAgents,
  entriesOfCommands,
  entriesOfThreads,
  groupsOf,
  type PaletteEntry,
  type PaletteGroup,
} from './palette-entries.ts'
import '../styles/palette.css'

/** Finds commands, threads and agents by some of their letters. Arrows choose one, Enter does it. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal className="palette" label={{ text: 'Commands and threads' }} onClose={onClose}>
      {(close) => <PaletteInside close={close} />}
    </Modal>
  )
}

function PaletteInside({ close }: { readonly close: () => void }) {
  const [query, setQuery] = useState('')
  const [active, setActive] = useState<string>()
  const groups = useGroups(query)
  const listId = useId()
  const options = groups.flatMap(({ entries }) => entries)
  const index = Math.max(
    0,
    options.findIndex(({ id }) => id === active),
  )
  const current = options[index]
  const list = useRef<HTMLDivElement>(null)
  const idOf = ({ id }: PaletteEntry) => `${listId}-${id}`

  const moveTo = (next: PaletteEntry | undefined) => {
    if (next === undefined) return
    setActive(next.id)
    document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
  }
  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return
    // The focus is back where it was: a command may act on what has it.
    close()
    entry.choose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return
    const count = options.length
    const moves: { readonly [key: string]: () => void } = {
      ArrowDown: () => moveTo(options[(index + 1) % count]),
      ArrowUp: () => moveTo(options[(index - 1 + count) % count]),
      Enter: () => choose(current),
    }
    const isAgain = (event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k'
    const act = isAgain ? close : moves[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <div className="palette-inside">
      <div className="palette-field">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Command or thread"
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={current === undefined ? undefined : idOf(current)}
          placeholder="Do anything, open any thread"
          value={query}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to write in it
          autoFocus
          onChange={({ target }) => {
            setQuery(target.value)
            setActive(undefined)
            list.current?.scrollTo(0, 0)
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>esc</kbd>
      </div>
      <div ref={list} id={listId} className="palette-list" role="listbox" aria-label="What was found" tabIndex={-1}>
        {groups.map((group) => (
          <Group key={group.title} group={group} current={current?.id} idOf={idOf} onChoose={choose} />
        ))}
      </div>
      <p className="palette-count" role="status">
        {options.length === 0
          ? `Nothing is called “${query.trim()}”.`
          : query.trim() !== '' && `${options.length} found`}
      </p>
    </div>
  )
}

interface GroupProps {
  readonly group: PaletteGroup
  readonly current: string | undefined
  readonly idOf: (entry: PaletteEntry) => string
  readonly onChoose: (entry: PaletteEntry) => void
}

function Group({ group: { title, entries }, current, idOf, onChoose }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a part of the list of options
    <div role="group" aria-label={title}>
      <p className="palette-title" aria-hidden="true">
        {title}
      </p>
      {entries.map((entry) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={entry.id}
          id={idOf(entry)}
          className="palette-entry"
          role="option"
          tabIndex={-1}
          aria-selected={entry.id === current}
          onClick={() => onChoose(entry)}
        >
          <Icon name={entry.icon} />
          <span className="mr-cut">
            <Marked text={entry.words} marks={entry.marks} />
          </span>
          {entry.note !== undefined && <span className="palette-note">{entry.note}</span>}
          {entry.keys !== undefined && entry.keys.length > 0 && <KeyCaps keys={entry.keys.slice(0, 1)} />}
        </div>
      ))}
    </div>
  )
}

/** Characters beside each other are marked as one. */
function Marked({ text, marks }: { readonly text: string; readonly marks: readonly number[] }) {
  const starts = marks.filter((mark, index) => marks[index - 1] !== mark - 1)
  const ends = marks.filter((mark, index) => marks[index + 1] !== mark + 1).map((mark) => mark + 1)
  return (
    <>
      {starts.map((start, index) => (
        <Fragment key={start}>
          {text.slice(ends[index - 1] ?? 0, start)}
          <mark>{text.slice(start, ends[index])}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1) ?? 0)}
    </>
  )
}

function useGroups(query: string): readonly PaletteGroup[] {
  const { router, threadList, agents = [] } = useApp()
  const { keys, available } = useKeys()
  const { threads } = useStore(threadList)
  const found = useFoundThreads(query)
  return useMemo(() => {
    const listed = threads.map(({ id, title, source }) => ({ id, title: titleOf(title, source.format, englishLabels) }))
    const listedIds = new Set(listed.map(({ id }) => id))
    const others = found.filter(({ id }) => !listedIds.has(id))
    return groupsOf(query, [
      { title: 'Commands', entries: entriesOfCommands(available, keys.run) },
      {
        title: 'Threads',
        entries: entriesOfThreads([...listed, ...others], (threadId) => router.go({ name: 'thread', threadId })),
      },
      { title: 'Agents', entries: entriesOfAgents(agents, (agent) => router.go({ name: 'start', agent })) },
    ])
  }, [query, available, keys, threads, found, agents, router])
}

/** How long typing must pause before the server is asked. */
const SETTLE_MS = 120
const MOST_FOUND = 30

/** The threads of the server whose title or text has the query: those that the rail has not loaded are found, too. */
function useFoundThreads(query: string): readonly Pick<ThreadInfo, 'id' | 'title'>[] {
  const { api } = useApp()
  const [found, setFound] = useState<readonly Pick<ThreadInfo, 'id' | 'title'>[]>([])
  const search = query.trim()
  useEffect(() => {
    if (search === '') return
    let isLatest = true
    const ask = () =>
      api.threads({ search, limit: MOST_FOUND }).then(
        ({ threads }) => isLatest && setFound(threads),
        // What the rail has is still found.
        () => undefined,
      )
    const timer = setTimeout(ask, SETTLE_MS)
    return () => {
      isLatest = false
      clearTimeout(timer)
    }
  }, [api, search])
  return found
}
