import { type ReactNode, useRef } from 'react'
import { useApp } from '../app-context.ts'

const ACCEPTED = '.jsonl,.ndjson,.sse,.json,.txt,.log'

/** A button that opens the file picker for recordings. The caller styles it. */
export function FileButton({ className, children }: { readonly className: string; readonly children: ReactNode }) {
  const { importFiles } = useApp()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {children}
      </button>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        multiple
        hidden
        aria-label="Recordings"
        onChange={({ currentTarget }) => {
          importFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </>
  )
}
