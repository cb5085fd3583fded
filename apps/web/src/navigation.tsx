import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useApp } from './app-context.ts'
import { Icon } from './icon.tsx'
import type { Route } from './routes.ts'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: Route }

/** A real link: opening it in another tab and copying its address work as usual. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { router } = useApp()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented) return
    event.preventDefault()
    router.go(to)
  }
  return <a {...rest} href={router.hrefOf(to)} onClick={follow} />
}

/** Opens the drawer if there is no room for the rail. */
export function MenuButton() {
  const { openDrawer } = useApp()
  return (
    <button type="button" className="icon-button menu-button" aria-label="Threads" onClick={openDrawer}>
      <Icon name="menu" />
    </button>
  )
}
