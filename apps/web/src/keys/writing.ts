/** Fields that hold no text: a letter in them writes nothing. */
const CHOICES = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'image', 'range', 'color']

/** The user writes in it: a character is text there, and no command. */
export function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !CHOICES.includes(target.type)
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** What each key does to a control of the browser. */
const controls: { readonly [combo: string]: string } = {
  Enter: 'a, button, summary, input, [role="button"], [role="link"]',
  'shift+Enter': 'a, button, summary, input',
  Space: 'button, summary, input, [role="button"], [role="checkbox"]',
}

/** A focused control takes this key itself: Enter presses a button. */
export const isPressedBy = (combo: string, target: EventTarget | null): boolean =>
  target instanceof Element && controls[combo] !== undefined && target.matches(controls[combo])
