import { effortNow } from './seeded.ts'

/** What the suites need of a test runner. */
interface Runner {
  /** Groups the tests that `body` adds. */
  describe(name: string, body: () => void): void
  /** A test that fails if `body` throws, rejects, or takes longer than `timeout` milliseconds for the usual cases. */
  it(name: string, body: () => void | Promise<void>, timeout?: number): void
  /** A test that is listed and not run; its name says why. */
  skip(name: string): void
  /** Runs `body` after each test of the group. */
  afterEach(body: () => Promise<void>): void
  /** Runs `body` after the last test of the group. */
  afterAll(body: () => Promise<void>): void
}

/** Longer than any law takes: the default of vitest, 5 s, is too short for large recordings on a busy machine. */
const TIMEOUT_MS = 120_000

/** Many times the cases take many times as long. */
const limit = (timeout: number) => timeout * effortNow()

async function vitestRunner(): Promise<Runner> {
  const { afterAll, afterEach, describe, it } = await import('vitest')
  return {
    describe: (name, body) => void describe(name, body),
    it: (name, body, timeout = TIMEOUT_MS) => it(name, () => body(), limit(timeout)),
    skip: (name) => it.skip(name, () => {}),
    afterEach,
    afterAll,
  }
}

async function nodeRunner(): Promise<Runner> {
  const { after, afterEach, describe, it } = await import('node:test')
  return {
    describe: (name, body) => void describe(name, body),
    it: (name, body, timeout = TIMEOUT_MS) => void it(name, { timeout: limit(timeout) }, () => body()),
    skip: (name) => void it(name, { skip: true }),
    afterEach: (body) => afterEach(body),
    afterAll: (body) => after(body),
  }
}

/** vitest sets `VITEST` in the processes that run its tests. In any other process, the suites are tests of `node:test`. */
const runner = await (process.env.VITEST === undefined ? nodeRunner() : vitestRunner())

export const { describe, it, skip, afterEach, afterAll } = runner
