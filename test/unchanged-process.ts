import { afterAll, expect } from 'vitest'

/** Runs before each file that shares its process with others: such a file must leave the process as it found it. */

const changeable = () => ({
  environment: { ...process.env },
  folder: process.cwd(),
  // Modules that are loaded later add symbols and names such as `__zod_globalConfig`.
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !name.startsWith('__')),
  replaced: [Date, Date.now, Math.random, JSON.parse, setTimeout, setInterval, queueMicrotask, fetch],
  prototype: Reflect.ownKeys(Object.prototype).map(String),
})

const before = changeable()
afterAll(() => expect(changeable(), 'what other files of this process find').toEqual(before))
