import { describe, expect, it } from 'vitest'
import { capsOf, comboOf, isSingleCharacter, type KeyPress, keysText } from './key-combo.ts'

const pressed = (key: string, modifiers: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ...{ metaKey: false, ctrlKey: false, shiftKey: false, altKey: false },
  ...modifiers,
})
const altGraph = { ctrlKey: true, altKey: true, getModifierState: (name: string) => name === 'AltGraph' }

describe('a pressed key', () => {
  it('has one name on every keyboard and with caps lock', () => {
    expect(comboOf(pressed('k', { metaKey: true }))).toBe('mod+k')
    expect(comboOf(pressed('K', { ctrlKey: true }))).toBe('mod+k')
    expect(comboOf(pressed('J'))).toBe('j')
    expect(comboOf(pressed('L', { shiftKey: true }))).toBe('shift+l')
    expect(comboOf(pressed('?', { shiftKey: true }))).toBe('?')
    expect(comboOf(pressed(' '))).toBe('Space')
    expect(comboOf(pressed('ArrowLeft', { shiftKey: true }))).toBe('shift+ArrowLeft')
    expect(comboOf(pressed('[', altGraph))).toBe('[')
    expect(comboOf(pressed('\\', { ctrlKey: true }))).toBe('mod+\\')
  })

  it('is none with Alt, which writes characters', () => {
    expect(comboOf(pressed('j', { altKey: true }))).toBeUndefined()
  })

  it('is a single character if speech or a slip may write it', () => {
    expect(['j', 'shift+l', '?', 'Space', '+'].map(isSingleCharacter)).toEqual([true, true, true, true, true])
    expect(['mod+k', 'Escape', 'End', 'shift+ArrowLeft', 'F6'].map(isSingleCharacter)).toEqual(Array(5).fill(false))
  })
})

describe('the caps of a key', () => {
  it('are those of the keyboard', () => {
    expect(capsOf('mod+k', true)).toEqual(['⌘', 'K'])
    expect(capsOf('mod+k', false)).toEqual(['Ctrl', 'K'])
    expect(capsOf('Escape Escape', false)).toEqual(['Esc', 'Esc'])
    expect(capsOf('shift+ArrowLeft', false)).toEqual(['⇧', '←'])
    expect(capsOf('j', false)).toEqual(['j'])
    expect(capsOf('+', false)).toEqual(['+'])
    expect([keysText('mod+b', true), keysText('mod+b', false)]).toEqual(['⌘B', 'Ctrl B'])
  })
})
