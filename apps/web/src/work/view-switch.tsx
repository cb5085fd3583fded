interface ViewSwitchProps<View extends string> {
  readonly label: string
  readonly views: { readonly [Each in View]: string }
  readonly value: View
  readonly onChoose: (view: View) => void
}

/** One of a few views of the same thing. */
export function ViewSwitch<View extends string>({ label, views, value, onChoose }: ViewSwitchProps<View>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a frame
    <span className="view-switch" role="group" aria-label={label}>
      {(Object.entries(views) as [View, string][]).map(([view, words]) => (
        <button
          key={view}
          type="button"
          className={`view-${view}`}
          aria-pressed={view === value}
          onClick={() => onChoose(view)}
        >
          {words}
        </button>
      ))}
    </span>
  )
}
