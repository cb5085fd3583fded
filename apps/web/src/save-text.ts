/** Saves a text as a file of the reader. */
export function saveText(name: string, text: string, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser reads it after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), SAVED_WITHIN)
}

const SAVED_WITHIN = 10_000
