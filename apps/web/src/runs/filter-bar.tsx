import type { ListedThread } from '@millrace/core/client'
import type { ReactNode } from 'react'
import { useApp } from '../app-context.ts'
import { Menu } from '../menu.tsx'
import { type Filter, filtersFor, VIEWS } from './filter-options.ts'
import type { RunsRoute } from './runs-route.ts'

interface FilterBarProps {
  readonly route: RunsRoute
  readonly threads: readonly ListedThread[]
  /** The field of the search. */
  readonly children: ReactNode
}

/** A filter that is not set is dashed, one that is set says to what. */
export function FilterBar({ route, threads, children }: FilterBarProps) {
  const { agents = [], router } = useApp()
  const filters = filtersFor(threads, agents)
  const isFiltered = filters.some(({ field }) => route[field] !== undefined)
  const go = (next: RunsRoute) => router.go(next, 'replace')
  return (
    <div className="filters">
      {children}
      {filters.map((filter) => (
        <FilterMenu key={filter.field} filter={filter} route={route} onChange={go} />
      ))}
      {isFiltered && (
        <button type="button" className="text-button" onClick={() => go({ name: 'runs' })}>
          Clear
        </button>
      )}
    </div>
  )
}

interface FilterMenuProps {
  readonly filter: Filter
  readonly route: RunsRoute
  readonly onChange: (next: RunsRoute) => void
}

function FilterMenu({ filter: { field, name, textOf, options }, route, onChange }: FilterMenuProps) {
  const { [field]: value, ...others } = route
  const items = options.map((option) => ({
    label: option.label,
    isChecked: option.value === value,
    onChoose: () => onChange({ ...others, [field]: option.value }),
  }))
  const any = { label: 'Any', isChecked: value === undefined, onChoose: () => onChange(others) }
  return (
    <Menu
      label={name}
      className={`mr-button button filter${value === undefined ? '' : ' filter-set'}`}
      items={[any, ...items]}
    >
      {value === undefined ? name : textOf(value)}
    </Menu>
  )
}

/** Filters that people want often, one press each. */
export function Views({ route }: { readonly route: RunsRoute }) {
  const { router } = useApp()
  const { name: _name, text: _text, kind: _kind, ...filter } = route
  const current = JSON.stringify(filter)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a legend, and is none of these
    <div className="views" role="group" aria-label="Views">
      {VIEWS.map((view) => (
        <button
          key={view.name}
          type="button"
          aria-pressed={JSON.stringify(view.filter) === current}
          onClick={() => router.go({ name: 'runs', ...view.filter }, 'replace')}
        >
          {view.name}
        </button>
      ))}
    </div>
  )
}
