import type { AgentInfo } from '@millrace/core/client'
import type { ThreadSummary } from '@millrace/react'
import type { Icon } from '../icon.tsx'
import { type CommandName, commandOf, regions } from '../keys/commands.ts'
import { type Match, matchOf } from './fuzzy.ts'

type IconName = Parameters<typeof Icon>[0]['name']

/** Something that the palette can do. */
export interface PaletteEntry {
  readonly id: string
  readonly icon: IconName
  readonly words: string
  /** Where it acts, or what is known of it. */
  readonly note?: string
  readonly keys?: readonly string[]
  readonly choose: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly entries: readonly (PaletteEntry & Match)[]
}

/** The icons of the app, where a command has one. */
const icons: { readonly [Name in CommandName]?: IconName } = {
  search: 'search',
  'keys-list': 'keys',
  rail: 'rail',
  panes: 'panes',
  stop: 'slash',
  compose: 'pencil',
  'new-thread': 'pencil',
  runs: 'runs',
  agents: 'plug',
  import: 'import',
  theme: 'sun',
  notifications: 'bell',
  'sign-out': 'sign-out',
  'copy-link': 'link',
  latest: 'arrow-down',
  question: 'ask',
  rename: 'pencil',
  'copy-thread-link': 'link',
  export: 'export',
  delete: 'trash',
  verify: 'shield',
  continue: 'play',
  follow: 'pin',
}

/** Commands that have a key of their own, and mean nothing while the palette is open. */
const OWN: readonly CommandName[] = ['palette']

export function entriesOfCommands(
  available: readonly CommandName[],
  run: (name: CommandName) => unknown,
): readonly PaletteEntry[] {
  return available
    .filter((name) => !OWN.includes(name) && commandOf(name).isKeyOnly !== true)
    .map((name) => {
      const { words, where, keys } = commandOf(name)
      const note = where === 'anywhere' ? {} : { note: regions[where] }
      return { id: name, icon: icons[name] ?? 'bolt', words, ...note, keys, choose: () => void run(name) }
    })
}

export function entriesOfThreads(
  threads: readonly Pick<ThreadSummary, 'id' | 'title'>[],
  open: (threadId: string) => void,
): readonly PaletteEntry[] {
  return threads.map(({ id, title }) => ({
    id: `thread ${id}`,
    icon: 'bubble',
    words: title,
    choose: () => open(id),
  }))
}

export function entriesOfAgents(agents: readonly AgentInfo[], choose: (name: string) => void): readonly PaletteEntry[] {
  return agents.map(({ name, title, unavailable }) => ({
    id: `agent ${name}`,
    icon: 'plug',
    words: `New thread with ${title}`,
    ...(unavailable !== undefined && { note: 'not available' }),
    choose: () => choose(name),
  }))
}

/** Without a query, as many of a group are shown. */
const FIRST = 8
const MOST = 50

/** The groups with what matches, best first; a group whose best is better comes first. */
export function groupsOf(
  query: string,
  groups: readonly { readonly title: string; readonly entries: readonly PaletteEntry[] }[],
): readonly PaletteGroup[] {
  const isAsked = query.trim() !== ''
  const found = groups.map(({ title, entries }) => {
    const matching = entries.flatMap((entry) => {
      const match = matchOf(query, entry.words)
      return match === undefined ? [] : [{ ...entry, ...match }]
    })
    if (isAsked) matching.sort((one, other) => other.score - one.score)
    return { title, entries: matching.slice(0, isAsked ? MOST : title === 'Commands' ? MOST : FIRST) }
  })
  const filled = found.filter(({ entries }) => entries.length > 0)
  return isAsked ? filled.sort((one, other) => bestOf(other) - bestOf(one)) : filled
}

const bestOf = ({ entries }: PaletteGroup) => entries[0]?.score ?? 0
