import { useState } from 'react'
import { Icon, type IconName } from '../icon.tsx'
import { chooseTheme, storedTheme, type Theme, themes } from '../theme.ts'

const icons: { readonly [Each in Theme]: IconName } = { system: 'system', light: 'sun', dark: 'moon' }

/** One button that goes round: as the system, light, dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const words = `Theme: ${theme}. Switch to ${next}.`
  const change = () => {
    chooseTheme(next)
    setTheme(next)
  }
  return (
    <button type="button" className="icon-button theme-switch" aria-label={words} title={words} onClick={change}>
      <Icon name={icons[theme]} />
    </button>
  )
}
