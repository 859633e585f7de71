/** Replaces secrets in texts that a report shows. */
export interface Mask {
  /** Remembers a secret, and what stands in its place: $TOKEN. */
  add(secret: string, name: string): void
  text(text: string): string
}

/** Secrets remembered at most; the oldest goes. */
const MAX_SECRETS = 2_000

export function createMask(): Mask {
  const secrets = new Map<string, string>()
  return {
    add(secret, name) {
      if (secret.length < 6) return
      secrets.set(secret, name)
      const [oldest] = secrets.keys()
      if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest)
    },
    text(text) {
      let masked = text
      for (const [secret, name] of secrets) masked = masked.replaceAll(secret, hidden(name))
      // Secrets that nobody announced, by the names of their members and by their form.
      return masked
        .replaceAll(/("(?:access_token|refresh_token|secret|client_secret|password)"\s*:\s*")[^"]+/g, '$1***')
        .replaceAll(/whsec_[A-Za-z0-9+/=]+/g, 'whsec_***')
    },
  }
}

/** In the place of a secret its name, but not where it is the name of a member: `"secret":` tells nothing. */
function hidden(name: string) {
  return (secret: string, at: number, text: string): string =>
    text[at - 1] === '"' && text.startsWith('":', at + secret.length) ? secret : name
}
