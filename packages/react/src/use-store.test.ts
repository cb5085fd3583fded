import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { type Store, useRun, useStore, useThread } from './index.ts'

const store: Store<string> = { snapshot: () => 'so far', subscribe: () => () => {} }

function Current({ use }: { readonly use: typeof useStore }) {
  return use(store)
}

it.each([useStore, useRun, useThread])('returns the snapshot of the store', (use) => {
  expect(renderToStaticMarkup(createElement(Current, { use }))).toBe('so far')
})
