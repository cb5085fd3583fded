import type { SearchKind } from '@millrace/core/fold'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useApp } from '../../app-context.ts'
import { Icon } from '../../icon.tsx'
import { MenuButton } from '../../navigation.tsx'
import { PlainStatus } from '../../status/plain-status.tsx'
import { troubleOf } from '../../trouble.ts'
import { ImportButton } from '../import-button.tsx'
import type { RunsRoute } from '../runs-route.ts'
import { RunsSearchField } from '../runs-search-field.tsx'
import { HitList } from './hit-list.tsx'
import { groupHits, type HitOption, kindFaces, optionsOf, wordsOf } from './hits.ts'
import { Preview } from './preview.tsx'
import { NO_COUNTS, useSearch } from './use-search.ts'

/** What was found in the texts of all runs, and beside it the piece itself. Arrows choose a hit, Enter opens it. */
export function SearchPage({ route, text }: { readonly route: RunsRoute; readonly text: string }) {
  const { router } = useApp()
  const { found, isSearching, error, more } = useSearch(text, route.kind)
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [active, setActive] = useState<string>()
  const groups = useMemo(() => groupHits(found?.hits ?? [], found?.threads ?? []), [found])
  const options = groups.flatMap((group) => optionsOf(group, opened.has(group.threadId)))
  const index = Math.max(
    0,
    options.findIndex(({ key }) => key === active),
  )
  const current = options[index]
  const hit = current?.type === 'hit' ? current.hit : undefined
  const idOf = ({ key }: HitOption) => `${listId}-${key}`
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === null || activeElement === document.body) field.current?.focus()
  }, [])

  function choose(option: HitOption | undefined, isBeside = false): void {
    if (option === undefined) return
    if (option.type === 'rest') {
      setOpened((before) => new Set([...before, option.threadId]))
      return
    }
    const { threadId, runId, seq } = option.hit
    const to = { name: 'thread', threadId, runId, seq, find: wordsOf(option.hit).join(' ') } as const
    if (isBeside) window.open(router.hrefOf(to), '_blank', 'noopener')
    else router.go(to)
  }

  function onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const next = options[Math.min(Math.max(index + step, 0), options.length - 1)]
      setActive(next?.key)
      if (next !== undefined) document.getElementById(idOf(next))?.scrollIntoView({ block: 'nearest' })
    }
    if (event.key === 'Enter') choose(current, event.shiftKey)
  }

  const total = Object.values(found?.counts ?? NO_COUNTS).reduce((sum, count) => sum + count, 0)
  return (
    <>
      <main className="main runs-main search-main" id="main">
        <header className="bar">
          <MenuButton />
          <h1 className="bar-title">Runs</h1>
          <span className="bar-note">search</span>
          <span className="bar-end">
            <ImportButton />
          </span>
        </header>
        <div className="search-body">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
          <div className="runs-scroll" tabIndex={0}>
            <div className="filters search-filters">
              <RunsSearchField
                ref={field}
                route={route}
                hits={{ listId, activeId: current && idOf(current) }}
                onKey={onKey}
              />
            </div>
            <Facets route={route} counts={found?.counts ?? NO_COUNTS} total={total}>
              {isSearching && found === undefined
                ? 'Searching…'
                : `${total} ${total === 1 ? 'hit' : 'hits'}, ${found?.tookMs ?? 0} ms`}
            </Facets>
            {error !== undefined && (
              <p className="runs-note runs-trouble" role="alert">
                {troubleOf(error).title}. {troubleOf(error).advice}
              </p>
            )}
            {found !== undefined && !isSearching && options.length === 0 && (
              <NoHits text={text} isKind={route.kind !== undefined && total > 0} />
            )}
            <HitList
              id={listId}
              groups={groups}
              opened={opened}
              current={current?.key}
              idOf={idOf}
              onPoint={setActive}
              onChoose={choose}
            />
            {found?.next !== undefined && (
              <button type="button" className="text-button search-more" onClick={more}>
                More hits
              </button>
            )}
          </div>
          {hit !== undefined && <Preview hit={hit} onOpen={() => choose(current)} />}
        </div>
      </main>
      <PlainStatus
        text={error === undefined ? 'Server well · ↑ ↓ hit · ↵ open there · ⇧↵ open beside' : troubleOf(error).title}
        tone={error === undefined ? 'quiet' : 'bad'}
        end={<span className="mr-fact mr-wide">{location.host}</span>}
      />
    </>
  )
}

interface FacetsProps {
  readonly route: RunsRoute
  readonly counts: { readonly [Kind in SearchKind]: number }
  readonly total: number
  readonly children: string
}

function Facets({ route, counts, total, children }: FacetsProps) {
  const { router } = useApp()
  const { kind: chosen, ...others } = route
  const kinds = (Object.keys(kindFaces) as SearchKind[]).filter((kind) => counts[kind] > 0 || kind === chosen)
  const facets = [
    { kind: undefined, words: 'All', count: total },
    ...kinds.map((kind) => ({ kind, words: kindFaces[kind].plural, count: counts[kind] })),
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and is none of these
    <div className="facets" role="group" aria-label="Kinds of text">
      <span role="status">{children}</span>
      {facets.map(({ kind, words, count }) => (
        <button
          key={words}
          type="button"
          className="facet"
          aria-pressed={kind === chosen}
          onClick={() => router.go(kind === undefined ? others : { ...others, kind }, 'replace')}
        >
          {words} <em>{count}</em>
        </button>
      ))}
    </div>
  )
}

function NoHits({ text, isKind }: { readonly text: string; readonly isKind: boolean }) {
  return (
    <div className="runs-empty">
      <Icon name="search" />
      <h2>No run has “{text}”</h2>
      <p>
        {isKind
          ? 'Texts of other kinds have it: press All.'
          : 'All texts of ended runs were searched: messages, answers, thoughts, tool inputs and outputs. Every word must begin like a word of the text.'}
      </p>
    </div>
  )
}
