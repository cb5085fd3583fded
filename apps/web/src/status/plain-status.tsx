import { PlainStatusLine, type PlainStatusLineProps } from '@millrace/react'
import { useState } from 'react'
import { useApp } from '../app-context.ts'
import { Icon, type IconName } from '../icon.tsx'
import { titleWithKey } from '../keys/key-caps.tsx'
import { useCommands, useKeys } from '../keys/keys-context.tsx'
import { appliedTheme, chooseTheme, type Theme, themes } from '../theme.ts'

/** The bar at the bottom of a page without a run: its state, in words. */
export function PlainStatus({ end, ...line }: Omit<PlainStatusLineProps, 'children'>) {
  return (
    <PlainStatusLine
      {...line}
      end={
        <>
          {end}
          <PageButtons />
        </>
      }
    />
  )
}

const icons: { readonly [Each in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' }

/** At the end of every status line: the keys, which can be turned off, and the theme. */
export function PageButtons() {
  const { keys } = useKeys()
  return (
    <>
      <button
        type="button"
        className="icon-button keys-button"
        aria-label="Keys"
        title={titleWithKey('Keys', 'keys-list')}
        aria-haspopup="dialog"
        onClick={() => keys.run('keys-list')}
      >
        <Icon name="keys" />
      </button>
      <Bell />
      <ThemeSwitch />
    </>
  )
}

/** Whether the browser says when a run is done or asks, while the page is hidden. */
function Bell() {
  const { isOn, refusal, toggle } = useApp().notifications
  const press = () => void toggle()
  useCommands({ notifications: refusal === undefined ? press : undefined })
  return (
    <button
      type="button"
      className="icon-button bell"
      aria-label="Notify when a run is done or asks"
      title={refusal ?? `Notify when a run is done or asks: ${isOn ? 'on' : 'off'}`}
      aria-pressed={isOn}
      disabled={refusal !== undefined}
      onClick={press}
    >
      <Icon name="bell" />
    </button>
  )
}

/** One button that cycles through: as the system, light, dark. */
function ThemeSwitch() {
  const [theme, setTheme] = useState(appliedTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const label = `Theme: ${theme}. Switch to ${next}.`
  const change = () => {
    chooseTheme(next)
    setTheme(next)
  }
  useCommands({ theme: change })
  return (
    <button type="button" className="icon-button theme-switch" aria-label={label} title={label} onClick={change}>
      <Icon name={icons[theme]} />
    </button>
  )
}
