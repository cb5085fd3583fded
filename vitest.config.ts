import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{packages,apps}/*/{src,test}/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    reporters: process.env.CI ? ['default'] : ['dot'],
  },
})
