import { ApiError } from '@millrace/core/client'
import { Link, MenuButton } from './navigation.tsx'
import { PlainStatus } from './status/plain-status.tsx'
import { TokenForm } from './token-form.tsx'
import { type Trouble, troubleOf } from './trouble.ts'

/** Shown instead of a page that cannot be shown. */
export function TroublePage({ error, threadId }: { readonly error: unknown; readonly threadId?: string }) {
  const { title, advice } = troubleFor(error, threadId)
  return (
    <>
      <main className="main" id="main">
        <header className="bar">
          <MenuButton />
        </header>
        <div className="trouble" role="alert">
          <h1>{title}</h1>
          <p>{advice}</p>
          {error instanceof ApiError && error.status === 401 && <TokenForm />}
          <p className="trouble-actions">
            <Link to={{ name: 'start' }} className="mr-button button">
              Start page
            </Link>
            <button type="button" className="mr-button button" onClick={() => location.reload()}>
              Try again
            </button>
          </p>
        </div>
      </main>
      <PlainStatus text={title} tone="bad" />
    </>
  )
}

function troubleFor(error: unknown, threadId: string | undefined): Trouble {
  if (threadId === undefined || !(error instanceof ApiError) || error.status !== 404) return troubleOf(error)
  return {
    title: 'Thread not found',
    advice: `The log has no thread “${threadId}”. It may have been deleted, or the link belongs to another server.`,
  }
}
