import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCommands } from './keys-context.tsx'

/** Loaded when they are first opened. */
const KeysList = lazy(async () => ({ default: (await import('./keys-list.tsx')).KeysList }))
const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))

const dialogs = { 'keys-list': KeysList, palette: Palette }

/** What the keys of every page open: the palette, and the list of keys. */
export function KeyDialogs(): ReactNode {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const opens = (name: keyof typeof dialogs) => () => setOpen(name)
  useCommands({ 'keys-list': opens('keys-list'), palette: opens('palette') })
  if (open === undefined) return undefined
  const Dialog = dialogs[open]
  // Keyed: from the palette, the list of keys is another dialog, which closes by itself.
  return (
    <Suspense>
      <Dialog key={open} onClose={() => setOpen((now) => (now === open ? undefined : now))} />
    </Suspense>
  )
}
