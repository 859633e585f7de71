/** A header Link that is longer says nothing. Most servers refuse headers of half this length. */
const MAX_LENGTH = 16_384

/** The values of a header, as servers and recorders have them. */
type HeaderValue = string | readonly string[] | undefined

/**
 * Finds the targets of the links to a next page in a header Link (RFC 8288, section 3), which may have several links:
 * `['?cursor=10']` of `<?cursor=0>; rel=prev, <?cursor=10>; rel="next"`. What follows a mistake in the header is not
 * read. It reads each character once, since a service may send anything.
 */
export function findNextTargets(header: HeaderValue): readonly string[] {
  const text = typeof header === 'string' ? header : (header ?? []).join(',')
  if (text === '' || text.length > MAX_LENGTH) return []

  const targets: string[] = []
  const reader = new HeaderReader(text)
  for (let link = reader.readLink(); link; link = reader.readLink()) {
    if (isNext(link)) targets.push(link.target)
  }
  return targets
}

/** A link of the header: its target, and its parameters by their names in lower case. */
interface Link {
  readonly target: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Whether a link leads from this page to the next one. */
function isNext({ parameters }: Link): boolean {
  // It begins at another resource than the response (RFC 8288, section 3.2).
  if (parameters.has('anchor')) return false

  // One link may have several relations: `rel="next last"`. Their case does not matter.
  const relations = (parameters.get('rel') ?? '').toLowerCase().split(/[ \t]/)
  return relations.includes('next')
}

/** Reads a header Link from its start to its end, and never goes back. */
class HeaderReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** Reads the next link; undefined at the end, or where no link stands. */
  readLink(): Link | undefined {
    // Items of a list may be empty (RFC 9110, section 5.6.1).
    this.#skip(' \t,')
    if (!this.#take('<')) return undefined

    const target = this.#readUntil('>')
    if (!this.#take('>')) return undefined

    const parameters = new Map<string, string>()
    this.#skip(' \t')
    while (this.#take(';')) {
      this.#readParameter(parameters)
      this.#skip(' \t')
    }
    return { target: target.trim(), parameters }
  }

  /** Reads a parameter, such as `rel="next"`, `rel=next`, or a name without a value. Of two, the first one counts. */
  #readParameter(parameters: Map<string, string>): void {
    this.#skip(' \t')
    const name = this.#readUntil('=;, \t').toLowerCase()
    this.#skip(' \t')
    const value = this.#take('=') ? this.#readValue() : ''
    if (name !== '' && !parameters.has(name)) parameters.set(name, value)
  }

  #readValue(): string {
    this.#skip(' \t')
    return this.#take('"') ? this.#readQuoted() : this.#readUntil(';, \t')
  }

  /** Reads a quoted string behind its first quote. A backslash stands before a character that is meant as such. */
  #readQuoted(): string {
    const characters: string[] = []
    while (this.#at < this.#text.length && !this.#take('"')) {
      this.#take('\\')
      characters.push(this.#text[this.#at] ?? '')
      this.#at++
    }
    return characters.join('')
  }

  /** Reads up to one of some characters, or to the end. */
  #readUntil(ends: string): string {
    const start = this.#at
    while (this.#at < this.#text.length && !ends.includes(this.#text[this.#at] ?? '')) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #skip(characters: string): void {
    while (this.#at < this.#text.length && characters.includes(this.#text[this.#at] ?? ''))
      this.#at++
  }

  /** Goes behind a character, and returns true, if it is the next one. */
  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }
}
