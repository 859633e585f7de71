/** Replaces secrets in texts that a report shows. */
export interface Mask {
  /** Remembers a secret of an answer, and what stands in its place: $TOKEN. Of many, those named longest ago go. */
  add(secret: string, name: string): void
  /** Remembers a secret that was given for as long as the mask is there; the first name stays. */
  pin(secret: string, name: string): void
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

/** Secrets of answers that are remembered at most. */
const MAX_SECRETS = 2_000
/** Characters below which a secret is hidden only as a whole value: within a text it may be any word. */
const MIN_INSIDE = 6

export function createMask(): Mask {
  const pinned = new Map<string, string>()
  const secrets = new Map<string, string>()

  /** The longest first: one may hold another. */
  function secretsIn(text: string): readonly (readonly [string, string])[] {
    const found: (readonly [string, string])[] = []
    for (const all of [pinned, secrets]) for (const it of all) if (text.includes(it[0])) found.push(it)
    return found.sort(([a], [b]) => b.length - a.length)
  }

  function pieces(text: string): readonly Piece[] {
    let found: Piece[] = [{ text, isName: false }]
    for (const [secret, name] of secretsIn(text))
      found = found.flatMap((it) => (it.isName ? [it] : splitAt(it, secret, name)))
    return found.map((it) => (it.isName ? it : { text: maskByName(it.text), isName: false }))
  }

  return {
    add(secret, name) {
      if (secret === '' || pinned.has(secret)) return
      secrets.delete(secret)
      secrets.set(secret, name)
      const [oldest] = secrets.keys()
      if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest)
    },
    pin(secret, name) {
      if (secret !== '' && !pinned.has(secret)) pinned.set(secret, name)
    },
    has: (secret) => pinned.has(secret) || secrets.has(secret),
    pieces,
    text: (text) =>
      maskByName(
        pieces(text)
          .map((it) => it.text)
          .join(''),
      ),
  }
}

/** Secrets that nobody announced, by the names of their members and by their form. */
function maskByName(text: string): string {
  return text
    .replaceAll(/("(?:access_token|refresh_token|secret|client_secret|password)"\s*:\s*")[^"]+/g, '$1***')
    .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_***')
}

/** A text with a name in the place of each secret, but not where it is the name of a member: that tells nothing. */
function splitAt({ text }: Piece, secret: string, name: string): Piece[] {
  const found: Piece[] = []
  let begin = 0
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + secret.length)) {
    if (text[at - 1] === '"' && text.startsWith('":', at + secret.length)) continue
    if (secret.length < MIN_INSIDE && !isWholeValue(text, at, at + secret.length)) continue
    found.push({ text: text.slice(begin, at), isName: false }, { text: name, isName: true })
    begin = at + secret.length
  }
  return [...found, { text: text.slice(begin), isName: false }].filter((it) => it.text !== '')
}

/** Whether a part of a text is a whole value: all of it, a text of JSON, what a parameter or a cookie holds, credentials. */
function isWholeValue(text: string, begin: number, end: number): boolean {
  return /(?:^|["=]|^(?:Bearer|Basic) )$/i.test(text.slice(0, begin)) && /^(?:$|["&;])/.test(text.slice(end))
}
