import { hash } from 'node:crypto'

/** The names under which topics travel: short, of visible ASCII, different for different scopes and topics. */
export interface Names {
  ofTopic(topic: string): string
  /** The name under which all listeners of the scope are called. */
  readonly everyone: string
}

export function namesIn(scope: string): Names {
  // Without a colon, so that no scope and topic together can be taken for others.
  const prefix = /^[\w-]{1,40}$/.test(scope) ? scope : hashOf(scope)
  return {
    // Ids are read as they are in a monitor of the server, unless they are unusual. A hash alone begins with a number sign.
    ofTopic: (topic) => `${prefix}:${/^[!"$-~][!-~]{0,79}$/.test(topic) ? topic : hashOf(topic)}`,
    everyone: `${prefix}!`,
  }
}

/** Of UTF-16: in UTF-8, all lone surrogates are the same. */
function hashOf(text: string): string {
  return `#${hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')}`
}
