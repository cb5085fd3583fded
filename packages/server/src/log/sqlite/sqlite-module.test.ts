import { afterEach, expect, it, vi } from 'vitest'
import { sqliteModule } from './sqlite-module.ts'

afterEach(() => vi.restoreAllMocks())

it('leaves out the one warning of Node 22 about SQLite, only while it loads the module', () => {
  const emitWarning = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const warn = () => {
    process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning')
    process.emitWarning('Tides is an experimental feature', 'ExperimentalWarning')
    process.emitWarning('SQLite is old', 'DeprecationWarning')
  }
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(() => warn() as never)
  sqliteModule()
  expect(emitWarning.mock.calls.map(([text]) => String(text).slice(0, 13))).toEqual(['Tides is an e', 'SQLite is old'])
  warn()
  expect(emitWarning).toHaveBeenCalledTimes(5)
})
