/** What vitest calls before the first and after the last test of a run. */
export { shareServers as setup } from './shared.ts'
