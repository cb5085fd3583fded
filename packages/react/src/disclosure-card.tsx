import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { Disclosure } from './use-disclosure.ts'

export interface DisclosureCardProps {
  /** Class names of the kind and the state. */
  readonly className: string
  readonly disclosure: Disclosure
  readonly icon: ReactNode
  /** The text of the trigger. */
  readonly label: ReactNode
  /** Facts at the right end of the trigger. */
  readonly end?: ReactNode
  /** Without children there is nothing to open. */
  readonly children?: ReactNode
}

/** One line that opens. A closed card has no content in the page: thousands of them stay cheap. */
export function DisclosureCard({ className, disclosure, icon, label, end, children }: DisclosureCardProps) {
  const hasBody = children !== undefined && children !== null && children !== false
  const isOpen = hasBody && disclosure.isOpen
  const head = (
    <>
      {icon}
      {label}
      <span className="mr-end">
        {end}
        {hasBody && <Icon name="chevron" className="mr-chevron" />}
      </span>
    </>
  )
  return (
    <section className={`mr-card ${className}${isOpen ? ' mr-open' : ''}${disclosure.isToggled ? ' mr-moved' : ''}`}>
      {hasBody ? (
        <button type="button" className="mr-head" aria-expanded={isOpen} onClick={disclosure.toggle}>
          {head}
        </button>
      ) : (
        <div className="mr-head">{head}</div>
      )}
      {isOpen && children}
    </section>
  )
}

/** For screen readers only. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className="mr-unseen">{children}</span>
}
