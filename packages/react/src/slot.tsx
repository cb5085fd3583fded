import { type ComponentType, createElement, type ReactNode, Suspense } from 'react'
import { Boundary } from './boundary.tsx'
import type { LinkProps } from './components.ts'
import { externalLinkProps } from './links.ts'
import { useViewContext } from './view-context.ts'

interface SlotProps<Props> {
  readonly component: ComponentType<Props> | undefined
  readonly props: Props
  /** What is drawn. When it changes, a component that threw is tried again. */
  readonly of: unknown
  /** The view of this package. */
  readonly fallback: ReactNode
}

/** The host's component, or our view: without a component, while the component loads, and if it throws. */
export function Slot<Props extends object>({ component, props, of, fallback }: SlotProps<Props>): ReactNode {
  if (component === undefined) return fallback
  return (
    <Boundary of={of} fallback={fallback}>
      <Suspense fallback={fallback}>{createElement(component, props)}</Suspense>
    </Boundary>
  )
}

/** Every link of the package. The caller has checked the address. */
export function Link(props: LinkProps) {
  const { href, children, className, title } = props
  const { components } = useViewContext()
  const own = (
    <a className={className} href={href} title={title} {...externalLinkProps}>
      {children}
    </a>
  )
  return <Slot component={components.link} props={props} of={href} fallback={own} />
}
