import { formatTitle } from '@millrace/react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Link, MenuButton } from '../navigation.tsx'
import { PlainStatus } from '../status/plain-status.tsx'
import type { ColumnSnapshot } from './column-store.ts'
import { FormatColumn } from './format-column.tsx'
import { agreementOf } from './picture.ts'
import { AgreementBadge, Controls, Track } from './show-bar.tsx'
import { StoredBadge } from './stored-badge.tsx'
import { useColumnStores, useColumns, useRecordings } from './use-columns.ts'
import { type ShowControls, useShow } from './use-show.ts'
import '../styles/format-column.css'
import '../styles/formats.css'

/** One scenario in five formats, into a server that can be killed: raw records above, the picture below. */
export function FormatsPage() {
  const controls = useShow()
  const { show } = controls
  return show === undefined ? <Starting {...controls} /> : <Show controls={controls} show={show} />
}

function Starting({ trouble, pending, begin }: Pick<ShowControls, 'trouble' | 'pending' | 'begin'>) {
  const hasFailed = trouble !== undefined
  return (
    <>
      <main className="main formats" id="main">
        <Head as="p" />
        <div className="trouble" role={hasFailed ? 'alert' : 'status'}>
          <h1>{hasFailed ? 'The second server did not start' : 'Starting a second server…'}</h1>
          <p>{trouble ?? 'It is a process of its own with an empty log, so that it can be killed.'}</p>
          <p className="trouble-actions">
            <Link to={{ name: 'start' }} className="mr-button button">
              Start page
            </Link>
            {hasFailed && (
              <button type="button" className="mr-button button" disabled={pending !== undefined} onClick={begin}>
                Try again
              </button>
            )}
          </p>
        </div>
      </main>
      <PlainStatus text={hasFailed ? 'No second server' : 'Starting…'} tone={hasFailed ? 'bad' : 'quiet'} />
    </>
  )
}

interface HeadProps {
  /** The heading of the page, unless what stands below has one. */
  readonly as?: 'h1' | 'p'
  readonly children?: ReactNode
}

function Head({ as: Title = 'h1', children }: HeadProps) {
  return (
    <header className="bar">
      <MenuButton />
      <Title className="bar-title">One scenario, five formats</Title>
      {children}
    </header>
  )
}

const isLive = ({ connection }: ColumnSnapshot) => connection !== 'ended'

interface ShowProps {
  readonly controls: ShowControls
  readonly show: NonNullable<ShowControls['show']>
}

function Show({ controls, show }: ShowProps) {
  const { columns, server } = show
  const stores = useColumnStores(columns, server === 'up')
  const viewers = useColumns(stores)
  const recordings = useRecordings(columns)
  const agreement = useMemo(() => agreementOf(viewers.map(({ run }) => run)), [viewers])
  const [chosen, setChosen] = useState(0)
  const name = useId()
  const isDown = server === 'down'
  const entries = viewers.reduce((sum, { seq }) => sum + seq, 0)
  const live = viewers.filter(isLive).length
  return (
    <>
      <main className="main formats" id="main">
        <Head>
          <span className="bar-end">
            <AgreementBadge agreement={agreement} isDown={isDown} />
            <Controls {...controls} show={show} />
          </span>
        </Head>
        <Track show={show} viewers={viewers} />
        {controls.trouble !== undefined && (
          <p className="dock-trouble" role="alert">
            {controls.trouble}
          </p>
        )}
        <fieldset className="format-strip" aria-label="Format">
          {columns.map(({ format }, index) => (
            <label key={format}>
              <input type="radio" name={name} checked={index === chosen} onChange={() => setChosen(index)} />
              {formatTitle(format)}
            </label>
          ))}
        </fieldset>
        <div className="format-columns" data-chosen={chosen}>
          {columns.map((column, index) => {
            const viewer = viewers[index]
            if (viewer === undefined) return undefined
            return (
              <FormatColumn
                key={column.runId}
                column={column}
                viewer={viewer}
                lines={recordings.get(column.format) ?? []}
                isDown={isDown}
                agreement={agreement}
                isChosen={index === chosen}
              />
            )
          })}
        </div>
      </main>
      <PlainStatus
        text={isDown ? 'Server down' : live > 0 ? `${live} runs live` : 'All five have finished'}
        tone={isDown ? 'bad' : live > 0 ? 'live' : 'quiet'}
        end={
          <>
            <span className="mr-fact mr-wide">{entries.toLocaleString('en')} entries here, each of them durable</span>
            <StoredBadge columns={columns} viewers={viewers} />
          </>
        }
      />
    </>
  )
}
