import { expect, it } from 'vitest'
import { createToggles } from './toggles.ts'

it('tells each subscriber of each toggle, until it unsubscribes, and the others still', () => {
  const toggles = createToggles()
  const heard: string[] = []
  const stops = ['one', 'two', 'three'].map((name) => toggles.subscribe(() => heard.push(name)))
  toggles.set('a', true)
  stops[1]?.()
  toggles.set('a', false)
  stops[0]?.()
  stops[0]?.()
  toggles.set('a', false)
  expect(heard).toEqual(['one', 'two', 'three', 'one', 'three', 'three'])
})

it('keeps the last toggle of each key, and knows no other', () => {
  const toggles = createToggles()
  for (const isOpen of [true, false, true]) {
    toggles.set('a', isOpen)
    expect([toggles.get('a'), toggles.get('b')]).toEqual([isOpen, undefined])
  }
})

it('can lose a subscriber while it tells them', () => {
  const toggles = createToggles()
  const heard: string[] = []
  const stop = toggles.subscribe(() => {
    heard.push('one')
    stop()
  })
  toggles.subscribe(() => heard.push('two'))
  toggles.set('a', true)
  toggles.set('a', true)
  expect(heard).toEqual(['one', 'two', 'two'])
})
