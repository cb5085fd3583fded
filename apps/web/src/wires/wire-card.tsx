import type { Loss } from '@millrace/core/losses'
import { CopyButton } from '@millrace/react/copy-button'
import { FoldCard } from '@millrace/react/fold-card'
import type { ComponentProps } from 'react'
import { Icon } from '../icon.tsx'
import { formatTitle } from '../words/formats.ts'
import { addressesOf, featureTitle, lossesText, type WireFacts } from './wire-facts.ts'

interface WireCardProps {
  readonly facts: WireFacts
  readonly runId: string
  /** All of the run was looked at. */
  readonly isWhole: boolean
  readonly fold: ComponentProps<typeof FoldCard>['fold']
}

/** One wire: in one line what it loses of the run; open, why, and where it is watched. */
export function WireCard({ facts: { wire, losses, untouched, profiles }, runId, isWhole, fold }: WireCardProps) {
  const isProven = isWhole && losses.length === 0
  return (
    <FoldCard
      look={`wire${isProven ? ' wire-whole' : ''}`}
      fold={fold}
      icon={<Icon name={isProven ? 'check' : losses.length > 0 ? 'leak' : 'wires'} className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{formatTitle(wire)}</span>
          <span className="mr-quiet mr-cut">{!fold.isOpen && lossesText(losses)}</span>
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
          {addressesOf(location.origin, runId, wire).map(({ kind, url }) => (
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
              <dt>Dialects</dt>
              <dd>
                {profiles.map((profile) => (
                  <code key={profile}>&amp;profile={profile}</code>
                ))}
              </dd>
            </div>
          )}
        </dl>
      </div>
    </FoldCard>
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
  return isWhole ? 'carries all' : 'all so far'
}

function untouchedText(count: number, areMore: boolean): string {
  const [things, occur] = count === 1 ? ['thing', 'does'] : ['things', 'do']
  return `${count} ${areMore ? 'more ' : ''}${things} that it cannot say ${occur} not occur in this run.`
}
