import type { Loss } from '@millrace/core/losses'
import { CopyButton, DisclosureCard, formatTitle } from '@millrace/react'
import type { ComponentProps } from 'react'
import { useApp } from '../app-context.ts'
import { Icon } from '../icon.tsx'
import { featureTitle, lossesText, streamAddresses, type WireFacts } from './wire-facts.ts'

interface WireCardProps {
  readonly facts: WireFacts
  readonly runId: string
  /** All of the run was counted. */
  readonly isWhole: boolean
  readonly disclosure: ComponentProps<typeof DisclosureCard>['disclosure']
}

/** One wire: closed, what it loses of the run; open, also why, and the addresses of its streams. */
export function WireCard({ facts: { wire, losses, untouched, profiles }, runId, isWhole, disclosure }: WireCardProps) {
  const { basePath } = useApp()
  const isProven = isWhole && losses.length === 0
  return (
    <DisclosureCard
      className={`wire${isProven ? ' wire-whole' : ''}`}
      disclosure={disclosure}
      icon={<Icon name={isProven ? 'check' : losses.length > 0 ? 'leak' : 'wires'} className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{formatTitle(wire)}</span>
          <span className="mr-quiet mr-cut">{!disclosure.isOpen && lossesText(losses)}</span>
        </>
      }
      end={<span>{verdictText(losses, isWhole)}</span>}
    >
      <div className="wire-body">
        {losses.length > 0 && (
          <ul className="wire-losses">
            {losses.map((loss) => (
              <LossRow key={loss.feature} loss={loss} />
            ))}
          </ul>
        )}
        {untouched > 0 && <p className="wire-untouched">{untouchedText(untouched, losses.length > 0)}</p>}
        <dl className="wire-addresses">
          {streamAddresses(`${location.origin}${basePath}`, runId, wire).map(({ kind, url }) => (
            <div key={kind}>
              <dt>{kind}</dt>
              <dd>
                <code>{url}</code>
                <CopyButton text={url} label={`Copy the ${kind} address of ${formatTitle(wire)}`} />
              </dd>
            </div>
          ))}
          {profiles.length > 0 && (
            <div>
              <dt>Profiles</dt>
              <dd>
                {profiles.map((profile) => (
                  <code key={profile}>&amp;profile={profile}</code>
                ))}
              </dd>
            </div>
          )}
        </dl>
      </div>
    </DisclosureCard>
  )
}

function LossRow({ loss: { feature, count, reason } }: { readonly loss: Loss }) {
  return (
    <li>
      <b>{featureTitle(feature)}</b>
      <span className="wire-times">{count.toLocaleString('en')}×</span>
      <p>{reason}</p>
    </li>
  )
}

function verdictText({ length }: readonly Loss[], isWhole: boolean): string {
  if (length > 0) return length === 1 ? '1 loss' : `${length} losses`
  return isWhole ? 'carries everything' : 'everything so far'
}

function untouchedText(count: number, areMore: boolean): string {
  const [features, occur] = count === 1 ? ['feature', 'does'] : ['features', 'do']
  return `${count} ${areMore ? 'more ' : ''}${features} that it cannot carry ${occur} not occur in this run.`
}
