/**
 * Node's SQLite. Node 22 warns of it in every process and thread that loads it, and the person who reads that can do
 * nothing about it: this one warning is left out. An `import` would load the module, and warn, before any code runs.
 */
export function sqliteModule(): typeof import('node:sqlite') {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const isOurs = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')
    if (!isOurs) Reflect.apply(emitWarning, process, [warning, ...rest])
  }
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
