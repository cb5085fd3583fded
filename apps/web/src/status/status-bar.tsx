import { StatusLine, type StatusLineProps } from '@millrace/react'
import { useApp } from '../app-context.ts'
import { PageButtons } from './plain-status.tsx'
import { useVerification } from './use-verification.ts'
import { VerifyButton } from './verify-button.tsx'

/** Position, durability and proof of the thread's newest run. */
export function StatusBar(props: Omit<StatusLineProps, 'end'>) {
  const { run, newest } = props
  const { api } = useApp()
  const verifying = useVerification(api, run, newest)
  return (
    <StatusLine
      {...props}
      end={
        <>
          {verifying !== undefined && <VerifyButton key={run?.id} {...verifying} />}
          <PageButtons />
        </>
      }
    />
  )
}
