/** What a program prints and hears as an agent. */
export * from '../emit.ts'
