/**
 * Threads of the log run from their own files: the packages are used as they are, and not bundled. Both are named, so that the
 * process has one copy of the core, and parsers that the app registers are those that the server finds.
 */
export default { serverExternalPackages: ['@millrace/core', '@millrace/server'] }
