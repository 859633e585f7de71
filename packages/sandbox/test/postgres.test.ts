import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openStore } from '../src/store/open.ts'
import { isReachable, nativeFolder, startPostgres } from './postgres.ts'

// In most containers a clone lies below /root, where only root may enter, and PostgreSQL refuses to
// run as root.
it('starts PostgreSQL from a private folder, also as root', async () => {
  const home = mkdtempSync(join(tmpdir(), 'private-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  chmodSync(home, 0o700)
  const native = join(home, 'native')
  cpSync(nativeFolder(), native, { recursive: true, verbatimSymlinks: true })

  const postgres = await startPostgres(native)
  onTestFinished(() => postgres.stop())
  const store = await openStore({ databaseUrl: await postgres.newDatabase() })
  onTestFinished(() => store.close())
  expect(store.backend).toBe('postgres')
})

it('knows which folders other users can enter', () => {
  const home = mkdtempSync(join(tmpdir(), 'private-home-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const inside = join(home, 'clone')
  mkdirSync(inside, { mode: 0o755 })
  chmodSync(home, 0o700)
  expect(isReachable(inside)).toBe(false)

  chmodSync(home, 0o711)
  expect(isReachable(inside)).toBe(true)
})
