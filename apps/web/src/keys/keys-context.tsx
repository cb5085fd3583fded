import { useStore } from '@millrace/react'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from 'react'
import type { CommandName } from './commands.ts'
import { type Acts, createKeys, type KeysSnapshot, type KeysStore } from './keys-store.ts'

/** Without a provider nothing listens: a part that stands alone has no keys. */
const Context = createContext<KeysStore>(createKeys())

/** Listens to the keys of the page, behind every control that takes a key itself. */
export function KeysProvider({ children }: { readonly children: ReactNode }) {
  const [keys] = useState(createKeys)
  useEffect(() => {
    addEventListener('keydown', keys.press)
    return () => removeEventListener('keydown', keys.press)
  }, [keys])
  return <Context.Provider value={keys}>{children}</Context.Provider>
}

/**
 * What commands do while the component is mounted. One that is undefined cannot be done now: the palette leaves it out.
 * An act that returns `false` leaves the key to others. With `within`, the keys act only while the focus is inside of it.
 */
export function useCommands(acts: Acts, within?: RefObject<Element | null>): void {
  const keys = useContext(Context)
  const latest = useRef(acts)
  latest.current = acts
  const names = (Object.keys(acts) as CommandName[]).filter((name) => acts[name] !== undefined).join(' ')
  useEffect(() => {
    if (names === '') return
    const stable = names.split(' ').map((name) => [name, () => latest.current[name as CommandName]?.()] as const)
    return keys.register(Object.fromEntries(stable), within)
  }, [keys, names, within])
}

/** What can be done now, and which keys act. */
export function useKeys(): { readonly keys: KeysStore } & KeysSnapshot {
  const keys = useContext(Context)
  return { keys, ...useStore(keys) }
}
