import { useEffect, useRef } from 'react'
import { Wordmark } from './icon.tsx'

/** What is left after signing out. Nothing of a thread is on it, and nothing is asked of the server any more. */
export function SignedOutPage() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="millrace app signed-out">
      <main className="main" id="main">
        <header className="bar">
          <Wordmark />
        </header>
        <div className="trouble">
          <h1 ref={heading} tabIndex={-1}>
            You are signed out
          </h1>
          <p>
            This browser has no token any more. Runs go on, and everything stays in the log. To come back, open the
            address that <code>millrace serve</code> printed; it ends in <code>?token=…</code>.
          </p>
        </div>
      </main>
    </div>
  )
}
