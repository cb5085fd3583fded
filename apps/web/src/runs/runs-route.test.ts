import { describe, expect, it } from 'vitest'
import { addressOf, type Route, routeOf } from '../routes.ts'
import { filterOf } from './runs-route.ts'

const read = (address: string) => {
  const { pathname, search, hash } = new URL(address, 'http://localhost')
  return routeOf({ pathname, search, hash })
}

describe('the address of the runs', () => {
  it.each<Route>([
    { name: 'runs' },
    { name: 'runs', state: 'needs-you', agent: 'a b&c', minCost: 0.1, minSeconds: 30, minErrors: 1, days: 7 },
    { name: 'runs', text: 'exit 1 & "more"', kind: 'output' },
  ])('reads what it writes: %o', (route) => {
    expect(read(addressOf(route))).toEqual(route)
  })

  it('leaves out what is not valid', () => {
    expect(read('/runs/?state=odd&kind=odd&cost=much&days=-1&errors=0&q=%20&agent=')).toEqual({ name: 'runs' })
  })

  it('counts days from this day’s midnight', () => {
    const now = new Date(2026, 2, 30, 15)
    expect(filterOf({ name: 'runs', days: 1 }, now)).toEqual({ since: new Date(2026, 2, 30).getTime() })
    // A summer time begins in between in many places.
    expect(filterOf({ name: 'runs', days: 7 }, now)).toEqual({ since: new Date(2026, 2, 24).getTime() })
    expect(filterOf({ name: 'runs', text: 'x', minErrors: 1 }, now)).toEqual({ minErrors: 1 })
  })
})
