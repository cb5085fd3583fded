import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'examples/*/*.test.ts', 'test/**/*.test.ts'],
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: '100%',
    testTimeout: 60_000,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
