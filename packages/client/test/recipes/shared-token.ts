import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenRequest } from '@partner-payments/client'

/** One row, which all processes share. Times are in seconds since 1970. */
export function openTokens(file: string) {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.exec(`CREATE TABLE IF NOT EXISTS tokens (
    id INTEGER PRIMARY KEY CHECK (id = 1), access_token TEXT, expires_at REAL, locked_until REAL)`)
  database.exec('INSERT OR IGNORE INTO tokens VALUES (1, NULL, 0, 0)')
  return {
    read: database.prepare('SELECT access_token FROM tokens WHERE expires_at > ?'),
    write: database.prepare('UPDATE tokens SET access_token = ?, expires_at = ?'),
    // A lock lasts 30 seconds. One that ends later than in 60 is from before the clock was set back.
    lock: database.prepare(`UPDATE tokens SET locked_until = :now + 30
      WHERE locked_until < :now OR locked_until > :now + 60`),
    unlock: database.prepare('UPDATE tokens SET locked_until = 0'),
  }
}

type Tokens = ReturnType<typeof openTokens>
type SignIn = () => Promise<{ readonly access_token: string; readonly expiration: number }>

/** For `auth.token`: the stored token, or a new one if it has expired or was refused. */
export function sharedToken(tokens: Tokens, signIn: SignIn) {
  const now = () => Date.now() / 1000
  const usable = (refused: string | undefined) => {
    const token = tokens.read.get(now())?.access_token
    return typeof token === 'string' && token !== refused ? token : undefined
  }

  return async ({ refused }: TokenRequest): Promise<string> => {
    for (let wait = 0; wait < 100; wait++) {
      const stored = usable(refused)
      if (stored) return stored

      // One process renews. The lock ends by itself, if that process dies.
      const isMine = tokens.lock.run({ now: now() }).changes === 1
      if (!isMine) {
        await sleep(100)
        continue
      }
      try {
        // Somebody may have renewed it just before.
        const renewed = usable(refused)
        if (renewed) return renewed

        const { access_token, expiration } = await signIn()
        tokens.write.run(access_token, now() + expiration * 0.9)
        return access_token
      } finally {
        tokens.unlock.run()
      }
    }
    throw new Error('no process has renewed the token within 10 s')
  }
}
