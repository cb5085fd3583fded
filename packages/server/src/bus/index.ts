import type { BusMember } from './bus.ts'
import { BusError } from './errors.ts'
import { local } from './local.ts'
import { postgres } from './postgres.ts'
import { redis } from './redis.ts'

/** Every registered bus, by name. */
export const buses = { local, postgres, redis } as const satisfies { readonly [name: string]: BusMember }

export type BusName = keyof typeof buses

export function getBus(name: string): BusMember {
  if (!Object.hasOwn(buses, name)) throw new BusError('unknown-bus', name)
  return buses[name as BusName]
}
