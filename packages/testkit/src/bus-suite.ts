import type { BusMember } from '@millrace/server/bus'
import { type BusServer, createBusBench } from './bus-bench.ts'
import { deliveryPromises } from './bus-delivery.ts'
import { endPromises } from './bus-ends.ts'
import { floodPromises } from './bus-floods.ts'
import { outagePromises } from './bus-outages.ts'
import { processPromises } from './bus-processes.ts'
import { expect } from './expectation.ts'
import type { MemberLocation } from './member-location.ts'
import { describe, it, skip } from './runner.ts'

export interface BusSuiteOptions {
  /** Of a shared member. */
  readonly shared?: {
    /** Starts a server for this suite alone: it is cut and stopped. */
    startServer(): Promise<BusServer>
    /** How another process opens the member. */
    readonly location: MemberLocation
  }
}

/** Tests the promises of every bus. A member that reaches its own process only must declare that, with the reason. */
export function busSuite(name: string, member: BusMember, { shared }: BusSuiteOptions): void {
  describe(`bus: ${name}`, () => {
    const bench = createBusBench(member, shared?.startServer)
    if (member.confined === undefined) {
      it('declares its server', () => expect(shared).toBeDefined())
      if (shared === undefined) return
    } else {
      skip(`reaches other processes: not promised, ${member.confined}`)
      it('is confined as declared, and declares no server', () => expect(shared).toBeUndefined())
    }
    deliveryPromises(bench)
    floodPromises(bench)
    endPromises(bench)
    if (shared === undefined) return
    outagePromises(bench)
    processPromises(bench, shared.location)
  })
}
