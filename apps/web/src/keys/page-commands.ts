import type { Router } from '../router.ts'
import { useCommands } from './keys-context.tsx'
import { isWriting } from './writing.ts'

interface PageServices {
  readonly router: Router
  readonly importFiles: (files: readonly File[]) => void
  readonly signOut: () => Promise<void>
}

/** What can be done on every page. */
export function usePageCommands({ router, importFiles, signOut }: PageServices): void {
  useCommands({
    'new-thread': () => router.go({ name: 'start' }),
    runs: () => router.go({ name: 'runs' }),
    formats: () => router.go({ name: 'formats' }),
    agents: () => router.go({ name: 'agents' }),
    import: () => chooseFiles(importFiles),
    compose: focusComposer,
    back: leaveField,
    'sign-out': () => void signOut().catch(() => undefined),
  })
}

function focusComposer(): boolean {
  const field = document.querySelector<HTMLElement>('#main .mr-composer textarea')
  field?.focus()
  return field !== null
}

/** What scrolls on the page: from there, single letters act. */
const READING = '#main :is(.mr-thread-scroll, .runs-scroll, .start)'

/** Out of a field of the page, or out of a pane, to what is read. What was written stays. */
function leaveField(): boolean {
  const { activeElement } = document
  const isInside = isWriting(activeElement) || activeElement?.closest('.panes, .rail') != null
  const reading = document.querySelector<HTMLElement>(READING)
  if (!isInside || !(activeElement instanceof HTMLElement)) return false
  if (reading === null) activeElement.blur()
  else reading.focus({ preventScroll: true })
  return true
}

/** As the button of the rail does. */
function chooseFiles(importFiles: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  Object.assign(input, { type: 'file', multiple: true })
  input.addEventListener('change', () => importFiles([...(input.files ?? [])]))
  input.click()
}
