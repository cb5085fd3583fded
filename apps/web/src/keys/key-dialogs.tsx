import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCommands } from './keys-context.tsx'

/** Loaded when it is first opened. */
const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }))

/** What the keys of every page open: the list of keys. */
export function KeyDialogs(): ReactNode {
  const [open, setOpen] = useState<'keys-list'>()
  const close = () => setOpen(undefined)
  useCommands({ 'keys-list': () => setOpen('keys-list') })
  return <Suspense>{open === 'keys-list' && <KeysList onClose={close} />}</Suspense>
}
