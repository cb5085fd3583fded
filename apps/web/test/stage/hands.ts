import { flushSync } from 'react-dom'

/** What a person does: finds, clicks, types and presses. React has drawn the result when a function returns. */
export function find<Found extends Element = HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector)
  if (found === null) throw new Error(`There is no ${selector}.`)
  return found
}

export const has = (selector: string): boolean => document.querySelector(selector) !== null

export const textOf = (selector: string): string => document.querySelector(selector)?.textContent?.trim() ?? ''

export const textsOf = (selector: string): string[] =>
  [...document.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim() ?? '')

/** The button with this label or text. */
export function button(name: string): HTMLButtonElement {
  const all = [...document.querySelectorAll<HTMLButtonElement>('button, a')]
  const found = all.find((each) => (each.ariaLabel ?? each.textContent?.trim()) === name)
  if (found === undefined) throw new Error(`No button is called ${name}.`)
  return found
}

/** Returns whether the app has taken the click: a link that it leaves to the browser leads nowhere here. */
export function click(target: Element | string, init: MouseEventInit = {}): boolean {
  const element = typeof target === 'string' ? find(target) : target
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...init })
  let isTaken = false
  const stay = () => {
    isTaken = event.defaultPrevented
    if (element.closest('a') !== null) event.preventDefault()
  }
  window.addEventListener('click', stay)
  flushSync(() => element.dispatchEvent(event))
  window.removeEventListener('click', stay)
  return isTaken
}

/** Presses a key in whatever has the focus, or in `target`. */
export function press(
  key: string,
  init: KeyboardEventInit = {},
  target: Element | null = document.activeElement,
): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  flushSync(() => (target ?? document.body).dispatchEvent(event))
  return event
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Replaces the text of a field, as typing does. */
export function fill(target: Field | string, text: string): void {
  const field = typeof target === 'string' ? find<Field>(target) : target
  field.focus()
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  flushSync(() =>
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true })),
  )
}

export const focusName = (): string => {
  const { activeElement } = document
  return activeElement?.ariaLabel ?? (activeElement?.className || activeElement?.tagName) ?? ''
}
