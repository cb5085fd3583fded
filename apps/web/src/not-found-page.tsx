import { Link, MenuButton } from './navigation.tsx'
import { PlainStatus } from './status/plain-status.tsx'

export function NotFoundPage({ path }: { readonly path: string }) {
  return (
    <>
      <main className="main" id="main">
        <header className="bar">
          <MenuButton />
        </header>
        <div className="trouble">
          <h1>Page not found</h1>
          <p>
            No page has the address “{path}”. A thread's address looks like <code>/t/…</code>.
          </p>
          <p className="trouble-actions">
            <Link to={{ name: 'start' }} className="mr-button button">
              Start page
            </Link>
          </p>
        </div>
      </main>
      <PlainStatus text="Page not found" tone="quiet" />
    </>
  )
}
