import { englishLabels, momentText, StateGlyph, sourceTitle, summaryOf, titleOf, useNow } from '@millrace/react'
import { useApp } from '../../app-context.ts'
import { Icon } from '../../icon.tsx'
import { type HitGroup, type HitOption, kindFaces, locationText, optionsOf, partsOf } from './hits.ts'

interface HitListProps {
  readonly id: string
  readonly groups: readonly HitGroup[]
  /** Threads of which all hits are shown. */
  readonly opened: ReadonlySet<string>
  /** The key of the option that keys act on. */
  readonly current: string | undefined
  readonly idOf: (option: HitOption) => string
  readonly onPoint: (key: string) => void
  readonly onChoose: (option: HitOption, isBeside?: boolean) => void
}

const AGES_MS = 60_000

/** The hits by thread. The field above has the focus; the first press of a pointer previews, the second opens. */
export function HitList({ id, groups, opened, current, idOf, onPoint, onChoose }: HitListProps) {
  return (
    <div id={id} className="hits" role="listbox" aria-label="Hits" tabIndex={-1}>
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a part of the list of options
        <div key={group.threadId} className="hit-group" role="group" aria-label={group.title}>
          <GroupHead group={group} />
          {optionsOf(group, opened.has(group.threadId)).map((option) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            <div
              key={option.key}
              id={idOf(option)}
              className="hit"
              role="option"
              tabIndex={-1}
              aria-selected={option.key === current}
              onClick={(event) => {
                if (option.key === current || option.type === 'rest') onChoose(option, event.metaKey || event.ctrlKey)
                else onPoint(option.key)
              }}
              onDoubleClick={() => onChoose(option)}
            >
              {option.type === 'rest' ? (
                <span className="hit-rest">{option.count} more in this run</span>
              ) : (
                <HitCells hit={option.hit} />
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function GroupHead({ group: { thread, title, hits } }: { readonly group: HitGroup }) {
  const { agents = [] } = useApp()
  const now = useNow(AGES_MS)
  const summary = thread && summaryOf(thread)
  const facts = [
    summary && sourceTitle(summary.source, agents),
    thread?.updatedAt === undefined ? undefined : momentText(thread.updatedAt, now, englishLabels),
    `${hits.length} ${hits.length === 1 ? 'hit' : 'hits'}`,
  ]
  return (
    <div className="hit-head" role="presentation">
      {summary !== undefined && <StateGlyph state={summary.state} />}
      <b className="mr-cut">{titleOf(title, thread?.lastRun?.format, englishLabels)}</b>
      <span className="mr-cut">{facts.filter((fact) => fact !== undefined).join(' · ')}</span>
    </div>
  )
}

function HitCells({ hit }: { readonly hit: Extract<HitOption, { type: 'hit' }>['hit'] }) {
  const { name, icon, isCode = false } = kindFaces[hit.kind]
  return (
    <>
      <Icon name={icon} />
      <span className="hit-kind">{name}</span>
      <span className={isCode ? 'hit-text mr-mono' : 'hit-text'}>
        {partsOf(hit.excerpt).map(({ text, isMarked }, index) => {
          return isMarked ? <mark key={index}>{text}</mark> : text
        })}
      </span>
      <span className="hit-where">{locationText(hit)}</span>
    </>
  )
}
