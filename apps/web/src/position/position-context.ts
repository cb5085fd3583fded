import { createContext, useContext, useSyncExternalStore } from 'react'
import { createPositionStore, type Position, type PositionStore } from './position-store.ts'

const Context = createContext<PositionStore>(createPositionStore())

export const PositionProvider = Context.Provider

/** The position of the thread's page. A component that only changes it is not drawn again when it changes. */
export function usePositionStore(): PositionStore {
  return useContext(Context)
}

/** A part of the position: the component is drawn again when this part changes. It must be the same value until then. */
export function usePositionPart<Part>(part: (position: Position) => Part): Part {
  const { subscribe, snapshot } = usePositionStore()
  const current = () => part(snapshot())
  return useSyncExternalStore(subscribe, current, current)
}
