import { useApp } from './app-context.ts'
import { Icon } from './icon.tsx'

/** Opens the drawer where the rail has no room. */
export function MenuButton() {
  const { openDrawer } = useApp()
  return (
    <button type="button" className="icon-button menu-button" aria-label="Threads" onClick={openDrawer}>
      <Icon name="menu" />
    </button>
  )
}
