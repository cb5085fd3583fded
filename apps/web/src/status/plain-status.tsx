import { PlainStatusLine, type PlainStatusLineProps } from '@millrace/react'
import { useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { appliedTheme, chooseTheme, type Theme, themes } from '../theme.ts'

/** The bar at the bottom of a page without a run: its state, in words. */
export function PlainStatus({ end, ...line }: Omit<PlainStatusLineProps, 'children'>) {
  return (
    <PlainStatusLine
      {...line}
      end={
        <>
          {end}
          <ThemeSwitch />
        </>
      }
    />
  )
}

const icons: { readonly [Each in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' }

/** One button that cycles through: as the system, light, dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(appliedTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const label = `Theme: ${theme}. Switch to ${next}.`
  const change = () => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <button type="button" className="icon-button theme-switch" aria-label={label} title={label} onClick={change}>
      <Icon name={icons[theme]} />
    </button>
  )
}
