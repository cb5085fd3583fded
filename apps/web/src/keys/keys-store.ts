import { isComposing } from '@millrace/react'
import { type CommandName, commandOf, commands } from './commands.ts'
import { type KeyChoice, keepKeyChoice, storedKeyChoice } from './key-choice.ts'
import { comboOf, isSingleCharacter } from './key-combo.ts'
import { isPressedBy, isWriting } from './writing.ts'

/** Does the command. `false` means: not now, so that another part, or the browser, has the key. */
type Act = () => unknown

export type Acts = { readonly [Name in CommandName]?: Act | undefined }

interface Registration {
  readonly acts: Acts
  /** Its keys act only while this has the focus inside. */
  readonly within: { readonly current: Element | null } | undefined
}

export interface KeysSnapshot {
  /** What can be done now, in the order of the table. */
  readonly available: readonly CommandName[]
  readonly choice: KeyChoice
}

/** What the commands do now. The newest registration goes first, and before all those that have the focus inside. */
export interface KeysStore {
  register(acts: Acts, within?: Registration['within']): () => void
  /** Does a command as its key does, wherever the focus is. False if nothing does it now. */
  run(name: CommandName): boolean
  press(event: KeyboardEvent): void
  choose(choice: KeyChoice): void
  snapshot(): KeysSnapshot
  subscribe(listener: () => void): () => void
}

/** The same key twice within this time is a command of its own, in milliseconds. */
const TWICE_MS = 800

export function createKeys(): KeysStore {
  const listeners = new Set<() => void>()
  let registrations: readonly Registration[] = []
  let current: KeysSnapshot = { available: [], choice: storedKeyChoice() }
  let last: { readonly combo: string; readonly at: number } | undefined

  function publish(choice: KeyChoice): void {
    const available = (Object.keys(commands) as CommandName[]).filter((name) => actsOf(name).length > 0)
    current = { available, choice }
    for (const listener of [...listeners]) listener()
  }

  const actsOf = (name: CommandName, chosen = registrations) =>
    chosen.flatMap(({ acts }) => (acts[name] === undefined ? [] : [acts[name]]))

  const runFirst = (acts: readonly Act[]) => acts.some((act) => act() !== false)

  /** Those whose keys act where the focus is. */
  function inFocus(target: EventTarget | null): readonly Registration[] {
    const inside = registrations.filter(
      ({ within }) => target instanceof Node && within?.current?.contains(target) === true,
    )
    return [...inside, ...registrations.filter(({ within }) => within === undefined)]
  }

  function runKey(combo: string, { target, repeat }: KeyboardEvent): boolean {
    const asked = inFocus(target)
    // Of several commands with this key, that of the part which has the focus, or came last.
    return asked.some((registration) =>
      namesOf(combo)
        .filter((name) => !repeat || commandOf(name).isStep === true)
        .some((name) => runFirst(actsOf(name, [registration]))),
    )
  }

  return {
    register(acts, within) {
      const registration = { acts, within }
      registrations = [registration, ...registrations]
      publish(current.choice)
      return () => {
        registrations = registrations.filter((each) => each !== registration)
        publish(current.choice)
      }
    },
    run: (name) => runFirst(actsOf(name)),
    press(event) {
      const combo = comboOf(event)
      const twice = last !== undefined && last.combo === combo && event.timeStamp - last.at < TWICE_MS
      const isAgain = twice && !event.repeat
      last = undefined
      if (combo === undefined || event.defaultPrevented || isComposing(event)) return
      if (!isOurs(combo, event.target, current.choice)) return
      if (!event.repeat && !isAgain) last = { combo, at: event.timeStamp }
      const isDone = (isAgain && runKey(`${combo} ${combo}`, event)) || runKey(combo, event)
      if (isDone) event.preventDefault()
    },
    choose(choice) {
      keepKeyChoice(choice)
      publish(choice)
    },
    snapshot: () => current,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

const byKeys = new Map<string, CommandName[]>()
for (const name of Object.keys(commands) as CommandName[])
  for (const keys of commands[name].keys) byKeys.set(keys, [...(byKeys.get(keys) ?? []), name])

const namesOf = (keys: string): readonly CommandName[] => byKeys.get(keys) ?? []

/** Works in a field, too: what has ⌘ or Ctrl, Escape, and the keys with a number. */
const worksInFields = (combo: string) => combo.startsWith('mod+') || /^(?:shift\+)?(?:Escape|F\d+)$/.test(combo)

/** Whether a key is one of ours, where it was pressed. */
function isOurs(combo: string, target: EventTarget | null, choice: KeyChoice): boolean {
  if (choice === 'none' && combo !== 'Escape') return false
  if (choice === 'chords' && isSingleCharacter(combo)) return false
  // An open menu is closed by the browser.
  if (combo === 'Escape' && document.querySelector(':popover-open') !== null) return false
  if (isWriting(target)) return worksInFields(combo)
  return !isPressedBy(combo, target)
}
