import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useApp } from './app-context.ts'
import { addressOf, type Route } from './router.ts'

type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { readonly to: Route }

/** A real link: what opens another tab, or copies the address, works as everywhere. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { router } = useApp()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain || event.defaultPrevented) return
    event.preventDefault()
    router.go(to)
  }
  return <a {...rest} href={addressOf(to)} onClick={follow} />
}
