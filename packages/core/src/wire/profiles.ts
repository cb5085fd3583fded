import { StreamError } from '../errors.ts'
import type { Losses } from '../losses.ts'
import type { Wire } from './wire.ts'

/** What a wire cannot carry in a profile, or without one. */
export function lossesIn({ losses, profileLosses }: Wire, profile: string | undefined): Losses {
  return (profile === undefined ? undefined : profileLosses?.[profile]) ?? losses
}

/** The wire as if the profile were its default, for whoever has to do with one profile only. Throws `unknown-wire`. */
export function inProfile(name: string, wire: Wire, profile: string): Wire {
  if (!wire.profiles.includes(profile)) throw new StreamError('unknown-wire', `${name}, profile ${profile}`)
  const { profileLosses: _profileLosses, ...others } = wire
  return {
    ...others,
    losses: lossesIn(wire, profile),
    profiles: [],
    create: (options) => wire.create({ ...options, profile }),
  }
}
