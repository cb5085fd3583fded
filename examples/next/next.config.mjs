/** Threads of the log run from their own files: the server's package is used as it is, and not bundled. */
export default { serverExternalPackages: ['@millrace/server'] }
