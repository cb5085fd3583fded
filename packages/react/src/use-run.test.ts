import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { type Store, useRun, useThread } from './use-run.ts'

const store: Store<string> = { snapshot: () => 'so far', subscribe: () => () => {} }

function Held({ use }: { readonly use: typeof useRun }) {
  return use(store)
}

it.each([useRun, useThread])('gives what the store holds', (use) => {
  expect(renderToStaticMarkup(createElement(Held, { use }))).toBe('so far')
})
