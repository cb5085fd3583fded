/** Nothing but inline styles and images that the page itself holds. */
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"

/**
 * A page that an agent wrote, for a frame without any permission. The policy stands before anything of it: whatever the page says
 * of a policy can only forbid more. Links open in another tab, which a frame without permission may not do.
 */
export function inertPage(html: string): string {
  const head = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  return `${head}<meta name="color-scheme" content="only light"><base target="_blank">${html}`
}
