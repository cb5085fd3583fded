import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { appliedTheme, chooseTheme, type Theme, themes } from '../theme.ts'
import type { Tone } from './liveness.ts'

interface PlainStatusProps {
  readonly text: string
  readonly tone: Tone
  /** More facts. */
  readonly children?: ReactNode
  readonly end?: ReactNode
}

/** The bar at the bottom: the current state, in words. */
export function PlainStatus({ text, tone, children, end }: PlainStatusProps) {
  return (
    <footer className="status">
      <span className={`fact tone-${tone}`}>
        <span className="dot" aria-hidden="true" />
        {text}
      </span>
      {children}
      <span className="status-end">
        {end}
        <ThemeSwitch />
      </span>
    </footer>
  )
}

const icons: { readonly [Each in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' }

/** One button that cycles through: as the system, light, dark. */
function ThemeSwitch() {
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
