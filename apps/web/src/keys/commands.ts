import { englishLabels } from '@millrace/react'

/** Where a command acts, in the order of the list of keys. */
export const regions = {
  anywhere: 'Anywhere',
  chat: 'Chat',
  panes: 'Panes',
  time: 'Time',
  timeline: 'Timeline',
  lists: 'Lists',
  approval: 'A focused approval',
} as const

export type Region = keyof typeof regions

/** Something that a person can do, with its keys. */
export interface Command {
  readonly where: Region
  /** What it does, in a few words: the palette and the list of keys show them. */
  readonly words: string
  /** Each does it: `mod+k`, `shift+ArrowLeft`, `?`, `Escape Escape` for a key that is pressed twice. None: only the palette has it. */
  readonly keys: readonly string[]
  /** A step from where the reader is, which repeats while its key is held. */
  readonly isStep?: true
  /** It means something only where the focus is: the palette leaves it out. */
  readonly isKeyOnly?: true
}

const one =
  (where: Region) =>
  (words: string, ...keys: readonly string[]) => ({ where, words, keys })
const step =
  (where: Region) =>
  (words: string, ...keys: readonly string[]) => ({
    where,
    words,
    keys,
    isStep: true as const,
    isKeyOnly: true as const,
  })

const focused =
  (where: Region) =>
  (words: string, ...keys: readonly string[]) => ({ where, words, keys, isKeyOnly: true as const })

const anywhere = one('anywhere')
const chat = one('chat')
const panes = one('panes')
const time = one('time')
const timeline = one('timeline')
const lists = one('lists')
const { approveKey, denyKey, denyAndSayKey } = englishLabels

/** All keys of the app. A part registers what a command does (`useCommands`), and never reads a key itself. */
export const commands = {
  search: anywhere('Search', '/'),
  palette: anywhere('Do anything, open any thread', 'mod+k'),
  'keys-list': anywhere('List the keys', '?'),
  rail: anywhere('Show or hide the threads', 'mod+b'),
  panes: anywhere('Show or hide the panes', 'mod+j'),
  'time-dock': anywhere('Show or hide the time dock', 't'),
  view: anywhere('Chat or timeline', 'v'),
  back: focused('anywhere')('Back out: close, or leave the field', 'Escape'),
  stop: anywhere('Stop the run', 'Escape Escape'),
  compose: anywhere('Write a message', 'm'),
  'new-thread': anywhere('New thread'),
  runs: anywhere('All runs'),
  agents: anywhere('Agents'),
  import: anywhere('Import a recording'),
  formats: anywhere('One scenario, five formats'),
  'kill-server': anywhere('Kill the server of the five formats', 'shift+k'),
  theme: anywhere('Light or dark'),
  notifications: anywhere('Notify when a run is done or asks'),
  'sign-out': anywhere('Sign out of this browser'),

  'next-piece': step('chat')('Next piece', 'j'),
  'previous-piece': step('chat')('Previous piece', 'k'),
  fold: focused('chat')('Fold or unfold the piece', 'Enter'),
  lens: chat('Where the piece came from (lens)', 'o'),
  'copy-link': chat('Copy a link to the piece', 'y'),
  'next-turn': step('chat')('Next turn', ']'),
  'previous-turn': step('chat')('Previous turn', '['),
  latest: chat('Latest', 'End'),
  question: chat('Go to the question that waits', 'q'),
  edit: chat('Edit the message', 'e'),
  regenerate: chat('Regenerate', 'r'),
  attempts: chat('Attempts', 'b'),
  usage: chat('Usage', 'u'),
  rename: chat('Rename the thread'),
  'copy-thread-link': chat('Copy a link to the thread'),
  export: chat('Export the thread'),
  delete: chat('Delete the thread'),
  verify: chat('Verify that live = stored'),
  continue: chat('Continue the run'),

  'pane-1': panes('Code', '1'),
  'pane-2': panes('Terminal', '2'),
  'pane-3': panes('Files', '3'),
  'pane-4': panes('Lens', '4'),
  'next-step': step('panes')('Next step', 'shift+ArrowRight'),
  'previous-step': step('panes')('Previous step', 'shift+ArrowLeft'),
  follow: panes('Follow the newest piece', 'f'),
  'code-view': panes('Code or diff', 'd'),
  'split-panes': panes('Split the panes', 'mod+\\'),
  'next-region': step('panes')('Next region', 'F6'),
  'previous-region': step('panes')('Previous region', 'shift+F6'),
  'narrower-panes': step('panes')('Narrower panes, on the divider', 'ArrowRight'),
  'wider-panes': step('panes')('Wider panes, on the divider', 'ArrowLeft'),
  'usual-panes': focused('panes')('Usual width, on the divider', 'Enter'),

  play: time('Play or pause', 'Space'),
  'next-entry': step('time')('Next entry', 'ArrowRight'),
  'previous-entry': step('time')('Previous entry', 'ArrowLeft'),
  'next-time-step': step('time')('Next step', 'shift+ArrowRight'),
  'previous-time-step': step('time')('Previous step', 'shift+ArrowLeft'),
  'next-marker': step('time')('Next mark', '.'),
  'previous-marker': step('time')('Previous mark', ','),
  faster: step('time')('Faster', '>'),
  slower: step('time')('Slower', '<'),
  'first-entry': step('time')('First entry', 'Home'),
  'last-entry': step('time')('Last entry', 'End'),
  live: time('Back to live', 'shift+l'),
  branch: time('Branch from here', 'shift+b'),

  'next-span': step('timeline')('Next row', 'ArrowDown'),
  'previous-span': step('timeline')('Previous row', 'ArrowUp'),
  'fold-span': focused('timeline')('Fold the row', 'ArrowLeft'),
  'unfold-span': focused('timeline')('Unfold the row', 'ArrowRight'),
  'show-span': focused('timeline')('Show in the chat', 'Enter'),
  'critical-path': timeline('Critical path', 'c'),
  'zoom-in': step('timeline')('Zoom in', '+'),
  'zoom-out': step('timeline')('Zoom out', '-'),
  'zoom-all': timeline('Show all of the time', '0'),

  'next-row': step('lists')('Next row', 'ArrowDown'),
  'previous-row': step('lists')('Previous row', 'ArrowUp'),
  'next-page': step('lists')('A page down', 'PageDown'),
  'previous-page': step('lists')('A page up', 'PageUp'),
  'first-row': focused('lists')('First row', 'Home'),
  'last-row': focused('lists')('Last row', 'End'),
  select: lists('Select the row', 'x'),
  open: focused('lists')('Open the row', 'Enter'),
  'open-beside': focused('lists')('Open the row beside', 'shift+Enter'),
  'export-rows': lists('Export what is selected', 'e'),
  'delete-rows': lists('Delete what is selected', 'Delete'),
  compare: lists('Compare the two that are selected', 'c'),
  'next-difference': step('lists')('Next difference', 'n'),
  'previous-difference': step('lists')('Previous difference', 'shift+n'),

  // Their keys are labels of the approval card, which reads them itself while it has the focus.
  approve: focused('approval')('Approve', approveKey.toLowerCase()),
  deny: focused('approval')('Deny', denyKey.toLowerCase()),
  'deny-and-say': focused('approval')('Deny and say why', denyAndSayKey.toLowerCase()),
} as const satisfies { readonly [name: string]: Command }

export type CommandName = keyof typeof commands

export const commandNames = Object.keys(commands) as readonly CommandName[]

export const commandOf = (name: CommandName): Command => commands[name]
