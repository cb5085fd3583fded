import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import type { FoldState } from './use-fold.ts'

interface FoldCardProps {
  /** Class names: the kind, and what its state looks like. */
  readonly look: string
  readonly fold: FoldState
  readonly icon: ReactNode
  /** What the trigger says. */
  readonly label: ReactNode
  /** Facts at the right end of the trigger. */
  readonly end?: ReactNode
  /** Nothing to open where there is none. */
  readonly children?: ReactNode
}

/** One line that opens. A closed card holds no content: thousands of them stay cheap. */
export function FoldCard({ look, fold, icon, label, end, children }: FoldCardProps) {
  const hasBody = children !== undefined && children !== null && children !== false
  const isOpen = hasBody && fold.isOpen
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
    <section className={`mr-card ${look}${isOpen ? ' mr-open' : ''}${fold.isToggled ? ' mr-moved' : ''}`}>
      {hasBody ? (
        <button type="button" className="mr-head" aria-expanded={isOpen} onClick={fold.toggle}>
          {head}
        </button>
      ) : (
        <div className="mr-head">{head}</div>
      )}
      {isOpen && children}
    </section>
  )
}

/** Said to those who do not see it. */
export function Unseen({ children }: { readonly children: ReactNode }) {
  return <span className="mr-unseen">{children}</span>
}
