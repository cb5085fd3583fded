import { useState } from 'react'
import { Icon } from '../icon.tsx'
import { useCommands } from '../keys/keys-context.tsx'
import { Sheet } from '../sheet.tsx'
import type { Compared, Verification, Verifying } from './use-verification.ts'

/** Verifies on demand: checking a run costs the server as much as reading all of it. */
export function VerifyButton({ verification, verify }: Verifying) {
  const [isOpen, setIsOpen] = useState(false)
  const press = () => {
    if (verification.state === 'unchecked' || verification.state === 'unknown') verify()
    else if (verification.state !== 'checking') setIsOpen(true)
  }
  useCommands({ verify: press })
  return (
    <>
      <button
        type="button"
        className={`mr-badge badge chip chip-${verification.state}`}
        title={titleOf(verification)}
        onClick={press}
      >
        <ButtonContent verification={verification} />
      </button>
      {isOpen && <Proof verification={verification} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function titleOf(verification: Verification): string {
  if (verification.state === 'unchecked') return 'Read the log again and compare it with what is delivered and shown'
  if (verification.state === 'unknown') return `Not checked. ${verification.reason}`
  return verification.state === 'checking' ? 'Reading the log again' : 'What was compared'
}

function ButtonContent({ verification }: { readonly verification: Verification }) {
  if (verification.state === 'checking') return 'Checking…'
  if (verification.state === 'unknown') return 'Not checked, try again'
  if (verification.state === 'differs') {
    return (
      <>
        <Icon name="warning" />
        <span className="mr-cut">Differs: {verification.reason}</span>
      </>
    )
  }
  return (
    <>
      <Icon name="shield" />
      {verification.state === 'unchecked' ? 'Verify' : sameText(verification.compared)}
      {verification.state === 'same' && <code>{shortHash(verification.hash)}</code>}
    </>
  )
}

/** Names only what was compared: a page that did not stream the run proves nothing about itself. */
const sameText = ({ page }: Compared) => (page ? 'Live = stored' : 'Stored = delivered')

const shortHash = (hash: string) => `${hash.slice(0, 4)}·${hash.slice(4, 6)}`

interface ProofProps {
  readonly verification: Verification
  readonly onClose: () => void
}

function Proof({ verification, onClose }: ProofProps) {
  if (verification.state !== 'same' && verification.state !== 'differs') return undefined
  const { compared } = verification
  return (
    <Sheet title="Verification" onClose={onClose}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
      <div className="proof" tabIndex={0}>
        <p className={`proof-outcome ${verification.state === 'same' ? 'mr-tone-ok' : 'mr-tone-bad'}`}>
          <Icon name={verification.state === 'same' ? 'shield' : 'warning'} />
          {verification.state === 'same' ? 'All of these have the same result' : verification.reason}
        </p>
        <ul className="proof-parts">
          <Part isCompared text="The entries in the log" />
          <Part isCompared text="The entries as they are delivered to a viewer" />
          <Part
            isCompared={compared.records}
            text="The raw records, parsed again"
            why="Another version of Millrace has read them."
          />
          <Part
            isCompared={compared.page}
            text="What this page folded while it streamed the run"
            why="This page loaded the run after it had ended."
          />
        </ul>
        {verification.state === 'same' && (
          <dl className="proof-hash">
            <dt>SHA-256 of the fold</dt>
            <dd>
              <code>{verification.hash}</code>
            </dd>
          </dl>
        )}
      </div>
    </Sheet>
  )
}

interface PartProps {
  readonly isCompared: boolean
  readonly text: string
  /** Why it was not compared. */
  readonly why?: string
}

function Part({ isCompared, text, why }: PartProps) {
  return (
    <li className={isCompared ? '' : 'proof-without'}>
      <Icon name={isCompared ? 'check' : 'slash'} />
      <span>
        {text}
        {!isCompared && <small>Not compared. {why}</small>}
      </span>
    </li>
  )
}
