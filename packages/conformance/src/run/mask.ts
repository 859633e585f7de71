/** Replaces secrets in texts that a report shows. */
export interface Mask {
  /** Remembers a secret, and what stands in its place: $TOKEN. */
  add(secret: string, name: string): void
  has(secret: string): boolean
  text(text: string): string
  /** The text in pieces: what is shown as it is, and names that stand in the place of a secret. */
  pieces(text: string): readonly Piece[]
}

/** A part of a masked text; `isName` where it stands in the place of a secret. */
export interface Piece {
  readonly text: string
  readonly isName: boolean
}

/** Secrets remembered at most; the oldest goes. */
const MAX_SECRETS = 2_000

export function createMask(): Mask {
  const secrets = new Map<string, string>()
  function pieces(text: string): readonly Piece[] {
    let found: Piece[] = [{ text, isName: false }]
    for (const [secret, name] of secrets)
      if (text.includes(secret)) found = found.flatMap((it) => (it.isName ? [it] : parted(it, secret, name)))
    return found.map((it) => (it.isName ? it : { text: unannounced(it.text), isName: false }))
  }

  return {
    add(secret, name) {
      if (secret.length < 6) return
      secrets.set(secret, name)
      const [oldest] = secrets.keys()
      if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest)
    },
    has: (secret) => secrets.has(secret),
    pieces,
    text: (text) =>
      unannounced(
        pieces(text)
          .map((it) => it.text)
          .join(''),
      ),
  }
}

/** Secrets that nobody announced, by the names of their members and by their form. */
function unannounced(text: string): string {
  return text
    .replaceAll(/("(?:access_token|refresh_token|secret|client_secret|password)"\s*:\s*")[^"]+/g, '$1***')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_***')
}

/** A text with a name in the place of each secret, but not where it is the name of a member: that tells nothing. */
function parted({ text }: Piece, secret: string, name: string): Piece[] {
  const found: Piece[] = []
  let begin = 0
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    if (text[at - 1] === '"' && text.startsWith('":', at + secret.length)) continue
    found.push({ text: text.slice(begin, at), isName: false }, { text: name, isName: true })
    begin = at + secret.length
  }
  return [...found, { text: text.slice(begin), isName: false }].filter((it) => it.text !== '')
}
