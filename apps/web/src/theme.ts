export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'millrace-theme'

/** The theme that was last chosen in this browser; `system` if there is none or storage is forbidden. */
export function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(KEY)) ?? 'system'
  } catch {
    return 'system'
  }
}

/** The theme of the page now. */
export function appliedTheme(): Theme {
  return themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system'
}

export function applyTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}
